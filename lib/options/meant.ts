// Suggests the option that an unknown name may mean, or a value without a name. Loaded with the first of them.
import { shown } from '../checks.js';
import { modelOf } from '../model-of.js';
import { LONGEST, misspelt, plain } from '../misspelt.js';
import type { Options } from './kinds.js';
import type { Scope } from './names.js';

/** Names for one thing: first the options, each of them of some function, then what people call it elsewhere. */
const SYNONYMS: { options: string[]; others: string[] }[] = [
  {
    options: ['limit', 'tokenBudget', 'maxResponseTokens'],
    others: [
      'budget',
      'maxTokens',
      'tokenLimit',
      'maxInputTokens',
      'maxPromptTokens',
      'maxContextTokens',
      'maxLength',
      'target',
      'targetTokens',
      'tokens',
    ],
  },
  {
    options: ['window', 'limit', 'tokenBudget'],
    others: ['contextWindow', 'contextLength', 'contextSize', 'contextLimit', 'maxContextLength'],
  },
  {
    options: ['maxOutputTokens', 'maxResponseTokens', 'limit'],
    others: ['maxCompletionTokens', 'outputTokens', 'responseTokens', 'completionTokens', 'reserve', 'reserveTokens', 'reservedTokens'],
  },
  { options: ['tokenizer'], others: ['encoding', 'encodingName', 'encoder', 'tokenEncoding', 'vocabulary', 'bpe'] },
  { options: ['model', 'tokenizer'], others: ['modelName', 'modelId', 'llm'] },
  { options: ['tokenCounter', 'tokenizer'], others: ['countTokens', 'counter', 'countFn', 'getNumTokens', 'lengthFunction'] },
  {
    options: ['keep.recent', 'recent', 'recencyWindow'],
    others: ['keepLast', 'keepLastN', 'keepLastMessages', 'preserveRecent', 'recentMessages', 'lastMessages', 'last', 'tail'],
  },
  { options: ['keep.patterns', 'patterns', 'preservePatterns'], others: ['regex', 'keepMatching'] },
  { options: ['keep.pinned', 'pinned', 'keep'], others: ['pin', 'pins', 'pinnedMessages'] },
  { options: ['keep.tools', 'tools'], others: ['excludeTools', 'preserveTools', 'protectedTools', 'toolNames'] },
  { options: ['keep.paths', 'paths'], others: ['excludePaths', 'files', 'globs'] },
  { options: ['keep.user', 'user'], others: ['preserveUser', 'userMessages'] },
  { options: ['keep', 'preserve'], others: ['preserveRoles', 'keepRoles', 'roles', 'protect'] },
  { options: ['toolMap'], others: ['toolKinds', 'toolTypes', 'customTools', 'myTools'] },
  { options: ['tools'], others: ['functions', 'toolSchemas', 'toolDefinitions'] },
  { options: ['system', 'systemPrompt'], others: ['systemInstruction', 'systemInstructions', 'instructions', 'developer'] },
  { options: ['format'], others: ['provider', 'sdk', 'vendor', 'api', 'shape'] },
  { options: ['summarizer'], others: ['summarize', 'summarise', 'summariser', 'callLlm', 'summary'] },
  { options: ['classifier'], others: ['classify'] },
  { options: ['signal'], others: ['abort', 'abortController'] },
  { options: ['concurrency'], others: ['parallel', 'parallelism', 'maxConcurrent'] },
  { options: ['query'], others: ['question', 'prompt', 'topic', 'relevantTo', 'goal'] },
  { options: ['thinking'], others: ['reasoning'] },
  { options: ['originals'], others: ['verbatim', 'store', 'removed'] },
  { options: ['trace'], others: ['debug', 'verbose', 'explain', 'log'] },
  { options: ['mode', 'budgetStrategy', 'preset'], others: ['strategy'] },
  { options: ['preset'], others: ['policy', 'profile'] },
  { options: ['compressionDepth'], others: ['depth', 'level', 'aggressiveness'] },
  { options: ['cacheControl', 'cache'], others: ['promptCaching', 'breakpoints', 'cachePoints'] },
  { options: ['ttl'], others: ['lifetime', 'expiry', 'maxAge'] },
  { options: ['now'], others: ['clock', 'time', 'date'] },
  { options: ['margin'], others: ['headroom', 'buffer', 'slack', 'reservedShare'] },
  { options: ['calibration'], others: ['usage', 'lastUsage'] },
  { options: ['conversations'], others: ['maxConversations', 'sessions', 'maxSessions', 'maxSize', 'lru'] },
  { options: ['session'], others: ['getSession', 'sessionFor', 'sessionId', 'conversationId', 'threadId'] },
  { options: ['explainMarks'], others: ['marksNote', 'note'] },
  { options: ['onStep'], others: ['onRequest', 'onEpoch', 'onFit', 'onCompress'] },
  { options: ['onError'], others: ['onFailure', 'onWarning', 'onException'] },
  { options: ['kind'], others: ['type'] },
  { options: ['path'], others: ['file', 'filePath', 'filename', 'uri', 'url'] },
  { options: ['command'], others: ['cmd', 'shell', 'script'] },
  { options: ['cwd'], others: ['dir', 'directory', 'workdir'] },
];

const GROUPS = SYNONYMS.map(({ options, others }) => ({ options, names: new Set([...options, ...others].map(plain)) }));

/**
 * The option that was probably meant by a name, as errors call it; undefined if there is none like it.
 *
 * @param scopes the objects that it is in, from the inside out
 */
export function meantBy(name: string, scopes: Scope[]) {
  const searched = plain(name);
  if (searched === '' || name.length > LONGEST) return undefined;
  for (const find of [same, tokensOfEither, nested, synonym, written, contained]) {
    for (const { at, names } of scopes) {
      const found = find(searched, names.paths());
      if (found !== undefined) return `${at}.${found}`;
    }
  }
  return undefined;
}

/** Advice about a value in the place of the options: the option that has such values; empty if there is none. */
export function passInstead(value: unknown, options: Options) {
  const names = { number: ['limit'], string: ['format', 'tokenizer', 'model'] }[typeof value as string] ?? [];
  const meant = names.find((name) => Object.hasOwn(options, name) && isRight(name, value, options));
  return meant === undefined ? '' : `: pass { ${meant}: ${shown(value)} }`;
}

function isRight(name: string, value: unknown, options: Options) {
  try {
    // Some functions leave the check of the model to its reader.
    if (name === 'model') modelOf({ model: value }, name);
    else options[name].kind(name, value, {});
    return true;
  } catch {
    return false;
  }
}

const lastOf = (path: string) => plain(path.slice(path.lastIndexOf('.') + 1));

const same = (searched: string, paths: readonly string[]) => paths.find((path: string) => plain(path) === searched);

/** Most SDKs call the tokens of an answer so, and some libraries those of a request. */
const tokensOfEither = (searched: string, paths: readonly string[]) =>
  searched === 'maxtokens' && paths.includes('maxOutputTokens') ? 'maxOutputTokens for the answer, or limit for the request' : undefined;

const nested = (searched: string, paths: readonly string[]) => paths.find((path: string) => lastOf(path) === searched);

function synonym(searched: string, paths: readonly string[]) {
  const options = GROUPS.filter(({ names }) => names.has(searched)).flatMap((group) => group.options);
  return options.map((option) => paths.find((path: string) => path === option || path.endsWith(`.${option}`))).find(Boolean);
}

const written = (searched: string, paths: readonly string[]) =>
  misspelt(
    searched,
    paths.flatMap((path: string) => [
      [plain(path), path],
      [lastOf(path), path],
    ]),
  );

/** The longest name that is in the searched one, or that the searched one is in. */
function contained(searched: string, paths: readonly string[]) {
  const isLike = (last: string) => (last.length > 4 && searched.includes(last)) || (searched.length > 4 && last.includes(searched));
  const found = paths.filter((path: string) => isLike(lastOf(path)));
  return found.sort((a: string, b: string) => lastOf(b).length - lastOf(a).length)[0];
}
