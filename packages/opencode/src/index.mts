// A plugin of opencode: a session chooses what each request sends, in place of opencode's compaction.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createHarness } from 'palimpsest/internal';
import type { Harness, HarnessSettings } from 'palimpsest/internal';
import type { Answered, Plugin } from './opencode.mjs';

/** Options of the plugin: those of `createSession` but its store and its functions, as opencode's configuration is JSON. */
export type OpencodeOptions = HarnessSettings;

type Format = 'anthropic' | 'openai-chat' | 'openai-responses' | 'gemini';

/** Formats of requests by the package that opencode sends them with. Others go out as they are, and opencode compacts them as ever. */
const FORMATS: Partial<Record<string, Format>> = {
  '@ai-sdk/anthropic': 'anthropic',
  '@ai-sdk/openai': 'openai-responses',
  '@ai-sdk/azure': 'openai-responses',
  '@ai-sdk/google': 'gemini',
  '@ai-sdk/openai-compatible': 'openai-chat',
  '@ai-sdk/deepinfra': 'openai-chat',
  '@ai-sdk/cerebras': 'openai-chat',
  '@ai-sdk/groq': 'openai-chat',
  '@ai-sdk/togetherai': 'openai-chat',
  '@ai-sdk/xai': 'openai-chat',
  '@openrouter/ai-sdk-provider': 'openai-chat',
};

/** Names the conversation of a request, between the hook that knows it and the request itself. It is not sent. */
const HEADER = 'x-palimpsest-conversation';
/** Agents of opencode's own that go on with no conversation. */
const APART = new Set(['title', 'summary', 'compaction']);
/** Share of the window that requests may take. opencode compacts when a request and its answer leave no room for a next one. */
const SHARE = 0.9;
/** Maximum number of conversations that are remembered. */
const MOST = 100;

/** A conversation of opencode's. */
interface Conversation {
  harness: Harness;
  format: Format;
  window: number;
  /** When its last request was chosen, in ms. */
  chosen: number;
}

/** opencode's data, beside which the states lie. */
const FOLDER = join(process.env.XDG_DATA_HOME || join(homedir(), '.local/share'), 'opencode', 'palimpsest');

/**
 * The plugin. opencode hands its hooks messages of its own, without system prompt and tools. So requests are read as they go out: the global `fetch`
 * looks for those that a hook has named, and hands on all others untouched.
 *
 * @throws {TypeError | RangeError} an option is wrong
 */
const palimpsest: Plugin = async ({ client }, options) => {
  // What Node.js writes of a warning would stand in the middle of opencode's screen.
  const tell = (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    client?.app?.log({ body: { service: 'palimpsest', level: 'warn', message } })?.catch(() => {});
  };
  const settings = { recall: { limit: 3000 }, warn: false, onError: tell, ...options };
  // Wrong options are said when opencode starts.
  createHarness('palimpsest', settings);
  /** From the least to the most recently used. opencode has a plugin for each directory, each with conversations of its own. */
  const all = new Map<string, Conversation>();

  const name = (id: string, format: Format, window: number) => {
    const known = all.get(id);
    const harness = known?.harness ?? createHarness('palimpsest', settings);
    if (known === undefined) harness.open(savedOf(id));
    all.delete(id);
    all.set(id, { harness, format, window, chosen: known?.chosen ?? 0 });
    if (all.size > MOST) all.delete(all.keys().next().value as string);
  };
  const save = (id: string, { harness }: Conversation, isEnd: boolean) => {
    const state = harness.state(isEnd);
    if (state === undefined) return;
    try {
      mkdirSync(FOLDER, { recursive: true, mode: 0o700 });
      writeFileSync(fileOf(id), JSON.stringify(state), { mode: 0o600 });
    } catch (error) {
      tell(error);
    }
  };
  const choose = async (id: string, conversation: Conversation, body: string) => {
    const { harness, format, window } = conversation;
    const request = await harness.choose(JSON.parse(body), { format, window });
    conversation.chosen = Date.now();
    save(id, conversation, false);
    return JSON.stringify(request);
  };
  const undo = watch((id) => {
    const conversation = all.get(id);
    return conversation && ((body) => choose(id, conversation, body));
  });

  return {
    config: async (config: { compaction?: object }) => {
      // What it clears of old results is cleared in the history, and so changes what the cache has.
      config.compaction = { prune: false, ...config.compaction };
    },
    'chat.headers': async ({ sessionID, agent, model }, { headers }) => {
      const format = FORMATS[model.api.npm];
      if (format === undefined || APART.has(agent)) return;
      name(sessionID, format, Math.floor(SHARE * model.limit.context));
      headers[HEADER] = sessionID;
    },
    event: async ({ event: { type, properties } }) => {
      const { info } = properties as { info?: Answered & { id?: string } };
      if (type === 'session.deleted' && info?.id !== undefined) {
        all.delete(info.id);
        rmSync(fileOf(info.id), { force: true });
      }
      const conversation = type === 'message.updated' && info?.role === 'assistant' ? all.get(info.sessionID) : undefined;
      // An answer of before the last request says nothing of it.
      if (conversation === undefined || !((info?.time.completed ?? 0) >= conversation.chosen)) return;
      const { input, output, cache } = (info as Answered).tokens;
      conversation.harness.observe({ input, output, ...cache });
    },
    dispose: async () => {
      undo();
      for (const [id, conversation] of all) save(id, conversation, true);
      all.clear();
    },
  };
};

export default palimpsest;

/**
 * Hands the bodies of named requests to a function, which returns the one to send.
 *
 * @param chooserOf returns that function by the name; undefined for a request of somebody else's
 * @returns what ends it
 */
function watch(chooserOf: (id: string) => ((body: string) => Promise<string>) | undefined) {
  const before = globalThis.fetch;
  const watched = async (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
    const headers = new Headers(init?.headers);
    const choose = chooserOf(headers.get(HEADER) ?? '');
    if (choose === undefined) return before(input, init);
    headers.delete(HEADER);
    const body = typeof init?.body === 'string' ? { body: await choose(init.body) } : {};
    return before(input, { ...init, headers, ...body });
  };
  globalThis.fetch = Object.assign(watched, before);
  return () => {
    if (globalThis.fetch === watched) globalThis.fetch = before;
  };
}

/** Ids are opencode's own: letters, digits and underscores. */
const fileOf = (id: string) => join(FOLDER, `${id.replace(/\W/g, '')}.json`);

/** The state of a conversation; undefined where there is none that can be read. */
function savedOf(id: string) {
  try {
    return JSON.parse(readFileSync(fileOf(id), 'utf8'));
  } catch {
    return undefined;
  }
}
