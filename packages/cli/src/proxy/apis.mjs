// @ts-check
// The providers' HTTP interfaces: which API a path is, whose it is, and where a request has its messages.

/** @import { IncomingHttpHeaders } from 'node:http' */

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

/** APIs by the ends of their paths, because gateways put something before them. @type {[RegExp, Api][]} */
const ENDS = [
  [/\/messages$/, MESSAGES],
  [/\/messages\/count_tokens$/, COUNT],
  [/\/chat\/completions$/, CHAT],
  [/\/responses$/, RESPONSES],
  [/\/models\/[^/]+:(?:generateContent|streamGenerateContent)$/, GENERATE],
];

/** Paths of each provider's API, as its official clients use them. A `*` is a name or an id, a `VERSION` one of those that Gemini has. */
const PATHS = {
  anthropic: [
    '/v1/messages(/count_tokens|/batches(/*(/cancel|/results)?)?)?',
    '/v1/complete',
    '/v1/models(/*)?',
    '/v1/files(/*(/content)?)?',
    '/v1/skills(/*(/versions(/*(/content)?)?)?)?',
  ],
  openai: [
    '/v1/responses(/compact|/input_tokens|/*(/cancel|/input_items)?)?',
    '/v1/chat/completions(/*(/messages)?)?',
    '/v1/conversations(/*(/items(/*)?)?)?',
    '/v1/(completions|embeddings|moderations)',
    '/v1/audio/(speech|transcriptions|translations)',
    '/v1/images/(edits|generations|variations)',
    '/v1/models(/*|/ft:[^/]+)?',
    '/v1/files(/*(/content)?)?',
    '/v1/uploads(/*/(cancel|complete|parts))?',
    '/v1/batches(/*(/cancel)?)?',
    '/v1/vector_stores(/*(/search|/files(/*(/content)?)?|/file_batches(/*(/cancel|/files)?)?)?)?',
    '/v1/containers(/*(/files(/*(/content)?)?)?)?',
    '/v1/skills(/*(/content|/versions(/*(/content)?)?)?)?',
  ],
  gemini: [
    '/VERSION/(models|tunedModels)(/*(:(generateContent|streamGenerateContent|countTokens))?)?',
    '/VERSION/(models|tunedModels)/*:(embedContent|batchEmbedContents|batchGenerateContent|asyncBatchEmbedContent)',
    '/VERSION/models/*(:predict|:predictLongRunning|/operations/*)',
    '/VERSION/files(/*(:download)?)?',
    '/VERSION/cachedContents(/*)?',
    '/VERSION/batches(/*(:cancel)?)?',
    '/VERSION/fileSearchStores(/*(:importFile|/documents(/*)?|(/upload)?/operations/*)?)?',
    '/upload/VERSION/(files|fileSearchStores/*:uploadToFileSearchStore)',
    '/v1beta/openai/(chat/completions|embeddings|images/generations|models(/*)?)',
  ],
};

/** What tells that a client is the provider's own, other than a key. @type {Record<Provider, (headers: IncomingHttpHeaders) => boolean>} */
const CLIENTS = {
  anthropic: (headers) => headers['anthropic-version'] !== undefined,
  openai: (headers) => /^(?:Async)?OpenAI\//.test(headers['user-agent'] ?? ''),
  gemini: (headers) => headers['x-goog-api-key'] !== undefined || headers['x-goog-api-client'] !== undefined,
};

const PROVIDERS = /** @type {Provider[]} */ (Object.keys(UPSTREAMS));
const OWN = /** @type {Record<Provider, RegExp>} */ (Object.fromEntries(PROVIDERS.map((provider) => [provider, anyOf(PATHS[provider])])));

/** @param {string[]} paths */
function anyOf(paths) {
  const source = paths.join('|').replaceAll('*', '[^/:]+').replaceAll('VERSION', 'v1(beta|alpha)?');
  return new RegExp(`^(${source})$`);
}

/**
 * Returns the API of a request; undefined if the request goes through.
 *
 * @param {string} method
 * @param {string} path without a query
 */
export function apiOf(method, path) {
  return method === 'POST' ? ENDS.find(([pattern]) => pattern.test(path))?.[1] : undefined;
}

/**
 * Returns the provider whose path it is. Where several have the same, it is the one whose own client sends the request. A key never goes to
 * another provider by guess.
 *
 * @param {string} path without a query
 * @param {IncomingHttpHeaders} headers
 * @returns {Provider | undefined}
 */
export function providerOf(path, headers) {
  const owners = PROVIDERS.filter((provider) => OWN[provider].test(path));
  const found = owners.length > 1 ? owners.filter((provider) => CLIENTS[provider](headers)) : owners;
  return found.length === 1 ? found[0] : undefined;
}

/** The model that a path names, as Gemini's do. @param {string} path without a query */
export const modelIn = (path) => /\/models\/([\w.-]{1,100}):\w+$/.exec(path)?.[1];
