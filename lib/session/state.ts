import { NOTHING_SPENT } from './cost.js';
import { History } from './history.js';
import { Layered } from './layered.js';
import { Ledger } from './ledger.js';
import { RequestLog } from './log.js';
import { Sent } from './sent.js';
import { UNKNOWN } from './units.js';
import type { Excess } from '../limits/load.js';
import type { Format } from '../types.js';
import type { PinsReport, SessionReport } from '../../index.js';
import type { Spent } from './cost.js';
import type { Counter } from './counter.js';
import type { LastResults } from './faults.js';
import type { Folded } from './folded.js';
import type { Forecast } from './misses.js';
import type { Pin } from './pins.js';
import type { FrontPrints } from './prefix.js';
import type { Saved } from './saved.js';
import type { Units } from './units.js';

/** Names and what they tell of a session; frozen. */
export type Tags = Readonly<Record<string, string>>;

export interface Request {
  messages: object[];
  /** as they are counted here */
  tokens: number;
  time: number | undefined;
  /** tokens that the request before had as well */
  reused: number;
  /** those of them that could be read from the cache, in the provider's tokens */
  cached: number;
  /** tokens above those that an epoch leaves */
  surplus: number;
  /** prints of what was sent in front of the messages; undefined before the first request */
  front: FrontPrints | undefined;
  /** what it can read from the cache, until its usage was observed; undefined in a state that was saved */
  forecast?: Forecast | undefined;
}

/** State of a session between two requests. It is immutable: a step makes a new one, and a step that fails changes nothing. */
export interface State {
  /** undefined before the first request, where no option names it */
  format: Format | undefined;
  /** a message or an option determined the format */
  isFormatShown: boolean;
  /** undefined as long as the format is */
  counter: Counter | undefined;
  history: History;
  sent: Sent;
  /** the last request */
  last: Request;
  /** fingerprints of all signed thinking that was ever in the history */
  seen: Layered<true>;
  /** fingerprints of the kinds of content that the format doesn't know, of all that was reported */
  kinds: ReadonlySet<string>;
  /** cost of carrying the surplus since the last epoch */
  carried: number;
  /** if the history differs from the saved one: number of messages that `sent` covers for certain */
  cutOff: number | undefined;
  /** the limits beside tokens that the last request exceeded */
  exceeded: readonly Excess[];
  /** tokens that the last epoch left if it missed its target; otherwise 0 */
  floor: number;
  /** the last epoch had no room for all of the rules, the task and the state of the work */
  isLossy: boolean;
  /** what the provider's usage said of counts */
  units: Units;
  /** totals of the requests so far */
  ledger: Ledger;
  /** what the newest requests were made of */
  log: RequestLog;
  /** the message with the last result of each file or command */
  results: LastResults;
  /** the limit of the last request */
  limit: SessionReport['limit'];
  /** in the order in which they were pinned */
  pins: readonly Pin[];
  /** what became of them in the last request */
  pinned: PinsReport | undefined;
  /** in the currency of the prices; also of the sessions before that it goes on with */
  spent: Spent;
  /** those of a session before that it goes on with; the options come first */
  tags: Tags | undefined;
  /** what another session saved, until the first history comes */
  saved: Saved | undefined;
  /** what is left of `history`, `sent`, `seen`, `log`, `results` and the messages of `last` while the session rests */
  folded: Folded | undefined;
}

/** A state whose format is known. */
export interface Ready extends State {
  format: Format;
  counter: Counter;
}

/** What a saved state has of tags. */
export const savedTags = (tags: Tags | undefined) => (tags === undefined || Object.keys(tags).length === 0 ? {} : { tags });

/** The state before the first request. */
export const START: State = {
  format: undefined,
  isFormatShown: false,
  counter: undefined,
  history: new History(),
  sent: new Sent(),
  last: { messages: [], tokens: 0, time: undefined, reused: 0, cached: 0, surplus: 0, front: undefined },
  seen: new Layered(),
  kinds: new Set(),
  carried: 0,
  cutOff: undefined,
  exceeded: [],
  floor: 0,
  isLossy: false,
  units: UNKNOWN,
  ledger: new Ledger(),
  log: new RequestLog(),
  results: new Layered(),
  limit: undefined,
  pins: [],
  pinned: undefined,
  spent: NOTHING_SPENT,
  tags: undefined,
  saved: undefined,
  folded: undefined,
};
