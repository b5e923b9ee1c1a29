import { isOfUser } from '../providers/shared/compaction.js';
import { getIn } from '../providers/shared/copy.js';
import { excessive } from '../limits/choose.js';
import { added, excessesOf, NOTHING, partLoads, weighed } from '../limits/load.js';
import native from '../native.js';
import { pace } from '../steps.js';
import { mediaOf, mediaTokens } from '../tokens/media.js';
import { providerOf } from '../tokens/provider.js';
import type { Figures } from '../limits/figures.js';
import type { Excess, Load } from '../limits/load.js';
import type { Edit, Format, Part, Tokenizer } from '../types.js';
import type { Steps } from '../steps.js';
import type { GivenNote } from '../../binding';
import type { FitSettings } from '../../index.js';

/** Maximum number of times that a choice is made because the one before exceeded a limit. */
const MAX_TRIES = 8;
/** Share of the tokens that would keep a limit of bytes by the rule of three: what is left may have more bytes for a token. */
const BYTES_SHARE = 0.95;

/** A conversation that exceeds limits of a request. */
export interface Exceeding {
  figures: Figures;
  /** of all that would be sent */
  load: Load;
  /** bytes of what is sent beside the messages */
  beside: number;
  /** what may be left of each limit that is exceeded, as a share of it */
  share: number;
  /** parts that went before and stay out, by index */
  gone?: readonly number[];
}

/** What is left of a conversation, as far as it counts for the limits. */
interface Left {
  messages: readonly object[];
  edits: readonly Edit[];
  tokens: number;
}

/** Keeps a conversation within the limits of a request that are no tokens: chooses the images and documents that go. */
export class Limited {
  #exceeding;
  #parts;
  #loads;
  /** The parts that may go, by index, those that go first at the start. */
  #order;
  /** Parts that go, by index. */
  #gone = new Set<number>();
  #tries = 0;
  /** Tokens up to which texts keep the limit of bytes. */
  tokens = Infinity;
  /** The limits that what is left exceeds. */
  excesses: Excess[] = [];
  /** Of what is left. */
  load: Load = NOTHING;
  /** The notes in the place of what goes. */
  notes: ReadonlyMap<Part, string> = new Map();
  /** The messages that go, because something in them can't be replaced: notes without a text close them. */
  closing: readonly GivenNote[] = [];

  /**
   * Reads a conversation and chooses what goes, in steps.
   *
   * @param conversation `editable`: the first part that may be edited
   */
  static *opening(
    exceeding: Exceeding,
    conversation: { messages: readonly object[]; parts: readonly Part[]; format: Format; editable: number },
    keep: FitSettings['keep'],
  ): Steps<Limited> {
    const { messages, parts, format, editable } = conversation;
    const loads = yield* partLoads(messages, parts, providerOf(format), exceeding.figures);
    return new Limited(exceeding, parts, loads, mayGoOf(parts, { editable, keep, count: messages.length }));
  }

  /**
   * @param loads of the parts with files, by index
   * @param mayGo whether a part may go
   */
  constructor(exceeding: Exceeding, parts: readonly Part[], loads: ReadonlyMap<number, Load>, mayGo: (index: number) => boolean) {
    this.#exceeding = exceeding;
    this.#parts = parts;
    this.#loads = loads;
    this.#order = lastToGo(Array.from(loads.keys()).filter(mayGo), parts);
    // How many bytes the texts have is known once they are cut.
    const before = new Set((exceeding.gone ?? []).filter((part) => loads.has(part) && mayGo(part)));
    const left = Array.from(loads.keys()).filter((part) => !before.has(part));
    this.#take([...before, ...this.#excessive(left, 0)]);
  }

  /** The parts that go, of those that are left. `bytes`: of all that is left. */
  #excessive(left: readonly number[], bytes: number) {
    const { figures, share } = this.#exceeding;
    const stays = new Set(left);
    const order = this.#order.filter((part) => stays.has(part) && !this.#gone.has(part));
    const total = { ...this.#sum(left), bytes };
    return excessive(
      order.map((part) => [part, this.#loads.get(part) as Load]),
      total,
      figures,
      share,
    );
  }

  #sum(parts: readonly number[]) {
    return parts.reduce((sum, part) => added(sum, this.#loads.get(part) as Load), NOTHING);
  }

  #take(more: Iterable<number>) {
    for (const part of more) this.#gone.add(part);
    const notes = new Map<Part, string>();
    const messages = new Set<number>();
    for (const index of this.#gone) {
      const part = this.#parts[index];
      if (part.kind === 'media' && part.locked === undefined) notes.set(part, noteOf(this.#loads.get(index) as Load));
      else messages.add(part.message);
    }
    this.notes = notes;
    this.closing = Array.from(messages, (message) => ({ message, part: -1, text: '' }));
  }

  /** Whether anything goes. */
  get isCutting() {
    return this.#gone.size > 0;
  }

  /** The limits that the whole conversation exceeds. */
  get before() {
    return excessesOf(this.#exceeding.load, this.#exceeding.figures);
  }

  /** Judges what is left, in steps. Returns whether to choose again: more goes, or fewer tokens are allowed. */
  *judging({ messages, edits, tokens }: Left): Steps<boolean> {
    const { figures, beside } = this.#exceeding;
    const edited = new Set(edits.map(({ part }) => part));
    const left = Array.from(this.#loads.keys()).filter((index) => !edited.has(this.#parts[index]));
    let bytes = beside;
    if (figures.bytes !== undefined) {
      for (const message of messages) {
        if (pace.isDue) yield;
        bytes += weighed(message, 'exact').bytes + 1;
      }
    }
    this.load = { ...this.#sum(left), bytes };
    this.excesses = excessesOf(this.load, figures);
    if (this.excesses.length === 0 || ++this.#tries === MAX_TRIES) return false;
    const more = this.#excessive(left, bytes);
    if (more.size > 0) {
      this.#take(more);
      return true;
    }
    const tooLong = this.excesses.find(({ name }) => name === 'bytes');
    if (tooLong === undefined || tokens === 0) return false;
    const fewer = Math.floor((BYTES_SHARE * tokens * tooLong.limit) / tooLong.count);
    // The smallest there is may be larger than what it was to be.
    if (fewer >= this.tokens) return false;
    this.tokens = fewer;
    return true;
  }

  /** The edits of what is replaced, unless it is edited already: its messages go. */
  edits(edits: readonly Edit[]) {
    if (this.notes.size === 0) return [];
    const edited = new Set(edits.map(({ part }) => part));
    const replaced = Array.from(this.notes).filter(([part]) => !edited.has(part));
    return replaced.map(([part, text]) => ({ part, text, pieces: [text] }));
  }

  /** The tokens that each replaced part has more than its note. */
  savings(messages: readonly object[], format: Format, tokenizer: Tokenizer): [Part, number][] {
    const parts = Array.from(this.notes.keys());
    const provider = providerOf(format);
    const read = parts.map((part) => part.sent?.() ?? mediaOf(getIn(messages[part.message], part.path), provider));
    const files = mediaTokens(
      read.filter((one) => typeof one !== 'string'),
      provider,
    );
    const texts = native.countTexts([...read.filter((one) => typeof one === 'string'), ...this.notes.values()], tokenizer);
    let [file, text] = [0, 0];
    const before = read.map((one) => (typeof one === 'string' ? texts[text++] : files[file++]));
    return parts.map((part, index) => [part, before[index] - texts[text + index]]);
  }
}

/** Returns whether a part may go, for all that is known before the messages are grouped. */
function mayGoOf(parts: readonly Part[], { editable, keep, count }: { editable: number; keep: FitSettings['keep']; count: number }) {
  const tools = new Set(keep?.tools ?? []);
  const pinned = new Set(keep?.pinned ?? []);
  const recent = count - (keep?.recent ?? 0);
  return (index: number) => {
    const { message, role, call, name } = parts[index];
    const tool = call === undefined || call < 0 ? name : parts[call].name;
    if (index < editable || message >= recent || pinned.has(message) || role === 'system') return false;
    return !(keep?.user && role === 'user' && call === undefined) && !(tool !== undefined && tools.has(tool));
  };
}

/** The parts in the order in which they go: the newest is the last to go, and before it those of the user's last message. */
function lastToGo(indices: readonly number[], parts: readonly Part[]) {
  const last = parts.findLast(isOfUser)?.message;
  const newest = indices.at(-1);
  const others = indices.filter((index) => index !== newest);
  const isLast = (index: number) => parts[index].message === last;
  return [...others.filter((index) => !isLast(index)), ...others.filter(isLast), ...(newest === undefined ? [] : [newest])];
}

/** What stands in the place of a part. */
const noteOf = ({ images, documents }: Load) => (images > 0 ? '[… 1 image]' : documents > 0 ? '[… 1 document]' : '[… 1 file]');
