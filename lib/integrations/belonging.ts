// What an integration returns belongs to one place of one SDK. Most SDKs ignore objects of another one without a word, and names such as
// `palimpsestMiddleware` stand in several subpaths. So the object itself says where it belongs, as soon as another SDK reads or calls it.

/** What belongs somewhere: a function and the subpath that it is in. */
export type Owner = readonly [take: string, from: string];

/** Where an SDK takes an object, what belongs there, and members that it reads first of an object there. */
const PLACES: [where: string, owner: Owner, reads: string[]][] = [
  ['wrapLanguageModel() of the AI SDK', ['palimpsestMiddleware()', 'ai-sdk'], ['transformParams']],
  ['createAgent() of LangChain', ['palimpsestMiddleware()', 'langchain'], ['wrapModelCall']],
  ['contextEditingMiddleware() of LangChain', ['palimpsestEdit()', 'langchain'], ['apply']],
  ['an agent of Mastra', ['palimpsestProcessor()', 'mastra'], ['processInput', 'processInputStep', 'processLLMRequest']],
  ['a runner of Google ADK', ['palimpsestPlugin()', 'google-adk'], ['onUserMessageCallback', 'beforeRunCallback', 'beforeModelCallback']],
  [
    "`model` or `modelProvider` of OpenAI's Agents SDK",
    ['palimpsestModel()', 'openai-agents'],
    ['getModel', 'getResponse', 'getStreamedResponse'],
  ],
];

/** Members of the arguments that SDKs call functions with. */
interface Argument {
  steps?: unknown;
  messageList?: unknown;
  modelData?: unknown;
  hook_event_name?: unknown;
  setHeader?: unknown;
  headers?: { get?: unknown } | null;
}

/** Where an SDK takes a function, what belongs there, and whether these are the arguments that it calls one with. */
const CALLS: [where: string, owner: Owner, isCalled: (given: readonly (Argument | null | undefined)[]) => boolean][] = [
  ['prepareStep of the AI SDK', ['prepareStep()', 'ai-sdk'], ([params]) => Array.isArray(params?.steps) && !('messageList' in params)],
  ["callModelInputFilter of OpenAI's Agents SDK", ['palimpsestFilter()', 'openai-agents'], ([args]) => args?.modelData !== undefined],
  ['hooks of the Claude Agent SDK', ['shortenToolOutput()', 'claude-agent-sdk'], ([input]) => typeof input?.hook_event_name === 'string'],
  ['a route of Express', ['chatParser()', 'express'], ([, response]) => typeof response?.setHeader === 'function'],
  ['a handler of requests', ['createChatParser()', 'web'], ([request]) => typeof request?.headers?.get === 'function'],
  ['an agent of Mastra', ['palimpsestProcessor()', 'mastra'], ([args]) => args?.messageList !== undefined],
  // It asks a function for its method `apply`, which every function has, and so calls it with nothing.
  ['contextEditingMiddleware() of LangChain', ['palimpsestEdit()', 'langchain'], (given) => given.length === 0],
];

/** Member that names what made an object: a proxy of the object has it, too. */
const MADE_BY = Symbol('palimpsest');

/** Members of clients and models. */
interface Given {
  chat?: { completions?: unknown } | null;
  messages?: unknown;
  post?: unknown;
  models?: { generateContent?: unknown } | null;
  chats?: unknown;
  doGenerate?: unknown;
  languageModel?: unknown;
  lc_namespace?: unknown;
  generateContentAsync?: unknown;
  getModel?: unknown;
  getResponse?: unknown;
  [MADE_BY]?: Owner;
}

/** What callers hand to integrations, and how it is told. */
const GIVEN: [what: string, owner: Owner, isIt: (value: Given) => unknown][] = [
  ["a client of OpenAI's SDK", ['withPalimpsest()', 'openai'], ({ chat, post }) => chat?.completions && typeof post === 'function'],
  ["a client of Anthropic's SDK", ['withPalimpsest()', 'anthropic'], ({ messages, post }) => messages && typeof post === 'function'],
  ["a client of Google's SDK", ['withPalimpsest()', 'gemini'], ({ models, chats }) => models?.generateContent && chats],
  ['a model of the AI SDK', ['palimpsestMiddleware()', 'ai-sdk'], ({ doGenerate, languageModel }) => doGenerate ?? languageModel],
  ['a model of LangChain', ['palimpsestMiddleware()', 'langchain'], ({ lc_namespace }) => lc_namespace],
  ['a model of Google ADK', ['palimpsestPlugin()', 'google-adk'], ({ generateContentAsync }) => generateContentAsync],
  ["a model of OpenAI's Agents SDK", ['palimpsestModel()', 'openai-agents'], ({ getModel, getResponse }) => getModel ?? getResponse],
];

const named = ([take, from]: Owner) => `${take} of palimpsest/${from}`;
const isSame = (one: Owner, other: Owner) => one[0] === other[0] && one[1] === other[1];

const misplaced = (own: Owner, where: string, right: Owner) =>
  new TypeError(`${named(own)} does not belong in ${where}: there, take ${named(right)}`);

const uncalled = (own: Owner) =>
  new TypeError(`${named(own)} was handed over without being called: write ${own[0].replace('()', '(options)')}`);

/**
 * Makes a function throw where its SDK reads it, because it was handed over in place of what it returns. Otherwise nobody would hear of it: the SDK
 * finds none of the members that it knows.
 */
export function callable(made: object, own: Owner) {
  const get = () => {
    throw uncalled(own);
  };
  for (const [, owner, reads] of PLACES)
    if (isSame(own, owner)) for (const name of reads) if (!(name in made)) Object.defineProperty(made, name, { get, configurable: true });
}

/**
 * Checks that the arguments are options, and not those that an SDK calls the result with.
 *
 * @throws {TypeError}
 */
export function checkOptionsGiven(own: Owner, given: ArrayLike<unknown>) {
  const [, , isCalled] = CALLS.find(([, owner]) => isSame(own, owner)) as (typeof CALLS)[number];
  if (isCalled(Array.from(given) as Argument[])) throw uncalled(own);
}

/**
 * Returns an object, or a function, that throws where another SDK reads it.
 *
 * @param own what makes it
 * @param members what it has for callers, such as its recall tool
 */
export function belonging<T extends object, M extends object>(object: T, own: Owner, members?: M): T & M {
  for (const [where, right, reads] of PLACES) {
    if (isSame(own, right)) continue;
    const get = () => {
      throw misplaced(own, where, right);
    };
    // Nobody who lists or copies the members of the object meets them.
    for (const name of reads) if (!(name in object)) Object.defineProperty(object, name, { get, configurable: true });
  }
  for (const [name, value] of [...Object.entries(members ?? {}), [MADE_BY, own] as const])
    Object.defineProperty(object, name, { value, configurable: true, writable: true });
  return object as T & M;
}

/**
 * Checks that a function is not called by another SDK than its own.
 *
 * @param given its arguments
 * @throws {TypeError}
 */
export function checkCall(own: Owner, given: readonly unknown[]) {
  const found = CALLS.find(([, , isCalled]) => isCalled(given as Argument[]));
  if (found !== undefined && !isSame(own, found[1])) throw misplaced(own, found[0], found[1]);
}

/**
 * Checks that what a caller hands to an integration is none of another SDK's.
 *
 * @param name of the argument
 * @throws {TypeError}
 */
export function checkGiven(own: Owner, name: string, value: unknown) {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return;
  const { [MADE_BY]: maker } = value as Given;
  if (maker !== undefined && isSame(maker, own)) return;
  if (maker !== undefined) throw new TypeError(`${named(own)}: ${name} must not be what ${named(maker)} returned`);
  const kinds = GIVEN.filter(([, , isIt]) => isIt(value));
  if (kinds.length === 0 || kinds.some(([, owner]) => isSame(own, owner))) return;
  const [what, right] = kinds[0];
  throw new TypeError(`${named(own)}: ${name} is ${what}: take ${named(right)}`);
}
