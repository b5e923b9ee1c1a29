// Options of the proxy.
import { Misuse } from '../errors.mjs';
import { isLoopback } from './access.mjs';
import { UPSTREAMS } from './apis.mjs';
import type { Provider } from './apis.mjs';
import type { LogEntry } from '../types.mjs';
import type { State } from './state.mjs';

export interface ProxyOptions {
  /** maximum tokens of a request, by the session's count */
  limit: number;
  /** whether messages of the user and the assistant have to alternate; default: by the model of a request */
  roles?: 'alternate' | 'any' | undefined;
  /** URL to which all requests go, or one for each provider; default: the provider's own, by the request's path */
  upstream?: string | Partial<Record<Provider, string>> | undefined;
  /** address to listen on; default 127.0.0.1 */
  host?: string | undefined;
  /** default 8377; 0 means any free port */
  port?: number | undefined;
  /** what clients must present; required beyond loopback */
  token?: string | undefined;
  /** bytes of a body that is read; a larger one goes through as it comes. Default 64 MiB */
  maxBody?: number | undefined;
  /** bytes of all bodies that are read at the same time; default 128 MiB */
  maxBuffered?: number | undefined;
  /** default 1024 */
  maxConnections?: number | undefined;
  /** ms without a byte of an answer, after which it is given up; default 600000 */
  timeout?: number | undefined;
  /** ms that choosing messages may take; default 30000 */
  choosing?: number | undefined;
  /** ms after which a conversation without a request is forgotten; default 3600000 */
  idle?: number | undefined;
  /** whether requests go out as they came, and what would be cut is only measured; default false */
  isDry?: boolean | undefined;
  /** share of the cut requests that also go out whole: above 0, at most 1. Default none */
  shadow?: number | undefined;
  /** maximum number of tokens of these; default 1,000,000 */
  shadowTokens?: number | undefined;
  /** of an earlier run, to go on from */
  state?: State | undefined;
  /** takes the state whenever it changed */
  onState?: ((state: State) => void) | undefined;
  /** takes each request that went through; it has no content */
  onRequest?: ((record: LogEntry) => void) | undefined;
  /** whether the page leaves out what the messages say; default false */
  redact?: boolean | undefined;
  /** is called once, with the first failure of the proxy itself; the text holds no content */
  onWarning?: ((text: string) => void) | undefined;
}

/** Maximum number of tokens of all shadow requests, unless it is given. */
export const SHADOW_TOKENS = 1_000_000;

const DEFAULTS = {
  isDry: false,
  shadowTokens: SHADOW_TOKENS,
  redact: false,
  host: '127.0.0.1',
  port: 8377,
  maxBody: 64 * 2 ** 20,
  maxBuffered: 128 * 2 ** 20,
  maxConnections: 1024,
  timeout: 600_000,
  choosing: 30_000,
  idle: 3_600_000,
};

const INTEGERS = ['limit', 'maxBody', 'maxBuffered', 'maxConnections', 'timeout', 'choosing', 'idle', 'shadowTokens'] as const;
/** Maximum of the timers of Node.js, in ms. */
const MAX_TIMER = 2 ** 31 - 1;

/**
 * Returns the options, checked and with defaults.
 *
 * @throws {Misuse} one is wrong
 */
export function checkedOptions(given: ProxyOptions) {
  const options = { onWarning: () => {}, onRequest: () => {}, onState: () => {}, ...DEFAULTS, ...defined(given) };
  for (const name of INTEGERS) {
    const value = options[name];
    const max = name === 'timeout' || name === 'choosing' ? MAX_TIMER : Number.MAX_SAFE_INTEGER;
    if (!Number.isInteger(value) || value < 1 || value > max) throw new Misuse(`${name} must be an integer from 1`);
  }
  const { port, host, token, isDry, shadow } = options;
  if (isDry && shadow) throw new Misuse('a dry run cuts nothing that could be compared: leave out --shadow or --dry-run');
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Misuse('port must be an integer from 0 to 65535');
  if (token !== undefined && !/^[\w-]{16,200}$/.test(token)) {
    throw new Misuse('token must have 16 to 200 letters, digits, underscores or hyphens');
  }
  const isExposed = !isLoopback(host);
  if (isExposed && token === undefined)
    throw new Misuse(`listening on ${host}, beyond this machine, needs a token: give --token, or PALIMPSEST_TOKEN`);
  return { ...options, isExposed, upstreams: upstreamsOf(options.upstream) };
}

const defined = (given: ProxyOptions) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [Name in keyof ProxyOptions]: Exclude<ProxyOptions[Name], undefined>;
  };

function upstreamsOf(upstream: ProxyOptions['upstream']): Record<Provider | 'any', URL | undefined> {
  if (typeof upstream === 'string') return { any: urlOf(upstream), anthropic: undefined, openai: undefined, gemini: undefined };
  const { anthropic, openai, gemini } = { ...UPSTREAMS, ...upstream };
  return { any: undefined, anthropic: urlOf(anthropic), openai: urlOf(openai), gemini: urlOf(gemini) };
}

function urlOf(text: string) {
  // The text may hold a password.
  if (!URL.canParse(text)) throw new Misuse('upstream must be a URL, such as https://api.anthropic.com');
  const url = new URL(text);
  const { protocol, username, password, search, hash } = url;
  if (protocol !== 'https:' && protocol !== 'http:') throw new Misuse('upstream must be a URL with https or http');
  if (username || password || search || hash) throw new Misuse('upstream must be a URL without a user, password, query or fragment');
  return url;
}
