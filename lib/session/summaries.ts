import { apart, fingerprintsOf, PRINT } from '../equality/fingerprint.js';
import { isCount } from '../checks.js';
import type { Fitting } from '../fit/fitting.js';
import { DEFAULT_CONCURRENCY, notesOf, offering, textOf } from '../fit/summaries.js';
import type { Steps } from '../steps.js';
import type { History } from './history.js';
import type { FitOffer, GivenNote } from '../../binding';
import type { SessionSettings, Summarizer } from '../../index.js';

/** Maximum size of the summaries, as a share of an epoch's target. */
const SHARE = 0.12;
/** Maximum size of the summaries, as a share of the history; they are saved with the session. */
const HISTORY_SHARE = 0.01;
/** Growth of the history, as a share, after which the messages to drop are computed again. */
const GROWTH = 1.05;
/** In place of a summarizer: workers put summaries into the store. */
const STORE = 'store';

export interface SavedSummaries {
  asked: string;
  answers: (string | null)[];
  ahead?: number;
  wanted?: string;
}

/** The values of one conversation in a store. */
export interface Shelf {
  get: (keys: string[]) => Promise<(string | undefined)[]>;
  put: (entries: [key: string, value: string][]) => Promise<unknown>;
}

/** What is kept in a store for a text with this fingerprint: its summary, and the text itself while a worker is to summarise it. */
export const summaryKey = (print: string) => `summary:${print}`;
export const textKey = (print: string) => `text:${print}`;
/** Who asks for the summary of a text: values never change, so that of several processes the first one does. */
const askerKey = (print: string) => `asker:${print}`;

/** What of a session's options is read here. */
type Options = Pick<SessionSettings, 'summarizer' | 'concurrency'> & { redact: (text: string) => string };

/**
 * Summaries of a session, each requested once, in the background: from the caller's summarizer, or, if the summarizer is `'store'`, from
 * workers that find the texts in the store.
 */
export class Summaries {
  #summarizer;
  #concurrency;
  #redact;
  #shelf: Shelf | undefined;
  /** Summary by the fingerprint of its text; null if there is none yet or none that is shorter. */
  #answers: Map<string, string | null>;
  /** What tells this process from others in the store. */
  #asker = String(Math.random());
  /** Texts waiting for a summary. */
  #waiting: { print: string; text: string }[] = [];
  #running = 0;
  /** Tokens of the history when the messages to drop were last computed. */
  #ahead;
  /** Fingerprints of the texts that workers should summarise. */
  #wanted;
  /** Whether `#wanted` was computed since `takeWanting` was last called. */
  #isComputed = false;

  /**
   * @param options of the session
   * @param saved what `toJSON` wrote
   * @param shelf the conversation's part of a store
   */
  constructor({ summarizer, concurrency, redact }: Options, saved?: SavedSummaries, shelf?: Shelf) {
    const { asked, answers, ahead = 0, wanted = '' } = saved ?? { asked: '', answers: [] };
    this.#summarizer = summarizer;
    this.#concurrency = concurrency ?? DEFAULT_CONCURRENCY;
    this.#redact = redact;
    this.#shelf = shelf;
    this.#ahead = ahead;
    this.#wanted = apart(wanted);
    const prints = apart(asked);
    const first = prints.length - answers.length;
    this.#answers = new Map();
    prints.forEach((print, index) => this.#answers.set(print, answers[index - first] ?? null));
  }

  /** Returns the notes on the messages that an epoch drops, from the answers so far, in steps. Requests the missing ones. */
  *noting(fitting: Fitting, budget: number): Steps<GivenNote[]> {
    const share = shareOf(fitting, budget);
    const offers = yield* offering(fitting, budget, share);
    const prints = yield* this.#requesting(fitting, offers);
    // Answers that come at once are used; there is no waiting.
    yield { now: () => undefined, later: nextTurn };
    return notesOf(
      offers,
      prints.map((print) => this.#answers.get(print)),
      share,
      fitting.tokenizer,
    );
  }

  /**
   * Takes over what another process has asked for, so that no text is summarised twice.
   *
   * @param saved what its `toJSON` wrote
   */
  join({ asked, ahead = 0, wanted = '' }: SavedSummaries = { asked: '', answers: [] }) {
    for (const print of apart(asked)) if (!this.#answers.has(print)) this.#answers.set(print, null);
    this.#ahead = ahead;
    this.#wanted = apart(wanted);
  }

  /** Returns whether the history has grown enough since the messages to drop were last computed. */
  isDue(history: History) {
    return history.tokens() >= GROWTH * this.#ahead;
  }

  /** Requests summaries of the messages that the next epoch would drop, in steps. */
  *asking(fitting: Fitting, budget: number): Steps<void> {
    this.#ahead = fitting.before;
    const offers = yield* offering(fitting, budget, shareOf(fitting, budget));
    yield* this.#requesting(fitting, offers);
  }

  /** Requests summaries of texts that have none, here or in the store, and returns the fingerprints of all; in steps. */
  *#requesting(fitting: Fitting, offers: readonly FitOffer[]): Steps<string[]> {
    const texts = offers.map((offer) => this.#redact(textOf(fitting.live, offer)));
    const prints = fingerprintsOf(texts);
    if (this.#shelf) yield { now: () => undefined, later: () => this.#lookUp(prints) };
    if (this.#shelf && this.#summarizer !== STORE) yield { now: () => undefined, later: () => this.#claim(prints) };
    prints.forEach((print, index) => {
      if (this.#answers.has(print)) return;
      this.#answers.set(print, null);
      this.#waiting.push({ print, text: texts[index] });
    });
    if (this.#summarizer === STORE) {
      this.#wanted = prints.filter((print) => this.#answers.get(print) === null);
      this.#isComputed = true;
    } else while (this.#running < this.#concurrency && this.#waiting.length > 0) this.#work();
    return prints;
  }

  /** Takes the summaries that are in the store. A store that fails has none. */
  async #lookUp(prints: readonly string[]) {
    const open = prints.filter((print) => (this.#answers.get(print) ?? null) === null);
    if (open.length === 0) return;
    const values = await this.#shelf?.get(open.map(summaryKey)).catch(() => []);
    open.forEach((print: string, index: number) => {
      if (values?.[index] !== undefined) this.#answers.set(print, values[index]);
    });
  }

  /** Leaves the texts to other processes that are about to ask for them. With a store that fails, each asks. */
  async #claim(prints: readonly string[]) {
    const open = prints.filter((print) => !this.#answers.has(print));
    if (open.length === 0) return;
    try {
      await this.#shelf?.put(open.map((print) => [askerKey(print), this.#asker]));
      const askers = await this.#shelf?.get(open.map(askerKey));
      open.forEach((print: string, index: number) => {
        if ((askers?.[index] ?? this.#asker) !== this.#asker) this.#answers.set(print, null);
      });
    } catch {
      // The store tells nothing.
    }
  }

  async #work() {
    this.#running++;
    while (this.#waiting.length > 0) {
      const { print, text } = this.#waiting.shift() as { print: string; text: string };
      try {
        const answer = await (this.#summarizer as Summarizer)(text);
        if (typeof answer !== 'string') continue;
        this.#answers.set(print, answer);
        await this.#shelf?.put([[summaryKey(print), this.#redact(answer)]]);
      } catch {
        // The text is dropped without a summary, as without a summarizer.
      }
    }
    this.#running--;
  }

  /** The texts that workers should summarise, as entries of a store. They have to be there before the state that names them is saved. */
  entries(): [key: string, text: string][] {
    return this.#summarizer === STORE ? this.#waiting.map(({ print, text }) => [textKey(print), text]) : [];
  }

  /** Forgets texts that `entries` returned, which are in the store now. */
  forget(entries: readonly unknown[]) {
    this.#waiting.splice(0, entries.length);
  }

  /** Returns whether the last step found texts that workers should summarise. */
  takeWanting() {
    const isWanting = this.#isComputed && this.#wanted.length > 0;
    this.#isComputed = false;
    return isWanting;
  }

  /** Fingerprints of all requested texts, and the latest answers up to a number of UTF-16 code units. Those in a store are not saved twice. */
  toJSON(units: number) {
    const answers: (string | null)[] = [];
    let left = this.#shelf ? -1 : units;
    for (const answer of [...this.#answers.values()].reverse()) {
      left -= answer?.length ?? 0;
      if (left < 0) break;
      answers.push(answer === null ? null : this.#redact(answer));
    }
    return {
      asked: [...this.#answers.keys()].join(''),
      answers: answers.reverse(),
      ahead: this.#ahead,
      ...(this.#wanted.length > 0 ? { wanted: this.#wanted.join('') } : {}),
    };
  }

  /** Returns whether `toJSON` may have written this. */
  static isSaved(given: unknown): given is SavedSummaries {
    const json = given as Partial<SavedSummaries> | null | undefined;
    if (typeof json?.asked !== 'string' || !Array.isArray(json.answers)) return false;
    if (json.ahead !== undefined && !isCount(json.ahead)) return false;
    if (json.wanted !== undefined && (typeof json.wanted !== 'string' || json.wanted.length % PRINT !== 0)) return false;
    return (
      json.asked.length % PRINT === 0 &&
      json.answers.length <= json.asked.length / PRINT &&
      json.answers.every((answer) => answer === null || typeof answer === 'string')
    );
  }
}

/**
 * What a saved session has asked for, and which of it workers should summarise, as fingerprints.
 *
 * @param saved what `toJSON` of a session wrote
 */
export function requestedIn(saved: unknown): { asked: Set<string>; wanted: string[] } {
  const given = (saved as { summaries?: unknown } | null | undefined)?.summaries;
  const summaries: Partial<SavedSummaries> = Summaries.isSaved(given) ? given : {};
  return { asked: new Set(apart(summaries.asked)), wanted: apart(summaries.wanted) };
}

const shareOf = ({ before }: Fitting, budget: number) => Math.min(SHARE * budget, HISTORY_SHARE * before);

const nextTurn = () => new Promise((resolve) => void setImmediate(resolve));
