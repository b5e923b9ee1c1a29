const PROSE = [
  'The group went over the plan for the garden again and everybody liked how the small path winds around the pond.',
  'Somebody brought tea and the talk moved on to the old bench, which most people would rather keep than paint.',
  'There was some laughter about the scarecrow, and then the weather turned and we all walked back to the house.',
  'In the evening the neighbours came by with a basket of pears, and the same questions about the fence came up.',
];

/** A conversation of plain prose, long enough that its older messages get compressed. Each seed gives other texts. */
export function conversation(seed, length = 12) {
  return Array.from({ length }, (_, index) => ({
    id: `${seed}-${index}`,
    index,
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `Visitor ${seed} wrote letter ${index} today. ${PROSE.map((_, i) => PROSE[(i + index + seed) % PROSE.length]).join(' ')}`,
  }));
}

export const characters = (messages) => messages.reduce((sum, { content }) => sum + content.length, 0);
