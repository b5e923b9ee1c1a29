// The data of the report: what transcripts contain, what their requests cost, and what a session of the library would have made of them.
import { readingTogether } from 'palimpsest/internal';
import { isShapeError } from '../errors.mjs';
import { KEPT_ENOUGH } from '../report/client/format.mjs';
import { inputTokens } from '../usage.mjs';
import { replyEnd } from '../transcripts/messages.mjs';
import { counted } from '../transcripts/values.mjs';
import { bounded, Shown } from './bounds.mjs';
import { cacheOf } from './caching.mjs';
import { createCounter } from './counting.mjs';
import { judgesOf, MIN_FACTS, Words } from './facts.mjs';
import { fatesOf } from './fates.mjs';
import { Findings, serverOf, Watch } from './findings.mjs';
import { goneIn } from './gone.mjs';
import { classifier } from './kinds.mjs';
import { Ledger, shareOfEntry } from './ledger.mjs';
import { added } from './misses.mjs';
import { packed, packedBits, unpacked, unpackedBits } from './packed.mjs';
import { namesIn, Paid } from './paid.mjs';
import { readMessages, wordsOf } from './parts.mjs';
import { possible } from './possible.mjs';
import { createPrices } from './prices.mjs';
import { replay } from './replay.mjs';
import { simulate } from './simulate.mjs';
import { dayOf, SpendTables } from './spend.mjs';
import { WhereTables } from './where.mjs';
import { Unpriced } from './unpriced.mjs';
import { CommonWords, hashOf, wordsIn } from './words.mjs';
import type {
  CacheData,
  CurvePoint,
  GoneData,
  Kind,
  MessageData,
  MissData,
  PaidAnswer,
  Report,
  RequestData,
  SessionData,
  SkippedFile,
  Spend,
  Transcript,
  Usage,
  WithoutPrice,
} from '../types.mjs';
import type { Showable } from './bounds.mjs';
import type { FoundIn } from './findings.mjs';
import type { PaidOf } from './paid.mjs';
import type { WhereRows } from './where.mjs';
import type { Part } from './parts.mjs';
import type { Played } from './simulate.mjs';

/** About how many requests of a session are searched for what comes next. */
const SAMPLES = 20;
/** Number of messages of a session in which common words are looked for. */
const COMMON_MESSAGES = 500;
/** Limits that are compared, as multiples of the one of the report. */
const MULTIPLES = [0.5, 1, 1.5, 2];

/**
 * Divides the tokens of a message among its parts, in proportion to their own.
 *
 * @returns integers whose sum is `tokens`; of a message without parts none
 */
function divided(tokens: number, parts: Part[], ofText: (text: string) => number): number[] {
  if (parts.length < 2) return parts.map(() => tokens);
  const own = parts.map(({ text, tool }) => ofText(text) + (tool === undefined ? 1 : 4));
  const sum = own.reduce((total, one) => total + one, 0);
  let [before, upTo] = [0, 0];
  return own.map((one) => {
    upTo += one;
    const end = Math.round((tokens * upTo) / sum);
    const share = end - before;
    before = end;
    return share;
  });
}

/** What is read of a message for facts. Its words are looked at once. */
interface Reading {
  get words(): string[];
}

const readingOf = (parts: Part[]): Reading => ({
  get words() {
    return wordsIn(wordsOf(parts));
  },
});

/** The facts of a request, as numbers, and which of them a session's request grounds. */
interface Facts {
  words: Int32Array;
  isGrounded: boolean[];
}

/** As many digits as a page has room for. */
const rounded = (dollars: number) => Number(dollars.toFixed(6));

const rounding = ({ cost, ...miss }: MissData): MissData => ({ ...miss, ...(cost !== undefined && { cost: rounded(cost) }) });

/** What a limit makes of a session. */
interface Outcome {
  tokens: number;
  cost: number;
  facts: Facts[];
  isUncut: boolean;
}

/**
 * What the report needs of a transcript, as JSON has it. Of the contents it holds what the report of the session shows beside its messages, which are
 * in `shown`.
 */
export interface Analysed {
  session: SessionData;
  /** whether a session fitted the requests on their way */
  isFitted: boolean;
  /** number of answers whose usage can't be */
  impossible: number;
  unpriced: WithoutPrice[];
  /** what its requests read of the provider's cache and missed; none where nobody recorded it */
  cache?: CacheData;
  spend: Spend[];
  where: WhereRows;
  findings: FoundIn[];
  /** the distinct words of its messages, as numbers */
  words: string;
  /** the facts of the requests at which it was measured what is kept, as numbers */
  facts: string[];
  /** by limit, the smallest first; `grounded`: which of the facts, or none where there is no session */
  outcomes: { limit: number; tokens: number; cost: number; grounded: string[] }[];
}

/** Messages of a session as JSON, and the bytes that they take in a page. */
export interface ShownMessages {
  bytes: number;
  text: string;
}

const mean = (list: number[]) => list.reduce((total, one) => total + one, 0) / list.length;

/**
 * The share of facts that were still there, over all requests at which it was measured.
 *
 * @param toldOf which of the facts of a request count
 */
function keptOf(facts: Facts[], toldOf: (words: Int32Array) => boolean[]) {
  const shares = [];
  for (const { words, isGrounded } of facts) {
    const told = toldOf(words);
    let [all, grounded] = [0, 0];
    for (let index = 0; index < told.length; index++) {
      if (!told[index]) continue;
      all++;
      if (isGrounded[index]) grounded++;
    }
    if (all >= MIN_FACTS) shares.push(grounded / all);
  }
  return { measured: shares.length, ...(shares.length > 0 && { kept: mean(shares) }) };
}

const BESIDE: Record<PaidAnswer['kind'], string> = {
  branch: 'of branches that were given up',
  compaction: 'for summaries',
  lost: 'of which only the answer is recorded',
  retry: 'that were tried again',
  iteration: 'that answers hold beside their usage',
};

/** What else was paid, in words. */
function besideNote(beside: PaidAnswer[]) {
  const kinds = (Object.keys(BESIDE) as PaidAnswer['kind'][]).flatMap((kind) => {
    const { length } = beside.filter((one) => one.kind === kind);
    return length === 0 ? [] : [`${counted(length, kind === 'iteration' ? 'iteration' : 'request')} ${BESIDE[kind]}`];
  });
  return `${kinds.join(', ')}: counted as ${beside.length === 1 ? 'it was' : 'they were'}, also with a session`;
}

function recommendedOf(curve: CurvePoint[], paid: { tokens: number; cost?: number }) {
  const worth = (one: { tokens: number; cost?: number }) => one.cost ?? one.tokens;
  const good = [...curve.entries()].filter(([, one]) => worth(one) < worth(paid) && (one.kept ?? 1) >= KEPT_ENOUGH);
  good.sort(([, a], [, b]) => worth(a) - worth(b));
  return good[0]?.[0];
}

/** The limits that a report compares, as multiples of its own. */
const limitsOf = (limit: number) => [...new Set(MULTIPLES.map((multiple) => Math.max(1, Math.round(limit * multiple))))];

/** The analysis of a transcript. */
class One {
  #limit;
  #limits;
  #priceOf;
  #where = new WhereTables();
  #spend = new SpendTables();
  #findings = new Findings();

  constructor({ limit, priceOf }: { limit: number; priceOf: ReturnType<typeof createPrices> }) {
    this.#limit = limit;
    this.#limits = limitsOf(limit);
    this.#priceOf = priceOf;
  }

  /** @param paidOf tells which answers were not counted before */
  async analyse(given: Transcript, paidOf: PaidOf): Promise<{ analysed: Analysed; shown: ShownMessages | undefined }> {
    const { transcript, impossible } = possible(given, this.#priceOf);
    const { messages, format } = transcript;
    const read = readMessages(messages, format);
    const counter = createCounter(format, transcript.model);
    const tokens = messages.map(counter.ofMessage);
    const { kindOf, cutOf } = classifier(messages, format, read);
    const readings = read.map(({ parts }) => readingOf(parts));
    const words = new Words(readings);
    const steps = transcript.requests.map((request) => request.messages);
    const judges = judgesOf(words, () => false, SAMPLES, steps);

    const price = this.#priceOf(transcript.model);
    const isFitted = transcript.requests.some(({ fitted }) => fitted !== undefined);
    const requests: RequestData[] = [];
    const paid = await paidOf(namesIn(transcript));
    const isPaid = paid.requests;
    const beside = (transcript.beside ?? []).filter((_, index) => paid.beside[index]);
    const unpriced = new Unpriced();
    const totals = { requests: 0, tokens: 0, cost: 0, priced: 0, epochs: 0, unfit: 0 };
    const spent: { names: Record<Spend['by'], string>; requests: number; tokens: number; read: number; cost?: number }[] = [];
    /** Takes what was paid, and by which price. */
    const spend = (
      { time, model = transcript.model }: { time?: number | undefined; model?: string | undefined },
      usage: Usage,
      requestCount: number,
    ) => {
      const found = this.#priceOf(model, time ?? transcript.started);
      const own = found?.isKnown(usage) ? found : undefined;
      unpriced.add(model, usage, found);
      if (own !== undefined) totals.priced++;
      const day = dayOf(time ?? transcript.started);
      spent.push({
        names: { day, project: transcript.cwd ?? '', model: model ?? '', agent: transcript.agent },
        requests: requestCount,
        tokens: inputTokens(usage),
        read: usage.cacheRead,
        ...(own && { cost: own.costOf(usage) }),
      });
      return own;
    };
    /** What was paid beside the conversation: it would have been with a session, too. */
    const apart = { tokens: 0, cost: 0 };
    for (const answer of beside) {
      const { kind, usage } = answer;
      const count = kind === 'iteration' ? 0 : 1;
      totals.requests += count;
      if (usage === undefined) continue;
      apart.tokens += inputTokens(usage);
      apart.cost += spend(answer, usage, count)?.costOf(usage) ?? 0;
    }
    totals.tokens += apart.tokens;
    totals.cost += apart.cost;
    const known: WeakMap<object, Reading> = new WeakMap(messages.map((message, index) => [message, readings[index]]));
    const readingOfSent = (message: object) => {
      const reading = known.get(message) ?? readingOf(readMessages([message], format)[0].parts);
      known.set(message, reading);
      return reading;
    };
    const play = isFitted ? replay : simulate;
    const together = readingTogether();
    /** The facts of requests, by index. */
    const facts: Map<number, Int32Array> = new Map();
    const playedWith = (limit: number, onPlayed?: (played: Played, index: number) => void): Outcome => {
      const outcome: Outcome = { ...apart, facts: [], isUncut: true };
      let index = 0;
      for (const played of play(transcript, { limit, tokens, counter, price, together })) {
        onPlayed?.(played, index);
        outcome.isUncut &&= !played.isUnlimited && played.usage === played.withSession;
        const request = index++;
        if (!isPaid[request]) continue;
        outcome.tokens += inputTokens(played.withSession);
        outcome.cost += this.#priceOf(played.model ?? transcript.model, played.time ?? transcript.started)?.costOf(played.withSession) ?? 0;
        const judge = played.isUnlimited ? undefined : judges.get(played.messages);
        if (judge?.groundedOf) {
          const isGrounded = played.isUncut ? () => true : judge.groundedOf(played.sent.map(readingOfSent));
          // What the agent's own compaction lost is no loss of the session's.
          const isThere = played.from === 0 ? () => true : judge.groundedOf(readings.slice(played.from, played.messages));
          const old = judge.old.filter(isThere);
          const numbers = facts.get(request) ?? Int32Array.from(old, hashOf);
          facts.set(request, numbers);
          outcome.facts.push({ words: numbers, isGrounded: old.map(isGrounded) });
        }
      }
      return outcome;
    };

    const ledger = new Ledger(tokens);
    const watch = new Watch({ ledger, read, tokens, cutOf, cache: cacheOf(transcript, price) });
    const indexes = new Map(isFitted ? messages.map((message, index) => [message, index]) : []);
    const counts: WeakMap<object, number> = new WeakMap(isFitted ? messages.map((message, index) => [message, tokens[index]]) : []);
    const countOf = (message: object) => {
      const count = counts.get(message) ?? counter.ofMessage(message);
      counts.set(message, count);
      return count;
    };
    let last: Played | undefined;
    /** The number in the report of each of the session's requests that is in it. */
    const numbers: Map<number, number> = new Map();
    /** The requests before which the agent compacted, and the first messages that they have. */
    const compactions: { from: number; request: number }[] = [];
    let [from, end] = [0, 0];
    let isRecorded = transcript.requests.length > 0;
    let overhead: number | undefined;
    const outcome = playedWith(this.#limit, (played, index) => {
      const { usage, withSession } = played;
      // What was paid for.
      const paid = isFitted ? withSession : usage;
      last = played;
      const isCompacted = played.from > from;
      if (isCompacted) compactions.push({ from: played.from, request: requests.length + 1 });
      [from, end] = [played.from, played.messages];
      if (!isPaid[index]) {
        // It was counted where it was met first. The cache goes on from it.
        watch.misses.follow(played, paid);
        return;
      }
      const own = spend(played, paid, 1);
      const rates = own?.ratesOf(paid);
      watch.results.before(played.messages);
      if (isFitted) ledger.addCut({ ...played, usage: paid }, (message) => indexes.get(message), countOf, rates);
      else ledger.add({ ...played, usage: paid }, rates);
      watch.results.after(played.messages);
      if (own !== undefined) ledger.addReply(played.messages, replyEnd(transcript, index), own.answerCostOf(paid));
      const cached = watch.misses.add(played, paid, rates, isFitted);
      totals.requests++;
      totals.cost += own?.costOf(usage) ?? 0;
      totals.tokens += inputTokens(usage);
      if (played.epoch) totals.epochs++;
      if (!played.fits) totals.unfit++;
      isRecorded &&= played.isRecorded;
      requests.push({
        index: requests.length,
        messages: played.messages,
        ...(played.time !== undefined && { time: played.time }),
        tokens: inputTokens(usage),
        read: usage.cacheRead,
        sent: inputTokens(withSession),
        cached: withSession.cacheRead,
        ...(own && { cost: rounded(own.costOf(usage)), costWithSession: rounded(own.costOf(withSession)) }),
        ...(played.epoch && { epoch: played.epoch }),
        ...(isCompacted && { compacted: true as const }),
        ...(cached && { new: cached.new, ...(cached.missed.length > 0 && { missed: cached.missed.map(rounding) }) }),
        ...(played.isRecorded && { usage }),
      });
      numbers.set(played.number, requests.length);
      if (played.isUnlimited) overhead ??= played.overhead;
    });
    const outcomes = isFitted ? new Map() : this.#outcomes(outcome, playedWith);

    const parts = read.slice(0, end).map((one) => one.parts);
    const fates = last === undefined ? [] : fatesOf(messages.slice(0, end), parts, last.sent, format);
    const missing = [...fates.keys()].filter((index) => index >= from && fates[index].fate !== 'kept');
    const why = last?.why(missing.map((index) => index - from));
    const found = why && goneIn(why, from, (one) => numbers.get(one));
    const goneOf = (index: number): GoneData | undefined => {
      const own = found?.gone.get(index);
      if (index >= from) return own?.how === 'whole' && fates[index].fate === 'gone' ? undefined : own;
      const compaction = compactions.find((one) => one.from > index);
      return compaction && { how: 'compacted', had: [], request: compaction.request, back: [] };
    };
    const content = tokens.reduce((total, one) => total + one, 0);
    const notes = [...transcript.notes];
    if (overhead !== undefined)
      notes.push(
        `no request fits the limit: instructions and tools alone take ${overhead.toLocaleString('en')} tokens of the first one; all count as sent unchanged with a session`,
      );
    else if (totals.unfit > 0)
      notes.push(`${totals.unfit} of ${requests.length} requests would be above the limit with a session: what has to stay exceeds it`);
    const copied = isPaid.filter((one) => !one).length;
    if (copied > 0)
      notes.push(`${counted(copied, 'request')} of another session that it goes on from ${copied === 1 ? 'is' : 'are'} counted there`);
    if (beside.length > 0) notes.push(besideNote(beside));
    const isPriced = totals.priced > 0;
    const session: SessionData = {
      id: transcript.id,
      agent: transcript.agent,
      title: transcript.title ?? transcript.id,
      file: transcript.file,
      ...(transcript.cwd !== undefined && { cwd: transcript.cwd }),
      ...(transcript.model !== undefined && { model: transcript.model }),
      ...(transcript.started !== undefined && { started: transcript.started }),
      ...(transcript.ended !== undefined && { ended: transcript.ended }),
      format,
      count: { requests: totals.requests, messages: messages.length, epochs: totals.epochs },
      tokens: totals.tokens,
      sent: outcome.tokens,
      content,
      counted: isRecorded ? 'recorded' : counter.isExact ? 'exact' : 'estimate',
      tokenizer: counter.tokenizer,
      ...(isPriced && { cost: totals.cost, costWithSession: outcome.cost }),
      measured: 0,
      requests,
      ...(transcript.inspected && { context: transcript.inspected.context }),
      ...(found?.known !== undefined && { known: found.known }),
      skipped: transcript.skipped,
      notes,
    };

    for (const { names, ...request } of spent) this.#spend.add(names, request);
    if (apart.tokens > 0) this.#where.addBeside('other answers', isPriced ? apart : { tokens: apart.tokens });
    this.#where.addBeside('instructions and tools', isPriced ? ledger.beside : { tokens: ledger.beside.tokens });
    if (ledger.left.tokens > 0) this.#where.addBeside('marks', isPriced ? ledger.left : { tokens: ledger.left.tokens });
    const allShares = messages.map((_, index) => divided(tokens[index], read[index].parts, counter.ofText));
    this.#findings.add(session, watch, read, allShares, tokens);
    const data = messages.map((_, index) => {
      const { role, parts } = read[index];
      const shares = allShares[index];
      const all = ledger.of(index);
      const gone = goneOf(index);
      const amounts = (share: number) => {
        const { tokens: sentTokens, cost } = shareOfEntry(
          all,
          tokens[index] === 0 ? 1 / Math.max(1, shares.length) : share / tokens[index],
        );
        return { tokens: share, sent: sentTokens, ...(isPriced && { cost }) };
      };
      const kinds = parts.map((part) => kindOf(part, role));
      const entries: { tokens: number; sent: number; cost?: number; kind: Kind; tool?: string; file?: string; server?: string }[] =
        parts.map((part, place) => {
          const server = serverOf(part.tool);
          return {
            ...amounts(shares[place]),
            kind: kinds[place],
            ...(part.tool !== undefined && { tool: part.tool }),
            ...(part.file !== undefined && { file: part.file }),
            ...(server !== undefined && { server }),
          };
        });
      if (entries.length === 0) entries.push({ ...amounts(tokens[index]), kind: kindOf({ label: 'other', text: '', paths: [] }, role) });
      this.#where.add(session, index, entries);
      const largest = entries.reduce((most, one) => (one.tokens > most.tokens ? one : most));
      const tool = largest.tool ?? entries.find((one) => one.tool !== undefined)?.tool;
      const file = largest.file ?? entries.find((one) => one.file !== undefined)?.file;
      return {
        role,
        kind: largest.kind,
        ...(tool !== undefined && { tool }),
        ...(file !== undefined && { file }),
        tokens: tokens[index],
        ...(isPriced && { cost: rounded(all.cost) }),
        parts: parts.map((part, place) => ({
          text: part.text,
          label: part.label,
          kind: kinds[place],
          ...(part.tool !== undefined && { tool: part.tool }),
        })),
        ...(fates[index] ?? { fate: 'kept' }),
        ...(index < from && { compacted: true }),
        ...(gone && { gone }),
      } as MessageData;
    });
    const within = bounded(data);
    return {
      analysed: {
        session,
        isFitted,
        impossible,
        unpriced: unpriced.list(),
        ...(watch.misses.totals && { cache: watch.misses.totals }),
        spend: this.#spend.tables(),
        where: this.#where.all(),
        findings: this.#findings.all(),
        words: packed(Int32Array.from(words.in(0, COMMON_MESSAGES), hashOf)),
        facts: [...facts.values()].map(packed),
        outcomes: [...outcomes.set(this.#limit, outcome)].map(([ofLimit, { tokens: sum, cost, facts: ofRequests }]) => ({
          limit: ofLimit,
          tokens: sum,
          cost,
          grounded: ofRequests.map((one: Facts) => packedBits(one.isGrounded)),
        })),
      },
      shown: within && { bytes: within.bytes, text: JSON.stringify(within.messages) },
    };
  }

  /**
   * What other limits make of a session: all that are above one at which nothing was cut cut nothing.
   *
   * @param outcome of the report's limit
   */
  #outcomes(outcome: Outcome, playedWith: (limit: number) => Outcome) {
    const outcomes: Map<number, Outcome> = new Map();
    let uncut: Outcome | undefined;
    for (const limit of this.#limits) {
      const own = limit === this.#limit ? outcome : (uncut ?? playedWith(limit));
      if (own.isUncut) uncut ??= own;
      outcomes.set(limit, own);
    }
    return outcomes;
  }
}

/** A session in the report. */
interface Added {
  session: SessionData;
  /** By limit, with the facts of requests of which it can be told. */
  outcomes: Map<number, Pick<Outcome, 'tokens' | 'cost' | 'facts'>>;
}

/** The analysis of all transcripts. */
export class Analysis {
  #limit;
  #limits;
  #now;
  #skipped: SkippedFile[];
  #where = new WhereTables();
  #spend = new SpendTables();
  #findings = new Findings();
  #isFitted = false;
  #common: CommonWords<number> = new CommonWords();
  #shown = new Shown();
  #sessions: Added[] = [];
  #unpriced = new Unpriced();
  #impossible = 0;
  #cache: CacheData | undefined;

  constructor({ limit, now, skipped }: { limit: number; now: number; skipped: SkippedFile[] }) {
    this.#limit = limit;
    this.#limits = limitsOf(limit);
    this.#now = now;
    this.#skipped = skipped;
  }

  /** @param shown its messages, with their text or with what will tell it */
  add(
    { session, isFitted, impossible, unpriced, cache, spend, where, findings, words, facts, outcomes }: Analysed,
    shown: Showable | undefined,
  ) {
    this.#isFitted ||= isFitted;
    this.#impossible += impossible;
    this.#unpriced.addAll(unpriced);
    this.#cache = added(this.#cache, cache);
    this.#spend.addAll(spend);
    this.#where.addAll(session, where);
    this.#findings.addAll(session, findings);
    this.#common.add(unpacked(words));
    const ofRequests = facts.map(unpacked);
    const byLimit = outcomes.map(({ limit, grounded, ...sums }) => {
      const own = grounded.map((bits, index) => ({ words: ofRequests[index], isGrounded: unpackedBits(bits, ofRequests[index].length) }));
      return [limit, { ...sums, facts: own }] as const;
    });
    this.#sessions.push({ session, outcomes: new Map(byLimit) });
    if (shown) this.#shown.add(session, shown, session.tokens);
  }

  /** Those whose messages are shown. */
  get shown() {
    return this.#shown.list();
  }

  /** The facts that count, by what holds those of a request: all that are not common. */
  #told() {
    const known: Map<Int32Array, boolean[]> = new Map();
    return (words: Int32Array) => {
      let told = known.get(words);
      if (told === undefined) {
        told = Array.from(words, (word) => !this.#common.has(word));
        known.set(words, told);
      }
      return told;
    };
  }

  #curve(toldOf: (words: Int32Array) => boolean[]): CurvePoint[] {
    return this.#limits.map((limit) => {
      const all = this.#sessions.map(({ session, outcomes }) => ({
        session,
        outcome: outcomes.get(limit) as Pick<Outcome, 'tokens' | 'cost' | 'facts'>,
      }));
      const priced = all.filter(({ session }) => session.cost !== undefined);
      const { kept } = keptOf(
        all.flatMap(({ outcome }) => outcome.facts),
        toldOf,
      );
      return {
        limit,
        tokens: all.reduce((sum, { outcome }) => sum + outcome.tokens, 0),
        ...(priced.length > 0 && { cost: priced.reduce((sum, { outcome }) => sum + outcome.cost, 0) }),
        ...(kept !== undefined && { kept }),
      };
    });
  }

  report(): Report {
    const toldOf = this.#told();
    const factsOf = ({ outcomes }: Added) => outcomes.get(this.#limit)?.facts ?? [];
    for (const added of this.#sessions) Object.assign(added.session, keptOf(factsOf(added), toldOf));
    const kept = keptOf(this.#sessions.flatMap(factsOf), toldOf);
    const all = this.#sessions.map(({ session }) => session).sort((a, b) => b.tokens - a.tokens);
    const sessions = this.#shown.apply(all);
    const places = new Map(all.map((session, index) => [session as object, index]));
    const sum = (of: (session: SessionData) => number) => all.reduce((total, session) => total + of(session), 0);
    const isPriced = all.some(({ cost }) => cost !== undefined);
    const [cost, costWithSession] = [sum((one) => one.cost ?? 0), sum((one) => one.costWithSession ?? 0)];
    const indexOf = (session: object) => {
      const index = places.get(session);
      return index !== undefined && sessions[index].messages ? index : undefined;
    };
    const tokens = sum((one) => one.tokens);
    const curve = this.#isFitted ? undefined : this.#curve(toldOf);
    const recommended = curve && recommendedOf(curve, { tokens, ...(isPriced && { cost }) });
    return {
      version: 1,
      created: this.#now,
      limit: this.#limit,
      totals: {
        sessions: all.length,
        requests: sum(({ count }) => count.requests),
        messages: sum(({ count }) => count.messages),
        tokens,
        sent: sum(({ sent }) => sent),
        content: sum(({ content }) => content),
        ...(isPriced && { cost, costWithSession, saved: cost - costWithSession }),
        ...kept,
        unpriced: this.#unpriced.names(),
        withoutPrice: this.#unpriced.list(),
        impossible: this.#impossible,
        ...(this.#cache && { cache: this.#cache }),
        unknown: sum(({ skipped }) => skipped),
      },
      skipped: this.#skipped,
      spend: this.#spend.tables(),
      ...(curve && { curve, ...(recommended !== undefined && { recommended }) }),
      findings: this.#findings.list(indexOf),
      where: this.#where.tables(indexOf),
      sessions,
    };
  }
}

/**
 * Analyses a transcript.
 *
 * @param paidOf tells which of its answers were not counted before. It is not asked if the messages can't be read
 * @returns what is to be added to a report, and its messages unless they are too many; or why its messages can't be read
 */
export async function analyseOne(
  transcript: Transcript,
  options: { limit: number; priceOf: ReturnType<typeof createPrices> },
  paidOf: PaidOf,
): Promise<{ analysed: Analysed; shown: ShownMessages | undefined } | SkippedFile> {
  try {
    return await new One(options).analyse(transcript, paidOf);
  } catch (error) {
    if (!isShapeError(error)) throw error;
    return {
      file: transcript.file,
      reason: `${transcript.id}: its messages don't have the shape of the format ${transcript.format}`,
    };
  }
}

/** Analyses transcripts one by one; of each, only what the report needs is kept. Takes time linear in their size. */
export async function analyse(
  transcripts: Iterable<Transcript> | AsyncIterable<Transcript>,
  {
    limit,
    now = Date.now(),
    skipped = [],
    onTranscript,
  }: {
    /** of a request with a session, in tokens */
    limit: number;
    /** time of the report in ms, and of the prices of requests without one. Default: now */
    now?: number;
    /** files that the readers skip; those that can't be analysed are added */
    skipped?: SkippedFile[];
    /** called after each */
    onTranscript?: (transcript: Transcript) => void;
  },
): Promise<Report> {
  const analysis = new Analysis({ limit, now, skipped });
  const paid = new Paid();
  const priceOf = createPrices(now);
  for await (const transcript of transcripts) {
    const one = await analyseOne(transcript, { limit, priceOf }, (names) => paid.add(names));
    if ('reason' in one) skipped.push(one);
    else analysis.add(one.analysed, one.shown);
    onTranscript?.(transcript);
  }
  return analysis.report();
}
