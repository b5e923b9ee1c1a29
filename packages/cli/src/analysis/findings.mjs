// @ts-check
// Findings: what costs most in sessions and is of little use.
import { inputTokens } from '../usage.mjs';
import { isExpired } from './caching.mjs';
import { costOfFirst, shareOfEntry, since } from './ledger.mjs';

/** @typedef {import('../types.d.ts').BreakCause} BreakCause */
/** @typedef {import('../types.d.ts').Finding} Finding */
/** @typedef {import('../types.d.ts').Usage} Usage */
/** @typedef {import('./ledger.mjs').Entry} Entry */
/** @typedef {import('./parts.mjs').Part} Part */
/** @typedef {import('./simulate.mjs').Played} Played */

const MAX_FINDINGS = 30;
const MAX_PLACES = 20;
/** Number of findings of results that are kept while sessions are read. */
const MAX_KEPT = 200;
/** Minimum tokens of a result that is worth a finding of its own. */
const MIN_CARRIED = 2_000;
/** Share of what a request has in common with the one before that may be missing in the cache: its end is often not written. */
const TOLERANCE = 0.1;
/** Maximum length of a command that names a finding, in UTF-16 code units. */
const MAX_SUBJECT = 120;
/** Arguments of calls that say what a call does. */
const TELLING = ['command', 'cmd', 'script', 'pattern', 'query', 'url', 'prompt', 'code'];

/** Findings of results that a later message made useless. */
const ABOUT = /** @type {const} */ ({ 'stale reads': 'reads', 'repeated commands': 'commands', 'failed commands': 'failures' });

/** The server of a tool of the Model Context Protocol, as agents name them. @param {string | undefined} tool */
export const serverOf = (tool) => /^mcp__(.+?)__/.exec(tool ?? '')?.[1];

/** What a call does, in a line. @param {Part | undefined} call */
function commandOf(call) {
  if (call === undefined) return undefined;
  /** @type {any} */
  let input = call.text;
  try {
    input = JSON.parse(call.text);
  } catch {
    // A call may have a text for its input.
  }
  const told = typeof input === 'string' ? input : TELLING.map((key) => input?.[key]).find((value) => value?.length > 0);
  if (told === undefined) return undefined;
  const line = (Array.isArray(told) ? told.join(' ') : String(told)).trim().split('\n')[0];
  return line.length > MAX_SUBJECT ? `${line.slice(0, MAX_SUBJECT - 1)}…` : line;
}

/** What a result is about. @param {Part} part */
const subjectOf = (part) =>
  part.file === undefined
    ? { subject: commandOf(part.call) ?? part.tool ?? '' }
    : { subject: part.file, isFile: /** @type {const} */ (true) };

/**
 * What a request had to send anew since it was not in the cache.
 *
 * @typedef {object} Break
 * @property {BreakCause} cause
 * @property {number} message the first that it was sent for
 * @property {number} tokens
 * @property {number} cost above a read from the cache
 */

/** Follows what the requests of a session read from the cache. */
class Breaks {
  #cache;
  /** @type {{ from: number, total: number, time?: number, model?: string } | undefined} */
  #before;
  /** Whether anything was read so far. */
  #hasRead = false;
  /** @type {Break[]} */
  list = [];

  /** @param {{ ttl: number, minimum: number }} cache */
  constructor(cache) {
    this.#cache = cache;
  }

  /**
   * @param {Played} played
   * @param {Usage} usage as it was paid
   * @param {import('./prices.mjs').Rates} [rates]
   * @param {boolean} [isMeant] whether the prefix was given up on purpose
   * @returns {BreakCause | undefined} why less was read than the request had in common with the one before
   */
  add({ from, messages, time, model, overhead, isRecorded }, usage, rates, isMeant = false) {
    const before = this.#before;
    const total = inputTokens(usage);
    this.#before = { from, total, ...(time !== undefined && { time }), ...(model !== undefined && { model }) };
    this.#hasRead ||= usage.cacheRead > 0;
    if (before === undefined || !isRecorded || isMeant) return undefined;
    const isSame = before.from === from;
    const shared = Math.min(total, isSame ? before.total : overhead);
    const tokens = shared - usage.cacheRead;
    if (tokens <= TOLERANCE * shared || tokens < this.#cache.minimum) return undefined;
    const cost = rates && costOfFirst(usage, rates);
    const cause = this.#causeOf(before, { from, time, model, overhead }, usage);
    this.list.push({
      cause,
      message: messages,
      tokens,
      cost: cost === undefined || rates === undefined ? 0 : cost(shared) - cost(usage.cacheRead) - tokens * rates.read,
    });
    return cause;
  }

  /**
   * @param {{ from: number, time?: number, model?: string }} before
   * @param {Pick<Played, 'from' | 'time' | 'model' | 'overhead'>} played
   * @param {Usage} usage
   * @returns {BreakCause}
   */
  #causeOf(before, { from, time, model, overhead }, { cacheRead, cacheWrite }) {
    if (!this.#hasRead && cacheWrite === 0) return 'never';
    if (before.model !== model) return 'model';
    if (isExpired(before.time, time, this.#cache.ttl)) return 'pause';
    if (before.from !== from) return 'compaction';
    return cacheRead < (1 - TOLERANCE) * overhead ? 'start' : 'history';
  }
}

/** A part of a message whose tokens and cost count from some request on. @typedef {{ message: number, place: number, before?: Entry }} Watched */

/** Follows what results cost: those that a later message supersedes from then on, others after their first request. */
class Results {
  #ledger;
  /** Those that a later message supersedes, in the order of these. @type {(Watched & { by: number, about: 'reads' | 'commands' | 'failures' })[]} */
  superseded = [];
  /** Others that are large, in their order. @type {Watched[]} */
  others = [];
  #nextSuperseded = 0;
  #nextOther = 0;

  /**
   * @param {import('./ledger.mjs').Ledger} ledger
   * @param {{ parts: Part[] }[]} read
   * @param {number[]} tokens of each message
   * @param {(part: Part) => import('./kinds.mjs').Cut | undefined} cutOf
   */
  constructor(ledger, read, tokens, cutOf) {
    this.#ledger = ledger;
    for (const [message, { parts }] of read.entries()) {
      for (const [place, part] of parts.entries()) {
        if (part.label !== 'result') continue;
        const cut = cutOf(part);
        const about = ABOUT[/** @type {keyof typeof ABOUT} */ (cut?.kind ?? 'stale reads')];
        if (cut?.by !== undefined && cut.by > message && about !== undefined) this.superseded.push({ message, place, by: cut.by, about });
        else if (tokens[message] >= MIN_CARRIED) this.others.push({ message, place });
      }
    }
    this.superseded.sort((a, b) => a.by - b.by);
  }

  /** Before a request that ends with a message. @param {number} end */
  before(end) {
    for (let one = this.superseded[this.#nextSuperseded]; one && one.by < end; one = this.superseded[++this.#nextSuperseded])
      one.before = this.#ledger.of(one.message);
  }

  /** After it. @param {number} end */
  after(end) {
    for (let one = this.others[this.#nextOther]; one && one.message < end; one = this.others[++this.#nextOther])
      one.before = this.#ledger.of(one.message);
  }
}

/** What is looked for in a session while its requests are played. */
export class Watch {
  /**
   * @param {object} session
   * @param {import('./ledger.mjs').Ledger} session.ledger
   * @param {{ parts: Part[] }[]} session.read
   * @param {number[]} session.tokens of each message
   * @param {(part: Part) => import('./kinds.mjs').Cut | undefined} session.cutOf
   * @param {{ ttl: number, minimum: number }} session.cache
   */
  constructor({ ledger, read, tokens, cutOf, cache }) {
    this.ledger = ledger;
    this.results = new Results(ledger, read, tokens, cutOf);
    this.breaks = new Breaks(cache);
  }
}

/** @typedef {Omit<Finding, 'places' | 'sessions' | 'cost'> & { cost: number, isPriced: boolean, sessions: Set<object>, places: { session: object, message: number, cost: number }[] }} Found */

/** Collects the findings of all sessions. */
export class Findings {
  /** @type {Map<string, Found>} */
  #found = new Map();
  /** Results that were carried. @type {Found[]} */
  #carried = [];

  /**
   * @param {Pick<Found, 'kind' | 'subject' | 'isFile' | 'tool' | 'each'>} about
   * @param {{ session: object, message: number, entry: Entry, count: number, isPriced: boolean }} more
   */
  #add({ kind, subject, isFile, tool, each }, { session, message, entry, count, isPriced }) {
    const key = JSON.stringify([kind, subject]);
    let found = this.#found.get(key);
    if (found === undefined) {
      found = {
        kind,
        subject,
        ...(isFile && { isFile }),
        ...(tool && { tool }),
        count: 0,
        tokens: 0,
        cost: 0,
        isPriced: false,
        sessions: new Set(),
        places: [],
      };
      this.#found.set(key, found);
    }
    // The last copy is of use, and has been read, too.
    if ((kind === 'reads' || kind === 'commands') && !found.sessions.has(session)) found.count++;
    found.count += count;
    found.tokens += entry.tokens;
    found.cost += entry.cost;
    found.isPriced ||= isPriced;
    if (each !== undefined) found.each = Math.max(found.each ?? 0, each);
    found.sessions.add(session);
    found.places.push({ session, message, cost: entry.cost || entry.tokens });
    if (found.places.length > 4 * MAX_PLACES) found.places = topPlaces(found.places);
  }

  /**
   * Adds a session whose requests were played.
   *
   * @param {import('../types.d.ts').SessionData} session
   * @param {Watch} watch
   * @param {{ parts: Part[] }[]} read
   * @param {number[][]} shares tokens of the parts of each message
   * @param {number[]} tokens of each message
   */
  add(session, { ledger, results, breaks }, read, shares, tokens) {
    const isPriced = session.cost !== undefined;
    const priced = (/** @type {Entry} */ entry) => (isPriced ? entry : { ...entry, cost: 0 });
    /** @param {Watched} watched */
    const taken = ({ message, place, before }) => {
      if (before === undefined) return undefined;
      const entry = since(ledger.of(message), before);
      const share = tokens[message] === 0 ? 0 : shares[message][place] / tokens[message];
      return priced(shareOfEntry(entry, share));
    };
    for (const watched of results.superseded) {
      const { message, place, about } = watched;
      const part = read[message].parts[place];
      const entry = taken(watched);
      if (entry === undefined) continue;
      const subject = about === 'failures' ? { subject: part.tool ?? '' } : subjectOf(part);
      this.#add({ kind: about, ...subject, ...(part.tool && { tool: part.tool }) }, { session, message, entry, count: 1, isPriced });
    }
    for (const watched of results.others) {
      const { message, place } = watched;
      const part = read[message].parts[place];
      const entry = taken(watched);
      const each = shares[message][place];
      if (entry === undefined || each < MIN_CARRIED || entry.requests === 0) continue;
      const about = { kind: /** @type {const} */ ('carried'), ...subjectOf(part), ...(part.tool && { tool: part.tool }), each };
      const places = [{ session, message, cost: entry.cost }];
      const { tokens: sent, cost, requests } = entry;
      this.#carried.push({ ...about, count: requests, tokens: sent, cost, isPriced, sessions: new Set([session]), places });
    }
    if (this.#carried.length > 4 * MAX_KEPT) this.#carried = this.#carried.sort(byWorth).slice(0, MAX_KEPT);
    for (const { cause, message, tokens: missed, cost } of breaks.list) {
      const entry = priced({ tokens: missed, cost, requests: 1 });
      this.#add({ kind: 'breaks', subject: cause }, { session, message: Math.min(message, tokens.length - 1), entry, count: 1, isPriced });
    }
    const { beside } = ledger;
    if (session.counted !== 'recorded' || beside.requests === 0 || beside.tokens < beside.requests) return;
    const each = Math.round(beside.tokens / beside.requests);
    const entry = priced(beside);
    this.#add({ kind: 'beside', subject: session.agent, each }, { session, message: 0, entry, count: beside.requests, isPriced });
    const found = /** @type {Found} */ (this.#found.get(JSON.stringify(['beside', session.agent])));
    const servers = new Set(found.servers);
    for (const { parts } of read) for (const { tool } of parts) if (serverOf(tool)) servers.add(/** @type {string} */ (serverOf(tool)));
    if (servers.size > 0) found.servers = [...servers].sort();
  }

  /**
   * @param {(session: object) => number | undefined} indexOf index of a session whose messages are in the report
   * @returns {Finding[]}
   */
  list(indexOf) {
    return [...this.#found.values(), ...this.#carried]
      .filter(({ tokens }) => tokens >= 1)
      .sort(byWorth)
      .slice(0, MAX_FINDINGS)
      .map(({ sessions, places, cost, isPriced, tokens, ...found }) => ({
        ...found,
        tokens: Math.round(tokens),
        ...(isPriced && { cost }),
        sessions: sessions.size,
        places: topPlaces(
          places.flatMap(({ session, message, ...more }) => {
            const index = indexOf(session);
            return index === undefined ? [] : [{ session: index, message, ...more }];
          }),
        ).map(({ session, message }) => /** @type {[number, number]} */ ([session, message])),
      }));
  }
}

/** @param {Found} a @param {Found} b */
const byWorth = (a, b) => b.cost - a.cost || b.tokens - a.tokens;

/** @template {{ cost: number }} T @param {T[]} places */
const topPlaces = (places) => [...places].sort((a, b) => b.cost - a.cost).slice(0, MAX_PLACES);
