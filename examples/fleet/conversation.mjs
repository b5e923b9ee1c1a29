// What is said in the conversations: each turn names its conversation and itself, so that what is missing or mixed up shows.

const NAMES = ['ledger', 'mailer', 'export', 'search', 'upload', 'audit', 'backup', 'report', 'invoice', 'import'];

/** The user's message. */
export const question = (id, turn) =>
  `[${id}, turn ${turn}] Why does batch ${turn * 13} wait for worker ${turn * 7}? ${'It was fast before the last release. '.repeat(3)}`;

/** The model's answer to it. */
export function answerTo(text) {
  const [, id, number] = text.match(/^\[([^,]+), turn (\d+)\]/);
  const turn = Number(number);
  const line = (index) =>
    `The ${NAMES[index]} of ${id} waits until the ${NAMES[(turn + index) % 10]} has given its lock back, which takes ${turn + index} s since the release.`;
  return `[${id}, turn ${turn}] ${NAMES.map((_, index) => line(index)).join(' ')}`;
}
