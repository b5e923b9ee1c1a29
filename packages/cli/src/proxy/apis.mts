// The providers' HTTP interfaces: which API a path is, and whose it is.
import type { IncomingHttpHeaders } from 'node:http';
import type { REQUESTS } from 'palimpsest/internal';

export type Provider = 'anthropic' | 'openai' | 'gemini';

export interface Api {
  /** of its messages */
  format: keyof typeof REQUESTS;
  /** it only counts tokens */
  counts?: boolean;
}

export const UPSTREAMS: Record<Provider, string> = {
  anthropic: 'https://api.anthropic.com',
  openai: 'https://api.openai.com',
  gemini: 'https://generativelanguage.googleapis.com',
};

/** APIs by the ends of their paths, because gateways put something before them. */
const ENDS: [RegExp, Api][] = [
  [/\/messages$/, { format: 'anthropic' }],
  [/\/messages\/count_tokens$/, { format: 'anthropic', counts: true }],
  [/\/chat\/completions$/, { format: 'openai-chat' }],
  [/\/responses$/, { format: 'openai-responses' }],
  [/\/models\/[^/]+:(?:generateContent|streamGenerateContent)$/, { format: 'gemini' }],
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

/** What tells that a client is the provider's own, other than a key. */
const CLIENTS: Record<Provider, (headers: IncomingHttpHeaders) => boolean> = {
  anthropic: (headers) => headers['anthropic-version'] !== undefined,
  openai: (headers) => /^(?:Async)?OpenAI\//.test(headers['user-agent'] ?? ''),
  gemini: (headers) => headers['x-goog-api-key'] !== undefined || headers['x-goog-api-client'] !== undefined,
};

const PROVIDERS = Object.keys(UPSTREAMS) as Provider[];
const OWN = Object.fromEntries(PROVIDERS.map((provider) => [provider, anyOf(PATHS[provider])])) as Record<Provider, RegExp>;

function anyOf(paths: string[]) {
  const source = paths.join('|').replaceAll('*', '[^/:]+').replaceAll('VERSION', 'v1(beta|alpha)?');
  return new RegExp(`^(${source})$`);
}

/**
 * Returns the API of a request; undefined if the request goes through.
 *
 * @param path without a query
 */
export function apiOf(method: string, path: string) {
  return method === 'POST' ? ENDS.find(([pattern]) => pattern.test(path))?.[1] : undefined;
}

/**
 * Returns the provider whose path it is. Where several have the same, it is the one whose own client sends the request. A key never goes to
 * another provider by guess.
 *
 * @param path without a query
 */
export function providerOf(path: string, headers: IncomingHttpHeaders): Provider | undefined {
  const owners = PROVIDERS.filter((provider) => OWN[provider].test(path));
  const found = owners.length > 1 ? owners.filter((provider) => CLIENTS[provider](headers)) : owners;
  return found.length === 1 ? found[0] : undefined;
}

/** The model that a path names, as Gemini's do. @param path without a query */
export const modelIn = (path: string) => /\/models\/([\w.-]{1,100}):\w+$/.exec(path)?.[1];
