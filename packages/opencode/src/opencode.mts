// What the plugin uses of opencode's interface, as `Plugin` of @opencode-ai/plugin declares it.

export type Plugin = (input: Input, options?: Record<string, unknown>) => Promise<Hooks>;

export interface Input {
  client?: { app?: { log(entry: { body: { service: string; level: 'warn'; message: string } }): Promise<unknown> } };
}

export interface Hooks {
  dispose: () => Promise<void>;
  config: (config: object) => Promise<void>;
  event: (input: { event: { type: string; properties: unknown } }) => Promise<void>;
  'chat.headers': (input: { sessionID: string; agent: string; model: Model }, output: { headers: Record<string, string> }) => Promise<void>;
}

export interface Model {
  api: { npm: string };
  limit: { context: number };
}

/** What `message.updated` tells of an answer. `input` has none of the tokens of the cache. */
export interface Answered {
  role: string;
  sessionID: string;
  time: { completed?: number };
  tokens: { input: number; output: number; cache: { read: number; write: number } };
}
