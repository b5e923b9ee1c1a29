// LangChain: a middleware whose session lives in the graph's state, and with it in the checkpointer.

import { copyOf } from '../formats/copy.js';
import { Integration } from './core.js';
import { palimpsestEdit } from './langchain-edit.js';
import { isRecall, recallToolOf, withRecall } from './recall.js';
import { maxTokensOf, nameOf } from './langchain-model.js';
import { zodOf } from './zod.js';
import type { Foreign } from '../types.js';
import type { Session } from '../../index.d.ts';

/** Key of the session's state in the graph's state. LangChain keeps keys that begin with `_` out of inputs and of the results of `invoke`. */
const STATE = '_palimpsest';

/** See `integrations/langchain.d.ts`. */
export function palimpsestMiddleware(options) {
  const integration = new Integration('palimpsestMiddleware()', options, { format: 'langchain' });
  const sessions = new Sessions();
  const updates = new Updates();
  const middleware = {
    name: 'palimpsest',
    stateSchema: stateSchema(),
    async wrapModelCall(request: Foreign, handler: (request: Foreign) => Promise<Foreign>) {
      const turn = await integration.turn(() => {
        const { messages, state } = request;
        const saved = state[STATE];
        const systemMessage = explained(request.systemMessage, integration.note);
        const settings = settingsOf(request, systemMessage);
        const create = () => integration.create({ messages, ...settings }, saved);
        const use = () => sessions.of(saved, messages, settings, create);
        const write = ({ messages: chosen }) => ({ request: { ...request, systemMessage, messages: chosen }, settings });
        return { messages, ...settings, use, write };
      }, request);
      const response = await handler(turn.sent?.request ?? request);
      const { session, sent } = turn;
      const isAnswer = typeof response?.getType === 'function';
      turn.look(() => look(isAnswer ? response : response.messages?.[0], turn));
      if (session === undefined) return response;
      const answered = () => {
        // A command comes from another middleware that did not ask the model.
        if (response.lg_name === 'Command') return response;
        const update = { ...(isAnswer ? {} : structured(response)), [STATE]: sessions.save(session, sent.settings) };
        return updates.command(request.state.messages, update);
      };
      return (await integration.guard.run(answered, request)) ?? response;
    },
  };
  return withRecall(middleware, integration);
}

/** Passes on the usage of an answer, and its calls of the recall tool. */
function look(answer, turn) {
  turn.observe(answer?.usage_metadata);
  const ids = (answer?.tool_calls ?? []).filter(({ name }) => isRecall(name)).map(({ id }) => id);
  if (ids.length > 0) for (const key of [answer, ...ids]) turn.called(key);
}

/** See `recallTool` in `integrations/langchain.d.ts`. */
export function recallTool(from) {
  const { name, description, parameters, execute } = recallToolOf(from, 'a middleware that palimpsestMiddleware() returned');
  const { tool } = require('langchain') as typeof import('langchain');
  return tool(
    (input: Foreign, runtime: Foreign) => execute(input, answerIn(runtime?.state), runtime?.toolCallId ?? runtime?.toolCall?.id),
    { name, description, schema: parameters },
  );
}

/** The answer that a call is in, by the graph's state. */
const answerIn = (state: Foreign) => state?.messages?.findLast?.((message: Foreign) => message?.tool_calls?.length > 0);

/** What determines a session's options besides the caller's. */
function settingsOf({ tools = [], model }, systemMessage) {
  const system = systemMessage.text === '' ? undefined : systemMessage;
  return { system, tools, model: nameOf(model), maxOutputTokens: maxTokensOf(model) };
}

/**
 * The update of a structured answer. LangChain adds the answer to the history before it, with the agent's name, which structured ones don't
 * have; the copy takes its place.
 */
const structured = ({ structuredResponse, messages }) => ({
  structuredResponse,
  messages: messages.map((message) =>
    message.id === undefined ? message : Object.assign(copyOf(message), { lc_kwargs: { ...message.lc_kwargs } }),
  ),
});

const explained = (systemMessage, note) =>
  note === undefined ? systemMessage : systemMessage.concat(systemMessage.text === '' ? note : `\n\n${note}`);

/** Live sessions. Within a run, the graph hands on the very state that a session wrote, so that it need not be read again. */
class Sessions {
  #bySaved: WeakMap<object, { session: Session; settings: Foreign }> = new WeakMap();
  /** What each session wrote last. */
  #latest: WeakMap<Session, object> = new WeakMap();

  /**
   * Returns the session whose latest state is `saved`, if it has these settings; otherwise what `create` returns. Undefined if the messages
   * have to show the session: nothing is saved of a conversation that is under way, or something that can't be read, such as the state of
   * another version. Threads that begin with the same message have nothing in common.
   */
  of(saved, messages, settings, create) {
    if (!saved && messages.some((message) => message.getType() === 'ai')) return undefined;
    const { session, settings: its } = (saved && this.#bySaved.get(saved)) ?? {};
    if (session !== undefined && this.#latest.get(session) === saved && isSameSettings(its, settings)) return session;
    try {
      return create();
    } catch {
      return undefined;
    }
  }

  /** Returns the state of a session for the graph. */
  save(session: Session, settings: Foreign) {
    const saved = session.toJSON();
    this.#bySaved.set(saved, { session, settings });
    this.#latest.set(session, saved);
    return saved;
  }
}

function isSameSettings(a, b) {
  if (a.model !== b.model || a.maxOutputTokens !== b.maxOutputTokens) return false;
  if (a.tools.length !== b.tools.length || a.tools.some((tool, index) => tool !== b.tools[index])) return false;
  return a.system === b.system || JSON.stringify(a.system?.content) === JSON.stringify(b.system?.content);
}

/** Commands that write the graph's state. */
class Updates {
  /** The last one of a step, by the messages that the graph had. */
  #last = new WeakMap();

  async command(messages: object[], update: Record<string, unknown>) {
    const { Command } = await import('@langchain/langgraph');
    const command = new Command({ update });
    // If another middleware asks again in the same step, LangChain would apply both, and a key may be written once.
    const before = this.#last.get(messages);
    if (before !== undefined) before.update = {};
    this.#last.set(messages, command);
    return command;
  }
}

/** LangChain takes schemas of Zod alone. */
function stateSchema() {
  const z = zodOf('langchain');
  return z.object({ [STATE]: z.any().optional() });
}

export { palimpsestEdit } from './langchain-edit.js';
