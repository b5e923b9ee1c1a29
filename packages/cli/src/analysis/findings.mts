// Findings: what costs most in sessions and is of little use.
import { shareOfEntry, since } from './ledger.mjs';
import { Misses } from './misses.mjs';
import type { Finding, SessionData } from '../types.mjs';
import type { Json } from '../transcripts/values.mjs';
import type { Cut } from './kinds.mjs';
import type { Entry, Ledger } from './ledger.mjs';
import type { Part } from './parts.mjs';
import type { Cache } from './caching.mjs';

const MAX_FINDINGS = 30;
const MAX_PLACES = 20;
/** Number of findings of results that are kept while sessions are read. */
const MAX_KEPT = 200;
/** Minimum tokens of a result that is worth a finding of its own. */
const MIN_CARRIED = 2_000;
/** Maximum length of a command that names a finding, in UTF-16 code units. */
const MAX_SUBJECT = 120;
/** Arguments of calls that say what a call does. */
const TELLING = ['command', 'cmd', 'script', 'pattern', 'query', 'url', 'prompt', 'code'];

/** Findings of results that a later message made useless. */
const ABOUT = { 'stale reads': 'reads', 'repeated commands': 'commands', 'failed commands': 'failures' } as const;

/** The server of a tool of the Model Context Protocol, as agents name them. */
export const serverOf = (tool: string | undefined) => /^mcp__(.+?)__/.exec(tool ?? '')?.[1];

/** What a call does, in a line. */
function commandOf(call: Part | undefined) {
  if (call === undefined) return undefined;
  let input: Json | string | null = call.text;
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

/** What a result is about. */
const subjectOf = (part: Part) =>
  part.file === undefined ? { subject: commandOf(part.call) ?? part.tool ?? '' } : { subject: part.file, isFile: true as const };

/** A part of a message whose tokens and cost count from some request on. */
type Watched = { message: number; place: number; before?: Entry };

/** Follows what results cost: those that a later message supersedes from then on, others after their first request. */
class Results {
  #ledger;
  /** Those that a later message supersedes, in the order of these. */
  superseded: (Watched & { by: number; about: 'reads' | 'commands' | 'failures' })[] = [];
  /** Others that are large, in their order. */
  others: Watched[] = [];
  #nextSuperseded = 0;
  #nextOther = 0;

  /** @param tokens of each message */
  constructor(ledger: Ledger, read: { parts: Part[] }[], tokens: number[], cutOf: (part: Part) => Cut | undefined) {
    this.#ledger = ledger;
    for (const [message, { parts }] of read.entries()) {
      for (const [place, part] of parts.entries()) {
        if (part.label !== 'result') continue;
        const cut = cutOf(part);
        const about = ABOUT[(cut?.kind ?? 'stale reads') as keyof typeof ABOUT];
        if (cut?.by !== undefined && cut.by > message && about !== undefined) this.superseded.push({ message, place, by: cut.by, about });
        else if (tokens[message] >= MIN_CARRIED) this.others.push({ message, place });
      }
    }
    this.superseded.sort((a, b) => a.by - b.by);
  }

  /** Before a request that ends with a message. */
  before(end: number) {
    for (let one = this.superseded[this.#nextSuperseded]; one && one.by < end; one = this.superseded[++this.#nextSuperseded])
      one.before = this.#ledger.of(one.message);
  }

  /** After it. */
  after(end: number) {
    for (let one = this.others[this.#nextOther]; one && one.message < end; one = this.others[++this.#nextOther])
      one.before = this.#ledger.of(one.message);
  }
}

/** What is looked for in a session while its requests are played. */
export class Watch {
  ledger;
  results;
  misses;

  constructor({
    ledger,
    read,
    tokens,
    cutOf,
    cache,
  }: {
    ledger: Ledger;
    read: { parts: Part[] }[];
    /** of each message */
    tokens: number[];
    cutOf: (part: Part) => Cut | undefined;
    cache: Cache;
  }) {
    this.ledger = ledger;
    this.results = new Results(ledger, read, tokens, cutOf);
    this.misses = new Misses(cache);
  }
}

type Found = Omit<Finding, 'places' | 'sessions' | 'cost'> & {
  cost: number;
  isPriced: boolean;
  sessions: Set<object>;
  places: { session: object; message: number; cost: number }[];
};

/** A finding of one session, as JSON has it. @see Findings.all */
export type FoundIn = Omit<Found, 'sessions' | 'places'> & { places: [message: number, cost: number][] };

/** Collects findings: of a session while it is analysed, or of all that were. */
export class Findings {
  #found: Map<string, Found> = new Map();
  /** Results that were carried. */
  #carried: Found[] = [];

  #add(
    { kind, subject, isFile, tool, each }: Pick<Found, 'kind' | 'subject' | 'isFile' | 'tool' | 'each'>,
    { session, message, entry, count, isPriced }: { session: object; message: number; entry: Entry; count: number; isPriced: boolean },
  ) {
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
   * @param shares tokens of the parts of each message
   * @param tokens of each message
   */
  add(session: SessionData, { ledger, results, misses }: Watch, read: { parts: Part[] }[], shares: number[][], tokens: number[]) {
    const isPriced = session.cost !== undefined;
    const priced = (entry: Entry) => (isPriced ? entry : { ...entry, cost: 0 });
    const taken = ({ message, place, before }: Watched) => {
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
      const about = { kind: 'carried' as const, ...subjectOf(part), ...(part.tool && { tool: part.tool }), each };
      const places = [{ session, message, cost: entry.cost }];
      const { tokens: sent, cost, requests } = entry;
      this.#carried.push({ ...about, count: requests, tokens: sent, cost, isPriced, sessions: new Set([session]), places });
    }
    if (this.#carried.length > 4 * MAX_KEPT) this.#carried = this.#carried.sort(byWorth).slice(0, MAX_KEPT);
    for (const { cause, message, tokens: missed, cost = 0 } of misses.list) {
      const entry = priced({ tokens: missed, cost, requests: 1 });
      this.#add({ kind: 'breaks', subject: cause }, { session, message: Math.min(message, tokens.length - 1), entry, count: 1, isPriced });
    }
    const { beside } = ledger;
    if (session.counted !== 'recorded' || beside.requests === 0 || beside.tokens < beside.requests) return;
    const each = Math.round(beside.tokens / beside.requests);
    const entry = priced(beside);
    this.#add({ kind: 'beside', subject: session.agent, each }, { session, message: 0, entry, count: beside.requests, isPriced });
    const found = this.#found.get(JSON.stringify(['beside', session.agent])) as Found;
    const servers = new Set(found.servers);
    for (const { parts } of read) for (const { tool } of parts) if (serverOf(tool)) servers.add(serverOf(tool) as string);
    if (servers.size > 0) found.servers = [...servers].sort();
  }

  /** Those of the only session that was added, as far as a report can show them. */
  all(): FoundIn[] {
    const carried = this.#carried.sort(byWorth).slice(0, MAX_FINDINGS);
    return [...this.#found.values(), ...carried].map(({ sessions: _, places, ...found }) => ({
      ...found,
      places: topPlaces(places).map(({ message, cost }) => [message, cost]),
    }));
  }

  /** Adds the findings of a session. */
  addAll(session: object, all: FoundIn[]) {
    for (const { places: own, ...one } of all) {
      const places = own.map(([message, cost]) => ({ session, message, cost }));
      const key = JSON.stringify([one.kind, one.subject]);
      const found = one.kind === 'carried' ? undefined : this.#found.get(key);
      if (found === undefined) {
        const first = { ...one, sessions: new Set([session]), places };
        if (one.kind === 'carried') this.#carried.push(first);
        else this.#found.set(key, first);
        continue;
      }
      found.count += one.count;
      found.tokens += one.tokens;
      found.cost += one.cost;
      found.isPriced ||= one.isPriced;
      if (one.each !== undefined) found.each = Math.max(found.each ?? 0, one.each);
      if (one.servers) found.servers = [...new Set([...(found.servers ?? []), ...one.servers])].sort();
      found.sessions.add(session);
      found.places.push(...places);
      if (found.places.length > 4 * MAX_PLACES) found.places = topPlaces(found.places);
    }
    if (this.#carried.length > 4 * MAX_KEPT) this.#carried = this.#carried.sort(byWorth).slice(0, MAX_KEPT);
  }

  /** @param indexOf index of a session whose messages are in the report */
  list(indexOf: (session: object) => number | undefined): Finding[] {
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
        ).map(({ session, message }) => [session, message] as [number, number]),
      }));
  }
}

const byWorth = (a: Found, b: Found) => b.cost - a.cost || b.tokens - a.tokens;

const topPlaces = <T extends { cost: number }>(places: T[]) => [...places].sort((a, b) => b.cost - a.cost).slice(0, MAX_PLACES);
