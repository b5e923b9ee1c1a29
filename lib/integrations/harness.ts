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
  #last: Pick<Turn, 'observe'> | undefined;
  #isFitting = false;

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
  }

  async choose(body: Whole, { format, window }: { format: WholeFormat; window?: number | undefined }): Promise<Whole> {
    const use = (request: Request) => this.#use(request);
    const chosen = await choose({ integration: this.#integration, format, window, use }, () => body, body);
    this.#last = chosen;
    this.#isFitting = chosen.isFitting;
    return chosen.request ?? body;
  }

  observe(usage: object): void {
    this.#last?.observe(usage);
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
    this.#session = this.#resumed(request, this.#session?.toJSON() ?? this.#saved);
    this.#settings = name;
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
