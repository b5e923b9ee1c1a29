// What the last request of a session is made of: a bar, and a table that says the same.
import { make, sortable } from './dom.mjs';
import { number, percent, plural } from './format.mjs';
import type { ContextPart, SessionContext } from 'palimpsest';

/** What kinds are called; each has a colour by its place. */
const CONTEXT_KINDS: Record<ContextPart['kind'], string> = {
  tools: 'tools',
  instructions: 'instructions',
  rules: 'rules',
  task: 'the task',
  state: 'plans and lists',
  pins: 'pins',
  recalled: 'recalled',
  volatile: 'volatile',
  files: 'files in work',
  results: 'results of this turn',
  'older-results': 'older results',
  calls: 'calls of tools',
  user: 'the user',
  assistant: 'the model',
  thinking: 'thinking',
  media: 'images and documents',
  marks: 'marks of cuts',
  other: 'other',
};
const CONTEXT_ORDER = Object.keys(CONTEXT_KINDS);
/** Degrees between the colours of neighbours: far apart, and no two the same. */
const HUE = 137;

/** An element with the colour of a kind. */
function coloured(tag: 'span.piece' | 'span.swatch', kind: ContextPart['kind']) {
  const element = make(tag, { 'aria-hidden': 'true' });
  element.style.setProperty('--hue', String((160 + HUE * CONTEXT_ORDER.indexOf(kind)) % 360));
  return element;
}

export function contextView({ tokens, limit, free, parts }: SessionContext): HTMLElement[] {
  const whole = Math.max(tokens, limit, 1);
  const pieces = parts.map(({ kind, tokens: count }) => {
    const piece = coloured('span.piece', kind);
    piece.style.width = `${(100 * count) / whole}%`;
    return piece;
  });
  const rounded = (value: number) => number(Math.round(value));
  return [
    make('p.note', {}, `${rounded(tokens)} of ${plural(Math.round(limit), 'token')}; ${rounded(free)} are free.`),
    make('div.context', { 'aria-hidden': 'true' }, pieces),
    sortable<ContextPart>({
      caption: 'Tokens by what they are',
      columns: [
        {
          title: 'Kind',
          isName: true,
          of: ({ kind }) => CONTEXT_KINDS[kind],
          show: ({ kind }) => [coloured('span.swatch', kind), CONTEXT_KINDS[kind]],
        },
        { title: 'Tokens', of: (part) => part.tokens, show: (part) => rounded(part.tokens) },
        { title: 'Share', of: ({ share }) => share, show: ({ share }) => percent(share) },
        {
          title: 'Messages',
          of: ({ messages }) => messages,
          show: ({ messages }) => (messages === 0 ? '–' : number(messages)),
          isWide: true,
        },
        { title: 'Age', of: ({ age }) => age ?? -1, show: ({ age }) => (age === undefined ? '–' : number(age)), isWide: true },
        { title: 'Cost', of: ({ cost }) => cost, show: ({ cost }) => rounded(cost) },
      ],
      rows: parts,
      few: CONTEXT_ORDER.length,
      sorted: 1,
    }),
    make(
      'p.note',
      {},
      make('span.wide', {}, 'Age: requests since the oldest of it came. '),
      'Cost: of this request, in tokens at the price of uncached input.',
    ),
  ];
}
