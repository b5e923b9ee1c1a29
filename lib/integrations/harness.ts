// What the packages for harnesses share: the whole requests of one conversation after another, whose state the harness keeps beside its own history.

import { toolFor } from '../session/recall-tool.js';
import { Integration } from './core.js';
import { choose } from './requests.js';
import type { SavedSession, Session } from '../../index.js';
import type { WholeFormat } from '../providers/request.js';
import type { Request, Turn } from './core.js';
import type { Whole } from './requests.js';

/** See `Harness` in internal.ts. */
export class HarnessSessions {
  #integration;
  #session: Session | undefined;
  /** What the session was made for. */
  #settings: string | undefined;
  #saved: SavedSession | undefined;
  #last: (Pick<Turn, 'observe'> & { format: WholeFormat }) | undefined;
  #isFitting = false;
  /** What the state had that was written last. */
  #written = { requests: 0, epochs: 0 };

  constructor(caller: string, options?: object | null) {
    this.#integration = new Integration(caller, { ...options, conversations: 1 });
  }

  get session(): Session | undefined {
    return this.#session;
  }

  get isFitting(): boolean {
    return this.#isFitting;
  }

  open(saved?: SavedSession): void {
    this.#saved = saved;
    this.#session = this.#settings = this.#last = undefined;
    this.#isFitting = false;
    this.#written = { requests: 0, epochs: 0 };
  }

  async choose(body: Whole, { format, window }: { format: WholeFormat; window?: number | undefined }): Promise<Whole> {
    const use = (request: Request) => this.#use(request);
    const chosen = await choose({ integration: this.#integration, format, window, use }, () => body, body);
    this.#last = { observe: chosen.observe, format };
    this.#isFitting = chosen.isFitting;
    return chosen.request ?? body;
  }

  observe({ input, output, read, write }: { input: number; output: number; read: number; write: number }): void {
    // Only Anthropic's usage has what was written, and the input without the cache.
    const usage =
      this.#last?.format === 'anthropic'
        ? { input_tokens: input, cache_read_input_tokens: read, cache_creation_input_tokens: write, output_tokens: output }
        : { input_tokens: input + read + write, input_tokens_details: { cached_tokens: read }, output_tokens: output };
    this.#last?.observe(usage);
  }

  state(isEnd: boolean = false): SavedSession | undefined {
    const now = countsOf(this.#session);
    if (now.requests === this.#written.requests || (!isEnd && now.epochs === this.#written.epochs)) return undefined;
    this.#written = now;
    return this.#session?.toJSON();
  }

  recallTool() {
    this.#integration.offerRecall();
    const tool = toolFor(() => this.#session);
    return { ...tool, execute: (input: unknown) => tool.execute(input, undefined) };
  }

  /**
   * The session goes on as long as nothing but the messages changes; with other tools or another model one takes up its state. Harnesses shorten the
   * answer to what the window has room for, which is no other setting.
   */
  #use(request: Request): Session {
    const { messages: _messages, maxOutputTokens: _output, ...settings } = request;
    const name = JSON.stringify(settings);
    if (this.#session !== undefined && name === this.#settings) return this.#session;
    const isFirst = this.#session === undefined;
    this.#session = this.#resumed(request, this.#session?.toJSON() ?? this.#saved);
    this.#settings = name;
    if (isFirst) this.#written = countsOf(this.#session);
    return this.#session;
  }

  #resumed(request: Request, saved: SavedSession | undefined): Session {
    try {
      return this.#integration.create(request, saved);
    } catch (error) {
      if (saved === undefined) throw error;
      // A state that can't be read, such as one of another version, is as good as none.
      return this.#integration.create(request);
    }
  }
}

/** Numbers of a session's requests and epochs. */
function countsOf(session: Session | undefined) {
  const { requests, epochs } = session?.report ?? { requests: 0, epochs: {} };
  return { requests, epochs: Object.values(epochs).reduce((sum, count) => sum + count, 0) };
}
