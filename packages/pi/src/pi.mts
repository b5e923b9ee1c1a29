// What the extension uses of pi's interface, as `ExtensionAPI` of @earendil-works/pi-coding-agent declares it.

export type Extension = (pi: Pi) => void;

export interface Pi {
  on(event: 'session_start', handler: (event: object, ctx: Context) => void): void;
  on(event: 'session_tree', handler: (event: object, ctx: Context) => void): void;
  on(event: 'session_shutdown', handler: () => void): void;
  on(event: 'before_provider_request', handler: (event: { payload: unknown }, ctx: Context) => Promise<object | undefined>): void;
  on(event: 'message_end', handler: (event: { message: { role: string; usage?: Usage } }, ctx: Context) => void): void;
  on(event: 'session_before_compact', handler: (event: { reason: string }, ctx: Context) => { cancel: true } | undefined): void;
  appendEntry(type: string, data: unknown): void;
  registerFlag(name: string, options: { type: 'string'; description: string }): void;
  getFlag(name: string): boolean | string | undefined;
  registerCommand(name: string, options: { description: string; handler: (args: string, ctx: Context) => Promise<void> }): void;
  registerTool(tool: {
    name: string;
    label: string;
    description: string;
    parameters: object;
    execute: (id: string, input: unknown) => Promise<{ content: { type: 'text'; text: string }[]; details: undefined }>;
  }): void;
}

export interface Context {
  hasUI: boolean;
  ui: { notify(text: string, type?: 'info' | 'warning' | 'error'): void };
  sessionManager: { getBranch(): { type: string; customType?: string; data?: unknown }[] };
  model: { api: string; contextWindow: number } | undefined;
}

/** Tokens of a request and its answer. `input` has none of the two of the cache. */
export interface Usage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}
