// Message threads (beta): the server holds the conversation, and requests bring what is new.
import { refuse } from '../providers/refusal.mjs';
import { refuseWith } from './errors.mjs';

const BETA = 'message-threads-2026-08-12';
const LIFETIME = 300_000; // ms after the last request

export class Threads {
  #replies = new Map(); // id of a reply → { system, tools, messages, until, continued }

  /** The request as if it had brought everything. */
  resolve(sent, headers, now) {
    const { thread } = sent;
    if (thread == null) return sent;
    if (!String(headers['anthropic-beta']).includes(BETA)) refuse('thread: Extra inputs are not permitted');
    if (thread.type === 'create') return sent;
    if (thread.type !== 'continue' || typeof thread.previous_message_id !== 'string') refuse('thread: Input tag does not match');
    if (sent.system !== undefined || sent.tools !== undefined) refuse('thread: `system` and `tools` are those of the thread');
    const held = this.#replies.get(thread.previous_message_id);
    if (!held || held.until < now)
      refuseWith(
        { status: 404, details: { error_code: 'thread_not_found' } },
        `Thread of message ${thread.previous_message_id} was not found.`,
      );
    if (held.continued)
      refuseWith(
        { status: 409, details: { error_code: 'thread_already_continued' } },
        'The thread was already continued from this message.',
      );
    return { ...sent, ...held.fields, messages: [...held.messages, ...sent.messages] };
  }

  /** Keeps what a reply ends, if the request belongs to a thread. */
  keep({ thread, system, tools, messages }, reply, now) {
    if (thread == null) return;
    if (thread.type === 'continue') this.#replies.get(thread.previous_message_id).continued = true;
    const content = reply.content.map((block) => {
      const { citations: _, ...rest } = block;
      return rest;
    });
    const fields = { ...(system !== undefined && { system }), ...(tools !== undefined && { tools }) };
    this.#replies.set(reply.id, {
      fields,
      messages: [...messages, { role: 'assistant', content }],
      until: now + LIFETIME,
      continued: false,
    });
  }
}
