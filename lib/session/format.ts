// The format in which a history is read, and the state in it.

import { isObject } from '../checks.js';
import { isSame } from '../equality/fingerprint.js';
import { FORMATS } from '../options/presets.js';
import { hintsOf } from '../providers/hints.js';
import { addressed, detect, formatNamed } from '../providers/index.js';
import { checkMarked } from './breakpoints.js';
import { Counter } from './counter.js';
import { History } from './history.js';
import { Sent } from './sent.js';
import { START } from './state.js';
import type { Format, Part } from '../types.js';
import type { Steps } from '../steps.js';
import type { Config } from './config.js';
import type { Item } from './sent.js';
import type { Ready, State } from './state.js';

/** Returns the state in the format of a history, with what is sent beside the messages now; in steps. */
export function* inFormatOf(config: Config, before: State, given: readonly object[]): Steps<Ready> {
  const { format, isFormatShown } = before;
  // What writes the requests may be another now.
  if (format !== undefined && isFormatShown) return yield* converted(config, before, addressedFor(config, format), true, before.counter);
  const hints = [format?.name, before.saved?.json.format, ...hintsFrom(config)];
  const found = detect(given, hints as string[]);
  return yield* converted(config, before, addressedFor(config, found.format), found.isShown, before.counter);
}

/** A format as it is read for requests to the model's provider. */
export const formatFor = (config: Config, name: Parameters<typeof formatNamed>[0]) => addressedFor(config, formatNamed(name));

/** The format with a name in a log; undefined where a saved state names none that this session knows. */
export function formatInLog(config: Config, name: string): Format | undefined {
  const { format } = config.options;
  if (isObject(format) && format.name === name) return formatFor(config, format);
  return FORMATS.includes(name) ? formatFor(config, name) : undefined;
}

const addressedFor = ({ model, options: { roles }, adapter }: Config, format: Format) => addressed(format, model, { roles, adapter });

/** Formats that the other options imply, for messages that do not show theirs. */
function hintsFrom({ options: { tools, system, cache, cacheControl }, model }: Config) {
  if (cacheControl && model?.provider !== 'openai') return ['anthropic'];
  const provider = typeof cache === 'string' ? cache.split('-')[0] : model?.provider;
  return hintsOf({ tools, system, provider });
}

/**
 * Returns a state in a format, with the counter that is known if it still counts what is sent beside the messages.
 *
 * @throws {TypeError} an option is for another format
 */
export function withFormat<S extends State>(
  { options, model }: Config,
  state: S,
  format: Format,
  isFormatShown: boolean,
  known: Counter | undefined,
): S & Ready {
  if (options.cacheControl) checkMarked('createSession()', format.name);
  const counter = known?.format === format && known.isCurrent(options) ? known : new Counter(format, options, model);
  return { ...state, format, isFormatShown, counter };
}

/**
 * Returns a state in another format, in steps; reads the messages again if one was assumed before.
 *
 * @param known a counter that may be of that format
 */
export function* converted(
  config: Config,
  before: State,
  format: Format,
  isFormatShown: boolean,
  known: Counter | undefined,
): Steps<Ready> {
  if (format === before.format) return withFormat(config, before, format, isFormatShown, known);
  const { seen, cutOff, last, units, ledger, log, results, limit, saved, pins, pinned, spent, tags } = before;
  const empty = { ...START, seen, cutOff, units, ledger, log, results, limit, saved, pins, pinned, spent, tags };
  const next = withFormat(config, empty, format, isFormatShown, known);
  if (before.history.length === 0) return next;
  const history = new History().with([], 0, yield* next.counter.reading(before.history.originals()), format.name);
  const sent = yield* sentAs(next.counter, history, before as Ready);
  // The cuts are chosen again, and what answered them was signed over them.
  if (sent === undefined) return { ...next, last, cutOff: 0 };
  const tokens = Math.max(0, next.counter.request + units.beside + sent.tokens + history.tokens(sent.covered));
  return { ...next, history, sent, last: { ...last, tokens } };
}

/** Returns what was sent, written in another format; undefined if that one has other texts to cut, or puts other messages together. */
function* sentAs(counter: Counter, history: History, { format, sent: { covered, edits, epoch, items } }: Ready): Steps<Sent | undefined> {
  if (edits.length === 0) return START.sent;
  const [before, after] = [yield* format.reading(history.messages()), yield* counter.format.reading(history.messages())];
  const isSamePart = (part: Part, place: number) => part.message === after[place].message && part.text === after[place].text;
  if (before.length !== after.length || !before.every(isSamePart)) return undefined;
  const sent = yield* Sent.writing(history, covered, edits, counter, epoch);
  const isSent = (item: Item, index: number) => isSame(item.message, items[index].message);
  return sent.items.length === items.length && sent.items.every(isSent) ? sent : undefined;
}
