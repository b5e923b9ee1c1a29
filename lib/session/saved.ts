import { apart, fingerprintsOf, joined, messagePrints, PRINT, printAt } from '../equality/fingerprint.js';
import { isCount, isObject, shown } from '../checks.js';
import { snapshotOf } from '../equality/snapshot.js';
import { areTags, tagsOf } from '../options/tags.js';
import { getIn, setIn } from '../providers/shared/copy.js';
import { savedSpent, spentIn } from './cost.js';
import { entryOf } from './counter.js';
import { areMarks, editsIn, editsOf, marksIn, numbersOf } from './edits.js';
import { History, shortened } from './history.js';
import { Ledger } from './ledger.js';
import { inOrders, ordersOf } from './orders.js';
import { RequestLog } from './log.js';
import { pack, unpack } from './packed.js';
import { arePins, savedPins } from './pins.js';
import { Sent } from './sent.js';
import { savedTags } from './state.js';
import { Summaries } from './summaries.js';
import { areUnits, savedUnits } from './units.js';
import type { Format, Part, Provider, Role } from '../types.js';
import type { Mark, Marks, Piece } from './edits.js';
import type { Entry } from './history.js';
import type { KeptEdit, Recalled } from './sent.js';
import type { Ready, Request, State } from './state.js';
import { pace } from '../steps.js';
import type { Steps } from '../steps.js';
import type { Costs } from './cost.js';
import type { Counter, Shorter } from './counter.js';

/** What a session has beside its state. */
interface Beside {
  summaries: Summaries | undefined;
  costs: Costs | undefined;
  redact: (text: string) => string;
}

/** What {@link writeSaved} wrote. */
type Json = ReturnType<typeof writeSaved>;
/** What {@link readSaved} returned. */
export type Saved = ReturnType<typeof readSaved>;

const VERSION = 1;
const ROLES: Role[] = ['system', 'user', 'assistant', 'tool'];
/** Tokens of the messages that share a fingerprint: with one for each, they would be a large part of a history of small messages. */
const GROUP_TOKENS = 500;
/** Tokens added for each message, so that groups of empty messages end too. */
const MESSAGE_TOKENS = 8;
/** The last messages have a fingerprint each: what is undone or edited is mostly among them. */
const ALONE = 16;
/** Maximum size of the saved token counts, as a share of the history, at four UTF-16 code units a token. */
const COUNTS_SHARE = 0.02;
/** Maximum size of the saved orders of members, as a share of the history. */
const ORDERS_SHARE = 0.01;
/** Maximum size of the saved summaries, as a share of the history. */
const SUMMARIES_SHARE = 0.01;

/** Writes a session as plain JSON, without any text of its history but what is pinned. */
export function writeSaved(
  {
    format,
    isFormatShown,
    history,
    sent,
    last,
    seen,
    kinds,
    carried,
    floor,
    isLossy,
    units: counting,
    ledger,
    log,
    limit,
    pins,
    tags,
    spent,
  }: State,
  { summaries, redact, costs }: Beside,
) {
  const { entries } = history;
  const { orders, ...cuts } = savedEdits(sent, history, format);
  const groups = groupsOf(entries);
  const units = 4 * history.tokens();
  const counts = entries.map(({ tokens, role, isSigned }) => 8 * tokens + 2 * ROLES.indexOf(role) + (isSigned ? 1 : 0));
  // A caller's counter may give fractions.
  const packed = counts.every(isSafe) ? pack(counts) : undefined;
  const shorter = entries.flatMap((entry) => (entry.shorten ? [entry.less] : []));
  const less = shorter.every(isSafe) ? pack(shorter) : '';
  return {
    version: VERSION,
    ...(format === undefined ? {} : { format: format.name, isFormatShown }),
    groups: pack(groups),
    prints: groupPrints(history.prints(), groups).join(''),
    ...(packed !== undefined && packed.length <= COUNTS_SHARE * units ? { counts: packed } : {}),
    ...(entries.some(({ isGuessed }) => isGuessed) ? { guessed: pack(rangesOf(entries, ({ isGuessed }) => isGuessed)) } : {}),
    stale: pack(rangesOf(entries, ({ isStale }) => isStale)),
    whole: pack(rangesOf(entries, ({ isWhole }) => isWhole)),
    ...(less !== '' && less.length <= COUNTS_SHARE * units ? { less } : {}),
    ...(seen.keys().length === 0 ? {} : { seen: joined(seen.keys()) }),
    ...(kinds.size === 0 ? {} : { kinds: joined([...kinds]) }),
    covered: sent.covered,
    ...(sent.epoch === sent.items.length ? {} : { epoch: sent.epoch }),
    ...cuts,
    ...(orders !== '' && orders.length <= ORDERS_SHARE * units ? { orders } : {}),
    marks: cuts.marks.map((mark) => (typeof mark === 'string' ? redact(mark) : mark)),
    last: savedLast(last),
    ...(limit === undefined ? {} : { limit }),
    carried,
    floor,
    ...(isLossy && { isLossy }),
    ...savedUnits(counting),
    ledger: ledger.toJSON(),
    ...(log.length === 0 ? {} : { log: log.toJSON(history, redact) }),
    ...savedPins(pins, redact),
    ...savedTags(tags),
    ...savedSpent(spent, costs?.told),
    ...(summaries === undefined ? {} : { summaries: summaries.toJSON(SUMMARIES_SHARE * units) }),
  };
}

/** What is saved of the last request: what is forecast of it is known once it was answered. */
const savedLast = ({ forecast: _forecast, messages, ...last }: Request) => ({ ...last, messages: messages.length });

const isSafe = (number: number) => Number.isSafeInteger(number) && number >= 0;

/** Returns the number of messages in each group. */
function groupsOf(entries: readonly Entry[]) {
  const groups: number[] = [];
  let [count, sum] = [0, 0];
  for (const [index, { tokens }] of entries.entries()) {
    count++;
    sum += tokens + MESSAGE_TOKENS;
    if (sum < GROUP_TOKENS && index + 1 < entries.length - ALONE) continue;
    groups.push(count);
    [count, sum] = [0, 0];
  }
  return groups;
}

function groupPrints(prints: readonly string[], groups: readonly number[]) {
  let start = 0;
  const texts = groups.map((count) => {
    const end = start + count;
    const text = prints.slice(start, end).join('');
    start = end;
    return text;
  });
  return fingerprintsOf(texts);
}

/** The ranges of messages of one kind: the start of each, and its length. */
function rangesOf(entries: readonly Entry[], isOne: (entry: Entry) => boolean) {
  const ranges: number[] = [];
  entries.forEach((entry, index) => {
    if (!isOne(entry)) return;
    if (index > 0 && isOne(entries[index - 1])) ranges[ranges.length - 1]++;
    else ranges.push(index, 1);
  });
  return ranges;
}

/** The entries in ranges. */
const inRanges = <T>(entries: readonly T[], ranges: readonly number[]) =>
  ranges.flatMap((start, at) => (at % 2 === 0 ? entries.slice(start, start + ranges[at + 1]) : []));

/** Edits as one text, with the marks that it names. */
function packedEdits(edits: readonly KeptEdit[]): { edits: string; marks: Mark[] } {
  const marks: Marks = new Map();
  return { edits: pack(numbersOf(edits, marks)), marks: marksIn(marks) };
}

const known = new WeakMap<Sent, ReturnType<typeof packedEdits> & ReturnType<typeof savedValues>>();

/** Packs the edits in the requests, which stay the same from one epoch to the next. */
function savedEdits(sent: Sent, history: History, format: Format | undefined) {
  const saved = known.get(sent) ?? { ...packedEdits(sent.edits), ...savedValues(sent, history, format) };
  known.set(sent, saved);
  return saved;
}

/** The texts that are cut or recalled and may be the JSON of values: their fingerprints, and the orders of their members. */
function savedValues({ covered, edits }: Sent, history: History, format: Format | undefined) {
  if (edits.length === 0 || format === undefined) return { values: '', orders: '' };
  const messages = history.messages(covered);
  const parts = format.read(messages);
  const used = valuesIn(edits, parts, history).map(({ part }) => parts[part]);
  const orders = used.map(({ message, path }) => ordersOf(getIn(messages[message], path)));
  return {
    values: fingerprintsOf(used.map(({ text }) => text)).join(''),
    orders: orders.every((numbers) => numbers.every((number) => number === 0))
      ? ''
      : pack(orders.flatMap((numbers) => [numbers.length, ...numbers])),
  };
}

/** Returns whether no range begins before the end of the one before it. */
function areAscending(ranges: readonly number[]) {
  for (let at = 2; at < ranges.length; at += 2) if (ranges[at] < ranges[at - 2] + ranges[at - 1]) return false;
  return true;
}

const isTime = (value: unknown) => value === undefined || (typeof value === 'number' && Number.isFinite(value));

/**
 * Checks and reads what `toJSON` wrote.
 *
 * @throws {TypeError} it is nothing that `toJSON` wrote, or another version's
 */
export function readSaved(given: unknown) {
  const at = 'createSession(): saved';
  const refuse = (name: string) => new TypeError(`${at}${name} is not what JSON.stringify(session) wrote`);
  if (typeof given === 'string') throw new TypeError(`${at} must be an object, got string: parse it with JSON.parse`);
  if (!isObject(given)) throw refuse('');
  // A session itself is accepted too.
  const it: unknown = typeof given.toJSON === 'function' ? given.toJSON() : given;
  if (!isObject(it)) throw refuse('');
  const json = it as Json & Record<string, unknown>;
  if (json.version !== VERSION) throw new TypeError(`${at}.version must be ${VERSION}, got ${shown(json.version)}`);
  const listOf = (name: string) => {
    const text = json[name];
    const numbers = typeof text === 'string' ? unpack(text) : undefined;
    if (numbers === undefined) throw refuse(`.${name}`);
    return numbers;
  };
  const check = (isRight: boolean, name: string) => {
    if (!isRight) throw refuse(`.${name}`);
  };
  const groups = listOf('groups');
  const length = groups.reduce((sum, count) => sum + count, 0);
  check(groups.every((count) => count > 0) && length < 2 ** 32, 'groups');
  check(typeof json.prints === 'string' && json.prints.length === PRINT * groups.length, 'prints');
  const counts = json.counts === undefined ? undefined : listOf('counts');
  check(counts === undefined || counts.length === length, 'counts');
  check(Number.isInteger(json.covered) && json.covered >= 0 && json.covered <= length, 'covered');
  check(areMarks(json.marks), 'marks');
  check(json.epoch === undefined || (Number.isInteger(json.epoch) && json.epoch >= 0), 'epoch');
  const edits = editsIn(listOf('edits'), json.marks);
  if (edits === undefined) throw refuse('.edits');
  check(typeof json.values === 'string', 'values');
  const ranges = (name: string) => {
    const numbers = listOf(name);
    check(numbers.length % 2 === 0 && areAscending(numbers), name);
    return numbers;
  };
  const stale = ranges('stale');
  const guessed = json.guessed === undefined ? [] : ranges('guessed');
  const whole = ranges('whole');
  const less = json.less === undefined ? [] : listOf('less');
  for (const name of ['seen', 'kinds'] as const)
    check(json[name] === undefined || (typeof json[name] === 'string' && json[name].length % PRINT === 0), name);
  const [seen, kinds] = [apart(json.seen), apart(json.kinds)];
  const orders = json.orders === undefined ? [] : listOf('orders');
  for (const name of ['carried', 'floor']) check(isCount(json[name]), name);
  check(json.isLossy === undefined || json.isLossy === true, 'isLossy');
  check(areUnits(json), 'factor');
  check(
    isObject(json.last) &&
      (['tokens', 'reused', 'surplus'] as const).every((name) => isCount(json.last[name])) &&
      Number.isInteger(json.last.messages) &&
      json.last.messages >= 0 &&
      // States of earlier versions don't have it.
      (json.last.cached === undefined || isCount(json.last.cached)) &&
      isTime(json.last.time) &&
      (json.last.front === undefined ||
        (Array.isArray(json.last.front) && json.last.front.every((print: unknown) => typeof print === 'string'))),
    'last',
  );
  check(json.limit === undefined || (isObject(json.limit) && isCount(json.limit.tokens)), 'limit');
  check(json.format === undefined || typeof json.format === 'string', 'format');
  check(json.pins === undefined || arePins(json.pins), 'pins');
  check(json.tags === undefined || areTags(json.tags), 'tags');
  check(json.summaries === undefined || Summaries.isSaved(json.summaries), 'summaries');
  const spending = spentIn(json.spent);
  if (spending === undefined) throw refuse('.spent');
  const ledger = Ledger.from(json.ledger);
  if (ledger === undefined) throw refuse('.ledger');
  const { format = '', covered, epoch } = json;
  const log = RequestLog.from(json.log, { format, covered, epoch, edits, saved: { length, whole } });
  if (log === undefined) throw refuse('.log');
  return {
    json,
    log,
    groups,
    length,
    counts,
    edits,
    orders,
    stale,
    guessed,
    whole,
    less,
    seen,
    kinds,
    ledger,
    tags: tagsOf(json.tags),
    ...spending,
  };
}

/**
 * Restores a session's state for a history that begins with the same messages, in steps. If the history continued differently, it
 * is the state up to there.
 *
 * @param given the history
 * @param state an empty one, of the format in which it was saved, with what both have seen
 * @returns undefined where it is the state of another history
 */
export function* takeUp(saved: Saved, given: readonly object[], state: Ready): Steps<Ready | undefined> {
  const { json, length } = saved;
  const count = yield* commonWith(saved, given);
  if (count === 0 && length > 0) return undefined;
  const messages = given.slice(0, count);
  const entries = yield* savedEntries(saved, messages, state.counter);
  for (const entry of inRanges(entries, saved.stale)) entry.isStale = true;
  for (const entry of inRanges(entries, saved.guessed)) entry.isGuessed = true;
  const history = new History().with([], 0, entries, state.format.name);
  const sent = yield* sentAgain(saved, history, state.counter);
  if (sent === undefined) return undefined;
  const list = sent.messages(history);
  return {
    ...state,
    isFormatShown: state.isFormatShown || json.isFormatShown === true,
    history,
    sent,
    cutOff: count < length || sent.covered < json.covered ? sent.certain : undefined,
    last: {
      ...json.last,
      cached: json.last.cached ?? 0,
      messages: list.length > json.last.messages ? list.slice(0, json.last.messages) : list,
    },
    limit: json.limit,
    kinds: new Set([...state.kinds, ...saved.kinds]),
    carried: json.carried,
    floor: json.floor,
    isLossy: json.isLossy === true,
  };
}

/** Counts the messages of a history that equal the saved ones, in whole groups. */
function* commonWith({ json, groups }: Saved, given: readonly object[]): Steps<number> {
  const texts: string[] = [];
  let end = 0;
  let whole = 0;
  while (whole < groups.length && end + groups[whole] <= given.length) end += groups[whole++];
  for (let start = 0; start < end; start += 64) {
    yield;
    texts.push(...messagePrints(given.slice(start, Math.min(end, start + 64))));
  }
  const prints = groupPrints(texts, groups.slice(0, whole));
  let count = 0;
  for (let index = 0; index < whole && prints[index] === printAt(json.prints, index); index++) count += groups[index];
  return count;
}

/** The entries of saved messages, shorter where they were sent so. */
function* savedEntries({ counts, whole, less, length }: Saved, messages: readonly object[], counter: Counter): Steps<Entry[]> {
  const wholes = new Set(inRanges(Array.from(messages.keys()), whole));
  if (counts === undefined) return yield* counter.reading(messages, [], (index) => wholes.has(index));
  const entries: Entry[] = [];
  for (let index = 0; index < messages.length; index++) {
    if (pace.isDue) yield;
    entries.push({ ...savedEntry(messages[index], counts[index], counter.format.to), isWhole: wholes.has(index) });
  }
  if (wholes.size === entries.length) return entries;
  const shorter = yield* shorterAgain(entries, messages, counter);
  if (less.length === shorter.size && messages.length === length)
    [...shorter.keys()].forEach((index, place) => (entries[index].less = less[place]));
  else yield* counter.countingWhole(entries, shorter);
  return entries;
}

/** Writes results shorter again that were sent so, in steps; returns what makes each message shorter. */
export function* shorterAgain(
  entries: readonly Entry[],
  messages: readonly object[],
  counter: Counter,
): Steps<ReadonlyMap<number, Shorter>> {
  const parts = yield* counter.format.reading(messages);
  const { shorter } = yield* counter.shortening(messages, parts, [], (index) => entries[index].isWhole, true);
  for (const [index, { shorten }] of shorter) shortened(entries[index], shorten);
  return shorter;
}

function savedEntry(message: object, count: number, to: Provider | undefined) {
  const entry = entryOf(message, Math.floor(count / 8), false, to);
  entry.role = ROLES[(count >> 1) % 4];
  entry.isSigned = count % 2 === 1;
  return entry;
}

/** Returns what was sent for the messages that are still there; undefined if the edits do not belong to them. */
function* sentAgain({ json, edits, orders }: Saved, history: History, counter: Counter): Steps<Sent | undefined> {
  const covered = Math.min(json.covered, history.length);
  let parts = yield* counter.format.reading(history.messages(covered));
  const own = editsOf(parts.length, edits);
  const last = edits.at(-1);
  if (covered === json.covered && last !== undefined && last.part + last.count > parts.length) return undefined;
  for (const { part, pieces } of own) {
    const { text, locked } = parts[part];
    if (locked !== undefined && pieces !== undefined) return undefined;
    const isThere = (piece: Piece) =>
      typeof piece === 'string' || endOf(piece) <= (Array.isArray(piece) ? text : (parts[piece.part]?.text ?? '')).length;
    if (pieces?.some((piece) => !isThere(piece))) return undefined;
  }
  // A value with its members in another order has another text.
  const values = valuesIn(own, parts, history);
  if (putInOrder(history, parts, values, json.values, orders)) parts = yield* counter.format.reading(history.messages(covered));
  const prints = fingerprintsOf(values.map(({ part }) => parts[part].text));
  const other = values.find((_, index) => prints[index] !== printAt(json.values, index));
  const end = other === undefined ? covered : parts[other.edited].message;
  return yield* Sent.writing(
    history,
    end,
    own.filter(({ part }) => parts[part].message < end),
    counter,
    json.epoch,
  );
}

/**
 * Sends values whose members came back in another order as they were sent before, on copies of their messages. Returns whether there are any.
 *
 * @param prints their fingerprints when they were saved
 * @param orders the orders of their members then: how many numbers, and these
 */
function putInOrder({ entries }: History, parts: readonly Part[], values: { part: number }[], prints: string, orders: number[]) {
  const now = fingerprintsOf(values.map(({ part }) => parts[part].text));
  let hasPut = false;
  let at = 0;
  values.forEach(({ part }, index) => {
    const numbers = orders.slice(at + 1, at + 1 + orders[at]);
    at += 1 + orders[at];
    if (now[index] === printAt(prints, index)) return;
    const { message, path } = parts[part];
    const value = inOrders(getIn(entries[message].message, path), numbers);
    if (!isObject(value) || fingerprintsOf([JSON.stringify(value)])[0] !== printAt(prints, index)) return;
    entries[message].message = setIn(entries[message].message, path, value, new Set());
    entries[message].snapshot = snapshotOf(entries[message].message);
    hasPut = true;
  });
  return hasPut;
}

const endOf = (piece: Exclude<Piece, string>) => (Array.isArray(piece) ? piece[1] : piece.end);

/** The texts that edits cut or recall and that may be another one now, each with the edited part: the JSON of values, and shorter results. */
function valuesIn(edits: readonly KeptEdit[], parts: readonly Part[], { entries }: History) {
  const used = edits.flatMap(({ part: edited, pieces }) => {
    const recalled = (pieces ?? []).filter((piece): piece is Recalled => typeof piece !== 'string' && !Array.isArray(piece));
    return [...(pieces === undefined ? [] : [edited]), ...recalled.map(({ part }) => part)].map((part) => ({ edited, part }));
  });
  return used.filter(({ part }) => /^\s*[[{]/.test(parts[part].text) || entries[parts[part].message].shorten !== undefined);
}
