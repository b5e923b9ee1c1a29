import { isSame } from '../equality/fingerprint.js';
import { counted, grouped } from '../agent/wording.js';
import { warnOnce } from '../options/warnings.js';
import type { History } from './history.js';
import type { State } from './state.js';
import type { SessionMistake } from '../../index.js';

/** Tokens for what can be cut with which a session works: with fewer, more than one request in ten begins an epoch, and results are cut on arrival. */
const NEEDED = 16_000;
/** A recommended limit is a multiple of it. */
const STEP = 1000;
/** Number of messages at the beginning, besides the instructions, by which a conversation is known. */
const OPENING = 2;
/** Number of sessions that have to begin in the middle of one conversation, one after another. */
const TOO_MANY = 2;
/** Compaction takes out so many messages at least, puts at most half as many in their place, and leaves so many of the newest. */
const COMPACTED = { gone: 4, left: 2 };
/** Number of messages behind the instructions that it may leave before what it puts there. */
const LEFT = 4;
/** Maximum number of conversations that are remembered, in a session and in the process. */
const REMEMBERED = { replaced: 16, begun: 1000 };

/** The first request of a session, of those that began with the same messages. */
interface Begun {
  length: number;
  /** requests of that session */
  requests: number;
  /** how many sessions before it had one request each, and came to less of the conversation */
  before: number;
}

/** What the process knows of conversations with which sessions began, by their opening, from the least to the most recently used. */
const begun = new Map<string, Begun>();

/** Adds to a map that forgets the oldest. */
function remember<T>(map: Map<string, T>, key: string, value: T, most: number) {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value as string);
}

/** Finds mistakes in how a session is used. Each is said once. */
export class Mistakes {
  #found: Map<SessionMistake['kind'], SessionMistake> = new Map();
  /** How much of a conversation there was when another took its place, by its opening. */
  #replaced: Map<string, number> = new Map();
  #begun: Begun | undefined;
  #isWarning;

  /** @param isWarning whether each is a warning of the process, too */
  constructor(isWarning: boolean) {
    this.#isWarning = isWarning;
  }

  get list(): SessionMistake[] {
    return Array.from(this.#found.values(), (mistake) => ({ ...mistake }));
  }

  #say(kind: SessionMistake['kind'], request: number, text: string) {
    if (this.#found.has(kind)) return;
    this.#found.set(kind, { kind, request, text });
    // Other sessions of a process differ in their numbers.
    if (this.#isWarning) warnOnce(`createSession(): ${text}`, 'PALIMPSEST_SESSION', kind);
  }

  /**
   * Looks for mistakes in a history.
   *
   * @param before the state of the last request
   * @param start how many messages it has in common with the last one
   * @param isFirst it is the first one of a session that goes on with no other's state
   */
  read(before: State, history: History, { start, request, isFirst }: { start: number; request: number; isFirst: boolean }) {
    if (isFirst) this.#beginning(history, request);
    else if (this.#begun) this.#begun.requests++;
    if (start === before.history.length) return;
    const copy = before.sent.items.findIndex(({ message }) => message !== undefined);
    const at = copy < 0 ? undefined : before.sent.items[copy].message;
    const given = history.entries[copy]?.given;
    const isCopy = given !== undefined && start <= copy && (given === at || isSame(given, at));
    // Results in fewer tokens are none of the history's either.
    const { shorten, message } = before.history.entries[start];
    if (isCopy || (shorten !== undefined && start < history.length && isSame(history.entries[start].given, message)))
      this.#say(
        'history-is-request',
        request,
        'the history is what next() returned before. Keep the complete history, and pass that: what is cut can only come back from there',
      );
    else this.#compacted(before.history, history, start, request);
    if (start <= before.history.lead) this.#alternating(before.history, history, request);
  }

  /** Something else has made the history smaller: the newest messages are those that the session knew, and before them some are gone. */
  #compacted(before: History, history: History, start: number, request: number) {
    if (this.#found.has('compacted') || start > before.lead + LEFT) return;
    let old = before.length - 1;
    let now = history.lastIndexOf(before.entries[old], start);
    if (now < start) return;
    for (; old >= start && now >= start && before.print(old) === history.print(now); old--) now--;
    const [gone, put] = [old - start + 1, now - start + 1];
    if (gone < COMPACTED.gone || put > gone / 2 || before.length - 1 - old < COMPACTED.left) return;
    this.#say(
      'compacted',
      request,
      `the history lacks ${counted(gone, 'message')} that the session knew, and has ${put} in their place: it was compacted before the session got it. Pass all of it: what is gone can't come back, and each time the cached prefix breaks`,
    );
  }

  /** Sessions that come to a conversation in the middle, and are left after one request. */
  #beginning(history: History, request: number) {
    const opening = history.opening(OPENING);
    if (opening === undefined) return;
    const other = begun.get(opening);
    const isNext = other !== undefined && other.requests === 1 && other.length < history.length;
    this.#begun = { length: history.length, requests: 1, before: isNext ? other.before + 1 : 0 };
    remember(begun, opening, this.#begun, REMEMBERED.begun);
    if (this.#begun.before < TOO_MANY) return;
    this.#say(
      'new-session',
      request,
      'each request of a conversation has a new session, which cuts anew and breaks the cached prefix. Keep one session for each conversation, or save and resume it',
    );
  }

  #alternating(before: History, history: History, request: number) {
    const [old, now] = [before.opening(OPENING), history.opening(OPENING)];
    if (old === undefined || now === undefined || old === now) return;
    const length = this.#replaced.get(now);
    remember(this.#replaced, old, before.length, REMEMBERED.replaced);
    if (length === undefined || length >= history.length) return;
    this.#say(
      'alternating',
      request,
      'one session has the histories of several conversations in turn, and each change breaks the cached prefix. Make a session for each conversation',
    );
  }

  /** Says that pins are not in a request. */
  pins(limit: number, request: number) {
    this.#say(
      'lost-pins',
      request,
      `not all pins are in the request, which has a limit of ${counted(Math.round(limit), 'token')}; report.pins.lost of the step says which. Pin less, or give a larger limit`,
    );
  }

  /**
   * Says what an epoch had to do.
   *
   * @param fixed tokens of the request that can't be cut
   */
  epoch({
    cutsLastWords,
    losesRules,
    fixed,
    limit,
    request,
  }: {
    cutsLastWords: boolean;
    losesRules: boolean;
    fixed: number;
    limit: number;
    request: number;
  }) {
    if (cutsLastWords)
      this.#say(
        'cut-last-words',
        request,
        `the limit of ${counted(Math.round(limit), 'token')} leaves too little room for what the user said last, and that was cut. Give a larger one`,
      );
    if (losesRules)
      this.#say(
        'lost-rules',
        request,
        `the limit of ${counted(Math.round(limit), 'token')} leaves too little room for all rules of the conversation; report.lost of the step says which are gone. Give a larger one, or shorter rules`,
      );
    if (fixed < limit / 2 || limit - fixed >= NEEDED) return;
    const enough = STEP * Math.ceil((fixed + NEEDED) / STEP);
    this.#say(
      'no-room',
      request,
      `tools and instructions take ${grouped(Math.round(fixed))} of the ${counted(Math.round(limit), 'token')} of the limit, which leaves less than a session needs. Give a limit of ${grouped(enough)}, or send fewer tools`,
    );
  }
}
