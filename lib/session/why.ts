// Why something is missing: where it was said, which requests had it, what took its place, and what brings it back.

import { isIndex, isObject, mismatch, shown } from '../checks.js';
import { checkOwnOptions } from '../options/index.js';
import { sessionWhy as OPTIONS } from '../options/session.js';
import { counted, grouped } from '../agent/wording.js';
import { formsOf } from '../texts.js';
import { Cuts, divided, isAll, markAt } from './cuts.js';
import { formatInLog } from './format.js';
import { areOf, choicesIn, logOf, readAs, rewritten } from './past.js';
import type { Why, WhyBack, WhyGone, WhyOptions, WhySaid } from '../../index.js';
import type { Part } from '../types.js';
import type { Steps } from '../steps.js';
import type { Config } from './config.js';
import type { Piece } from './edits.js';
import type { RequestLog } from './log.js';
import type { Reading } from './past.js';
import type { KeptEdit } from './sent.js';
import type { State } from './state.js';

/** Maximum number of places that are named. */
const MOST = 50;
/** The reason in a mark or a stub: what a later message supersedes, or what went because it is long. */
const BECAUSE =
  /(?:: |\[palimpsest:\w+ )((?:stale read of |read of .*, in part read again later|superseded change of |run again later|searched again later|failed|same as a later result of |long output|the same as a later image|the same data as in a later result)[^\]]*?)(?:, \d+ [a-z]+)?\]$/;

/** What is looked for, a text or all of messages, and in which request: by default in the last one. */
export type Asked = ({ text: string } | { messages: readonly number[] }) & { request?: number | undefined };

/** Reads the arguments of `session.why`. */
export function askedIn(what: unknown, options: WhyOptions | null | undefined): Asked {
  const { request }: WhyOptions = checkOwnOptions('why()', OPTIONS, options);
  const asked = { request: request ?? undefined };
  if (typeof what === 'string') {
    if (what.trim() === '') throw new TypeError('why(): what must be a text that is not blank');
    return { ...asked, text: what };
  }
  if (!isObject(what) || !('message' in what)) throw mismatch('why(): what', 'a text or an object with `message`', what);
  if (!isIndex(what.message))
    throw new TypeError(`why(): what.message must be the index of a message of the history, from 0, got ${shown(what.message)}`);
  return { ...asked, messages: [what.message] };
}

/** A place of the history where it is said: a part, or all those of a message. */
interface Place {
  message: number;
  parts: number[];
  /** whether the requests of each known choice have it there, where they are long enough */
  has: (boolean | undefined)[];
  /** what they have it without, where all of a message is asked for */
  less: ('shortened' | 'thinking' | undefined)[];
}

/** A choice of known requests. */
interface Chosen {
  edits: readonly (KeptEdit | undefined)[];
  cuts: Cuts;
  /** the parts of the history as these requests had them before anything was cut */
  parts: readonly Part[];
}

/** Answers `session.why`, in steps. */
export function* whyOf(config: Config, state: State, sought: Asked, given: readonly object[]): Steps<Why> {
  const { log, first, history } = logOf(state);
  const last = Math.min(sought.request ?? Infinity, first + log.made.length - 1);
  const forms = 'text' in sought ? formsOf(sought.text) : [];
  const says = (text: string) => forms.some((form) => text.includes(form));
  const format = formatInLog(config, log.current?.format ?? '') ?? state.format;
  if (format === undefined) return { said: [], requests: [], known: [], summary: 'No request went out yet.' };
  const { ready } = yield* readAs(
    config,
    format,
    given.map(() => true),
    given,
  );
  const original = yield* ready.format.reading(given);
  const places = placesOf(original, sought, says);
  const isKnown = areOf(log, history, given).map((is, index) => is && first + index <= last);
  const { made } = log;
  const groups = groupsOf(log);
  /** the choice of each request, 0 for the last one */
  const choices: number[] = [];
  groups.forEach((group, choice) => group.forEach((index) => (choices[index] = choice)));
  const having = new Set<number>();
  const chosen: (Chosen | undefined)[] = [];
  const most = { messages: given.length, parts: original.length };
  let reading: { key: string; read: Reading; parts: readonly Part[] } | undefined;
  for (const { choice: taken, edited, isWhole } of choicesIn(log, history, most)) {
    const group = (groups[chosen.length] ?? []).filter((index) => isKnown[index]);
    chosen.push(undefined);
    if (group.length === 0 || taken.format !== format.name) {
      for (const index of group) isKnown[index] = false;
      continue;
    }
    const key = isWhole.map(Number).join('');
    if (reading?.key !== key) {
      const read = yield* readAs(config, format, isWhole, given);
      reading = { key, read, parts: yield* read.ready.format.reading(read.history.messages()) };
    }
    const { read, parts } = reading;
    const edits = edited.filter((edit) => edit !== undefined);
    // Cuts that make something else of this history say nothing of what went out.
    if ((yield* rewritten(read, { ...taken, edits })) === undefined) {
      for (const index of group) isKnown[index] = false;
      continue;
    }
    const isAdded = edits.some((edit) => addsText(edit, parts, says));
    const choice = chosen.length - 1;
    /** the first message that has it */
    let least = isAdded ? -1 : Infinity;
    for (const place of places) {
      place.has[choice] = isIn(place, edited, parts, 'text' in sought ? says : undefined);
      if ('messages' in sought) place.less[choice] = lessOf(place, edited, read, parts);
      if (place.has[choice]) least = Math.min(least, place.message);
    }
    for (const index of group) if (least < made[index].length) having.add(index);
    chosen[choice] = { edits: [...edited], cuts: new Cuts(parts, edits), parts };
  }
  const known = [...isKnown.keys()].filter((index) => isKnown[index]);
  const numbered = (is: (index: number) => boolean) =>
    rangesOf(known, is).map(([from, to]): [number, number] => [first + from, first + to]);
  /** When something went, unless the request before may have lacked it, too. */
  const whenOf = (index: number) => {
    const { reason } = made[index];
    const isSure = index === 0 ? first === 1 : isKnown[index - 1];
    return isSure ? { request: first + index, ...(reason === undefined || reason === 'off' ? {} : { epoch: reason }) } : {};
  };
  const named = 'text' in sought ? places.slice(-MOST) : places;
  const said = named.map((place): WhySaid => {
    const part = original[place.parts[0]];
    const tool = part?.name ?? original[part?.call ?? -1]?.name;
    const has = (one: number) => place.has[choices[one]] === true;
    const own = known.filter((one) => place.message < made[one].length);
    const lessIn = (one: number) => place.less[choices[one]];
    const index = goneAt(own, has);
    const less = index === undefined ? goneAt(own, (one) => lessIn(one) === undefined) : undefined;
    const looked = 'text' in sought ? says : undefined;
    const gone =
      index !== undefined
        ? goneOf(place, chosen[choices[index]], whenOf(index), looked)
        : less !== undefined
          ? { how: lessIn(less) as WhyGone['how'], ...whenOf(less) }
          : undefined;
    return {
      message: place.message,
      role: part.role,
      ...(tool === undefined ? {} : { tool }),
      requests: numbered((one) => place.message < made[one].length && has(one)),
      ...(gone === undefined
        ? {}
        : {
            gone,
            back: backFor(gone, part, place.message, tool, state.limit?.tokens ?? config.options.limit ?? undefined, config.isFound),
          }),
    };
  });
  const why = { said, requests: numbered((index) => having.has(index)), known: numbered(() => true) };
  const isBehind = 'messages' in sought && sought.messages.some((message) => message >= given.length);
  const isLast = sought.request === undefined || sought.request >= first + log.made.length - 1;
  const subject = isLast ? 'The last request' : `Request ${last}`;
  return { ...why, summary: isBehind ? `The history has ${counted(given.length, 'message')}.` : summaryOf(why, { number: last, subject }) };
}

/** The places where something is said. */
function placesOf(parts: readonly Part[], sought: Asked, says: (text: string) => boolean): Place[] {
  const numbers = [...parts.keys()];
  if ('messages' in sought) {
    const own = new Map(sought.messages.map((message): [number, number[]] => [message, []]));
    for (const part of numbers) own.get(parts[part].message)?.push(part);
    return [...own].flatMap(([message, list]) => (list.length === 0 ? [] : [{ message, parts: list, has: [], less: [] }]));
  }
  return numbers
    .filter((part) => parts[part].kind !== 'reasoning' && says(parts[part].text))
    .map((part) => ({ message: parts[part].message, parts: [part], has: [], less: [] }));
}

/** The requests of each choice, the last one first, by their numbers in the log. */
function groupsOf({ made }: RequestLog) {
  const groups: number[][] = [[]];
  for (let index = made.length - 1; index >= 0; index--) {
    (groups.at(-1) as number[]).push(index);
    if (made[index].isNew) groups.push([]);
  }
  return groups;
}

/** The text that is left of a part, without marks and what was added behind it. */
const leftOf = (own: readonly Piece[], { text }: Part) => own.map((piece) => (Array.isArray(piece) ? text.slice(...piece) : '\0')).join('');

/** Whether a place is sent; all of it where nothing is looked for in it. */
function isIn(
  { parts: own }: Place,
  edits: readonly (KeptEdit | undefined)[],
  parts: readonly Part[],
  says: ((text: string) => boolean) | undefined,
) {
  const content = own.filter((part) => says !== undefined || (parts[part].kind !== 'reasoning' && !parts[part].unsent));
  // Of some formats a message may be nothing but what the model thought.
  const list = content.length > 0 ? content : own;
  return list.every((part) => {
    const edit = edits[part];
    if (edit === undefined) return says === undefined || says(parts[part].text);
    if (edit.pieces === undefined) return false;
    const { own: pieces } = divided(edit.pieces);
    return says === undefined ? isAll(pieces, parts[part]) : says(leftOf(pieces, parts[part]));
  });
}

/** What a request has a message without, though it has all that was said. */
function lessOf({ message, parts: own }: Place, edits: readonly (KeptEdit | undefined)[], { history }: Reading, parts: readonly Part[]) {
  const isThought = (part: number) => parts[part].kind === 'reasoning' && edits[part] !== undefined && edits[part]?.pieces === undefined;
  return own.some(isThought) ? 'thinking' : history.entries[message].shorten === undefined ? undefined : 'shortened';
}

/** Whether something is said in what an edit put into a text: in a mark, or in what is pinned, recalled or volatile. */
function addsText({ pieces = [] }: KeptEdit, parts: readonly Part[], says: (text: string) => boolean) {
  const textOf = (piece: Piece) =>
    typeof piece === 'string' ? piece : Array.isArray(piece) ? '' : parts[piece.part].text.slice(piece.start, piece.end);
  return pieces.some((piece) => says(textOf(piece)));
}

/**
 * The request that came to lack something: after the last one that had it, or the first one that could; undefined where the last one has it.
 *
 * @param own the known requests that are long enough
 */
function goneAt(own: readonly number[], has: (index: number) => boolean): number | undefined {
  return own.length === 0 || has(own.at(-1) as number) ? undefined : own[own.findLastIndex(has) + 1];
}

function goneOf(
  { message, parts: own }: Place,
  chosen: Chosen | undefined,
  when: Pick<WhyGone, 'request' | 'epoch'>,
  says: ((text: string) => boolean) | undefined,
): WhyGone | undefined {
  if (chosen === undefined) return undefined;
  const { edits, cuts, parts } = chosen;
  const edited = own.filter((one) => edits[one] !== undefined);
  const part = edited.find((one) => parts[one].kind !== 'reasoning') ?? edited[0];
  if (part === undefined) return { how: 'shortened', ...when };
  const [cut] = cuts.of(message);
  const { own: pieces } = divided(edits[part]?.pieces);
  const isGone = cut?.how === 'removed' || pieces.length === 0;
  const start = says === undefined ? 0 : startOf(parts[part].text, says);
  const mark = isGone ? cut?.marks[0] : markAt(pieces, parts[part], start);
  const because = mark === undefined ? undefined : BECAUSE.exec(mark)?.[1];
  const how = cut?.how === 'removed' ? 'removed' : parts[part].kind === 'reasoning' ? 'thinking' : 'cut';
  return { how, ...when, ...(mark === undefined ? {} : { mark }), ...(because === undefined ? {} : { because }) };
}

/** Where a text says something: the start of the shortest end that does. */
function startOf(text: string, says: (text: string) => boolean) {
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (says(text.slice(middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** What brings something back; `isFound`: the session was found by its messages, so it takes no pins. */
function backFor(
  gone: WhyGone,
  { role, kind }: Part,
  message: number,
  tool: string | undefined,
  limit: number | undefined,
  isFound: boolean,
): WhyBack[] {
  if (gone.how === 'shortened') return [{ by: 'shorten', text: 'the option shorten: false, though nothing is lost' }];
  if (gone.how === 'thinking') return [{ by: 'thinking', text: "the option thinking: 'leave'" }];
  const keep =
    kind === 'call' && gone.how === 'cut'
      ? 'keep: { arguments: true }'
      : tool !== undefined
        ? `keep: { tools: [${JSON.stringify(tool)}] }`
        : role === 'user'
          ? 'keep: { user: true }'
          : 'keep: { patterns: […] }';
  const most = limit === undefined ? '' : ` than ${grouped(Math.round(limit))} tokens`;
  return [
    {
      by: 'pin',
      text: `session.pin({ message: ${message} })${isFound ? ', once options.session of the integration names the session' : ''}`,
    },
    { by: 'keep', text: `the option ${keep}` },
    ...(gone.because === undefined ? [] : [{ by: 'prune' as const, text: 'the option prune: false' }]),
    { by: 'limit', text: `a larger limit${most}` },
    { by: 'recall', text: `session.recall('…', { from: ${message} }), or the recall tool` },
  ];
}

/** Ranges of known requests of which something is true. */
function rangesOf(known: readonly number[], is: (index: number) => boolean) {
  const ranges: [number, number][] = [];
  known.forEach((index, at) => {
    if (!is(index)) return;
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === known[at - 1] && last[1] === index - 1) last[1] = index;
    else ranges.push([index, index]);
  });
  return ranges;
}

const shownRanges = (ranges: readonly [number, number][]) =>
  ranges.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ');

/** The beginning of a mark, which may quote what it stands for. */
const brief = (mark: string) => {
  const line = mark.split('\n', 1)[0].slice(0, 100);
  return line.length < mark.length ? `${line}…]` : mark;
};

const HOWS: Record<WhyGone['how'], string> = {
  removed: 'the message went',
  cut: 'it was cut from the message',
  thinking: 'signed thinking went',
  shortened: 'the result was written in fewer tokens',
};

/** @param asked the request that was asked for, by its number and in words */
function summaryOf({ said, requests, known }: Omit<Why, 'summary'>, asked: { number: number; subject: string }) {
  if (said.length === 0)
    return requests.length === 0 ? 'Nothing in this history says it.' : `No message says it; requests ${shownRanges(requests)} had it.`;
  const lines = said.map(({ message, role, tool, requests: own, gone, back = [] }) => {
    const where = `message ${message} (${tool === undefined ? role : `${role}, ${tool}`})`;
    const had = own.length === 0 ? 'no known request had it' : `requests ${shownRanges(own)} had it`;
    if (gone === undefined) return `${where}: ${had}`;
    const { request, epoch, how, mark, because } = gone;
    const when =
      request === undefined
        ? 'before the first request that is known'
        : `in request ${request}${epoch === undefined ? '' : ` (epoch: ${epoch})`}`;
    const place = mark === undefined ? '' : `; in its place: ${brief(mark)}`;
    const reason = because === undefined ? '' : `; because: ${because}`;
    return `${where}: ${had}; ${when} ${HOWS[how]}${reason}${place}; back by: ${back.map(({ text }) => text).join('; ')}`;
  });
  const last = known.at(-1)?.[1];
  const isThere = last !== undefined && requests.at(-1)?.[1] === last;
  const verdict =
    last === undefined
      ? 'No request with this history is known'
      : last === asked.number
        ? `${asked.subject} ${isThere ? 'has' : 'lacks'} it`
        : `Request ${last} ${isThere ? 'has' : 'lacks'} it; later ones, up to ${asked.number}, are not known for this history`;
  const head = `Said in ${counted(said.length, 'place')}. ${verdict}.`;
  return [head, ...lines].join('\n');
}
