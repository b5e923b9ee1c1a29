// Why the last request lacks something of a message, below it: where it was, when and why it went, what took its place, what brings it back.
import { make } from './dom.mjs';
import { EPOCHS, number, plural } from './format.mjs';
import type { GoneData, SessionData } from '../../types.mjs';

const HOWS: Record<GoneData['how'], string> = {
  removed: 'nothing of the message was sent',
  cut: 'a part of the message went',
  thinking: 'signed thinking went',
  shortened: 'it was written in fewer tokens, with nothing lost',
  compacted: 'the agent itself compacted its history',
  whole: 'all of it is there, with a mark of what went beside it, or with what the session added',
};

const option = (text: string) => ['the option ', make('code', {}, text)];

/** What brings a message back, by its kind. What is none is the option `keep`. */
const BACK: Record<string, (message: number, limit: number) => (Node | string)[]> = {
  pin: (message) => [make('code', {}, `session.pin({ message: ${message} })`)],
  prune: () => option('prune: false'),
  limit: (_, limit) => [`a larger limit than ${plural(limit, 'token')}`],
  recall: (message) => [make('code', {}, `session.recall('…', { from: ${message} })`), ', or the recall tool'],
  shorten: () => option('shorten: false'),
  thinking: () => option("thinking: 'leave'"),
};

const rangesIn = (ranges: GoneData['had']) =>
  ranges.map(([from, to]) => (from === to ? number(from) : `${number(from)} to ${number(to)}`)).join(', ');

function whenOf({ how, request, epoch }: GoneData, known: number | undefined) {
  if (how === 'whole') return `nothing: ${HOWS.whole}`;
  if (how === 'compacted') return `before request ${number(request ?? 0)}: ${HOWS.compacted}`;
  const before = known === undefined ? 'it is not known when' : `before request ${number(known)}, the first one that is still known`;
  const why = epoch === undefined ? '' : `, chosen anew because ${EPOCHS[epoch]}`;
  return `${request === undefined ? before : `in request ${number(request)}${why}`}: ${HOWS[how]}`;
}

/** Says why the last request lacks something of a message. @param index of the message */
export function goneView(
  gone: GoneData,
  index: number,
  { messages = [], known }: SessionData,
  { limit, isRedacted }: { limit: number; isRedacted: boolean },
) {
  const { how, had, because, back } = gone;
  const { role, tool } = messages[index];
  const mark = gone.mark ?? (gone.markOf === undefined ? undefined : messages[gone.markOf].gone?.mark);
  const isLost = how === 'removed' || how === 'cut';
  const reason = because ?? (isRedacted && back.includes('prune') ? 'a later message superseded it' : 'for its tokens');
  const place = mark === undefined ? (isRedacted ? 'left out of this page' : 'no mark') : make('mark', { dir: 'auto' }, mark);
  const remedies = back.map((by) => make('li', {}, ...(BACK[by]?.(index, limit) ?? option(by.replace(/^the option /, '')))));
  const rows: [name: string, value: Node | string | Node[]][] = [
    ['Said in', [make('span', {}, `message ${index}, `), make('bdi', {}, tool === undefined ? role : `${role}, ${tool}`)]],
    ...(how === 'compacted'
      ? []
      : [['Was in', had.length > 0 ? `requests ${rangesIn(had)}` : 'no request that is known'] as [string, string]]),
    ['Went', whenOf(gone, known)],
    ...(isLost
      ? ([
          ['Why', make('bdi', {}, reason)],
          ['In its place', place],
        ] as [string, Node | string][])
      : []),
    ...(remedies.length > 0 ? [['Back by', make('ul', {}, remedies)] as [string, Node]] : []),
  ];
  return make(
    'dl.facts.why',
    {},
    rows.map(([name, value]) => make('div', {}, make('dt', {}, name), make('dd', {}, value))),
  );
}
