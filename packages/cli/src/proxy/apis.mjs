// @ts-check
// The providers' HTTP interfaces: which API a path is, whose it is, and where a request has its messages.

/** @typedef {'anthropic' | 'openai' | 'gemini'} Provider */

/**
 * @typedef {object} Api
 * @property {'anthropic' | 'openai-chat' | 'openai-responses' | 'gemini'} format of its messages
 * @property {'messages' | 'input' | 'contents'} messages
 * @property {string[]} stored members that stand for content that the provider keeps
 * @property {boolean} [counts] it only counts tokens
 */

/** @type {Record<Provider, string>} */
export const UPSTREAMS = {
  anthropic: 'https://api.anthropic.com',
  openai: 'https://api.openai.com',
  gemini: 'https://generativelanguage.googleapis.com',
};

/** @type {Api} */
const MESSAGES = { format: 'anthropic', messages: 'messages', stored: ['thread'] };
/** @type {Api} */
const COUNT = { ...MESSAGES, counts: true };
/** @type {Api} */
const CHAT = { format: 'openai-chat', messages: 'messages', stored: [] };
/** @type {Api} */
const RESPONSES = { format: 'openai-responses', messages: 'input', stored: ['previous_response_id', 'conversation', 'prompt'] };
/** @type {Api} */
const GENERATE = { format: 'gemini', messages: 'contents', stored: ['cachedContent', 'cached_content'] };

/** Paths by their ends, because gateways put something before them. @type {[RegExp, Api][]} */
const PATHS = [
  [/\/messages$/, MESSAGES],
  [/\/messages\/count_tokens$/, COUNT],
  [/\/chat\/completions$/, CHAT],
  [/\/responses$/, RESPONSES],
  [/\/models\/[^/]+:(?:generateContent|streamGenerateContent)$/, GENERATE],
];

/** Paths of one provider alone. @type {[RegExp, Provider][]} */
const OWN = [
  [/^\/v1\/(?:messages|complete|organizations)(?:\/|$)/, 'anthropic'],
  [/^\/api\//, 'anthropic'],
  [/^\/v1\/models\/[^/]+:/, 'gemini'],
  [/^\/(?:upload\/)?v1(?:alpha|beta)\d*\//, 'gemini'],
  [
    /^\/v1\/(?:chat|responses|embeddings|audio|images|assistants|threads|conversations|vector_stores|fine_tuning|moderations|realtime|completions|uploads|evals|containers)(?:\/|$)/,
    'openai',
  ],
];

/**
 * Returns the API of a request; undefined if the request goes through.
 *
 * @param {string} method
 * @param {string} path without a query
 */
export function apiOf(method, path) {
  return method === 'POST' ? PATHS.find(([pattern]) => pattern.test(path))?.[1] : undefined;
}

/**
 * Returns the provider of a request: by its path, or else by the headers that only this provider's clients send. A key never goes to
 * another provider by guess.
 *
 * @param {string} path without a query
 * @param {import('node:http').IncomingHttpHeaders} headers
 * @returns {Provider | undefined}
 */
export function providerOf(path, headers) {
  const own = OWN.find(([pattern]) => pattern.test(path))?.[1];
  if (own !== undefined) return own;
  if (headers['x-goog-api-key'] !== undefined || headers['x-goog-api-client'] !== undefined) return 'gemini';
  if (headers['anthropic-version'] !== undefined) return 'anthropic';
  return /^\/v1\//.test(path) && headers.authorization !== undefined ? 'openai' : undefined;
}

/** The model that a path names, as Gemini's do. @param {string} path without a query */
export const modelIn = (path) => /\/models\/([\w.-]{1,100}):\w+$/.exec(path)?.[1];
