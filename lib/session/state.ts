import { History } from './history.js';
import { Sent } from './sent.js';
import type { Excess } from '../limits/load.js';
import type { Format } from '../types.js';
import type { Counter } from './counter.js';
import type { FrontPrints } from './prefix.js';

export interface Request {
  messages: object[];
  /** as they are counted here */
  tokens: number;
  time: number | undefined;
  /** tokens that the request before had as well */
  reused: number;
  /** tokens above those that an epoch leaves */
  surplus: number;
  /** prints of what was sent in front of the messages; undefined before the first request */
  front: FrontPrints | undefined;
}

/** State of a session between two requests. It is immutable: a step makes a new one, and a step that fails changes nothing. */
export interface State {
  format: Format;
  /** a message or an option determined the format */
  isFormatShown: boolean;
  counter: Counter;
  history: import('./history.js').History;
  sent: import('./sent.js').Sent;
  /** the last request */
  last: Request;
  /** fingerprints of all signed thinking that was ever in the history */
  seen: ReadonlySet<string>;
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
}
/** The state before the first request, which brings the format and its counter. */
export const START: State = {
  format: undefined as any,
  isFormatShown: false,
  counter: undefined as any,
  history: new History(),
  sent: new Sent(),
  last: { messages: [], tokens: 0, time: undefined, reused: 0, surplus: 0, front: undefined },
  seen: new Set(),
  kinds: new Set(),
  carried: 0,
  floor: 0,
  exceeded: [],
  cutOff: undefined,
};
