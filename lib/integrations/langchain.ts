// LangChain: a middleware whose session lives in the graph's state, and with it in the checkpointer.

import { copyOf } from '../providers/shared/copy.js';
import { belonging, callable } from './belonging.js';
import { Integration } from './core.js';
import { checkPeers } from './peer.js';
import { palimpsestEdit } from './langchain-edit.js';
import { isOwn, pinToolOf, recallToolOf } from './recall.js';
import type { NeutralTool } from './recall.js';
import { adapterOf, maxTokensOf, nameOf, toldBy } from './langchain-model.js';
import { zodOf } from './zod.js';
import type { SavedSession, Session } from '../../index.d.ts';
import type { AgentMiddleware, AIMessage, BaseMessage, ContextEdit, ModelRequest, StructuredTool, SystemMessage } from 'langchain';
import type { Command } from '@langchain/langgraph';
import type { AtMostOneLimit, FitResult, FitSettings, OneCounter, Originals, SummarySettings } from '../../index.js';
import type { IntegrationOptions, WithPinTool, WithRecallTool } from './options.js';
import type { Turn } from './core.js';

checkPeers('langchain');

const OWN = ['palimpsestMiddleware()', 'langchain'] as const;

export type { WithPinTool, WithRecallTool };

/** Options of {@link palimpsestMiddleware}. */
export type PalimpsestMiddlewareOptions = IntegrationOptions<ModelRequest, BaseMessage>;

/** Options of {@link palimpsestEdit}: {@link PalimpsestEditSettings} that go together. */
export type PalimpsestEditOptions = PalimpsestEditSettings & AtMostOneLimit & OneCounter;

/** Each option of {@link palimpsestEdit}: those of `fitAsync`, where `system` and `tools` have to be given to be counted. */
export interface PalimpsestEditSettings extends Omit<FitSettings<BaseMessage> & SummarySettings, 'format' | 'originals' | 'signal'> {
  /**
   * Share of the limit that an edit leaves, above 0 and below 1. The next edit comes when the limit is exceeded again; until then the cached
   * prefix holds. Default 0.5.
   */
  low?: number | null | undefined;
  /**
   * Object of yours to which each edit adds what it takes out, and from which the next one puts it back before it chooses; one may serve all
   * conversations. `restore` gives the messages back with it. It holds instances: `load(JSON.stringify(originals))` of
   * `@langchain/core/load` revives a stored one. Default none: what an edit takes out is lost.
   */
  originals?: Originals | null | undefined;
  /** Called after each edit; a promise is waited for. Default none. */
  onFit?: ((result: FitResult<BaseMessage>) => void | Promise<void>) | null | undefined;
  /**
   * Called with each failure of palimpsest, after which the messages are as they were; a promise is waited for. Errors that it throws reach the
   * caller. Default none: one warning.
   */
  onError?: ((error: unknown, context: { params: Parameters<ContextEdit['apply']>[0] }) => void | Promise<void>) | null | undefined;
}

/** Key of the session's state in the graph's state. LangChain keeps keys that begin with `_` out of inputs and of the results of `invoke`. */
const STATE = '_palimpsest';

/**
 * Middleware for `createAgent`: each request to the model has the messages that a session chooses. The graph's state keeps the whole history
 * and is never changed.
 *
 * The session's state is part of the graph's, under the private key `_palimpsest`, as plain JSON of at most 5 % of the history's size and
 * 2 KB. With a checkpointer it is saved with the thread, so that another process continues the conversation with the same next request.
 * Without one, the session of a conversation is found by its messages, in this process. Results of `invoke` don't have the key, streams of
 * `updates` and `values` do.
 *
 * Tools, the system message and the model's name are those of the request, after the middleware before this one: place it last. The
 * usage of each answer corrects the counts.
 *
 * `recallTool()` of the middleware is for its agents. The conversation is found by the id of the call. A run that another process goes on with
 * between a call and its result can look up nothing in that call.
 *
 * @example
 * import { MemorySaver } from '@langchain/langgraph';
 * import { createAgent } from 'langchain';
 * import { palimpsestMiddleware } from 'palimpsest/langchain';
 *
 * const agent = createAgent({ model: 'openai:gpt-5.5', tools, checkpointer: new MemorySaver(), middleware: [palimpsestMiddleware()] });
 *
 * @throws {TypeError} an option is wrong
 * @throws {RangeError} a number is out of range
 */
export function palimpsestMiddleware(
  options?: PalimpsestMiddlewareOptions | null,
): AgentMiddleware<undefined, undefined, unknown, readonly [], readonly []> & WithRecallTool<StructuredTool> & WithPinTool<StructuredTool> {
  const integration = new Integration('palimpsestMiddleware()', options, { format: 'langchain' });
  const sessions = new Sessions();
  const updates = new Updates();
  const middleware = {
    name: 'palimpsest',
    stateSchema: stateSchema(),
    async wrapModelCall(request: ModelRequest, handler: (request: ModelRequest) => Promise<Answer>): Promise<Answer> {
      const turn = await integration.turn(() => {
        const { messages, state } = request;
        const saved = state[STATE] as SavedSession | undefined;
        const systemMessage = explained(request.systemMessage, integration.note);
        const settings = settingsOf(request, systemMessage);
        const create = () => integration.create({ messages, ...settings }, saved);
        const use = () => sessions.of(saved, messages, settings, create);
        const write = (chosen: readonly BaseMessage[]) => ({
          request: { ...request, systemMessage, messages: chosen as BaseMessage[] },
          settings,
        });
        return { messages, ...settings, use, write };
      }, request);
      const response = await handler(turn.sent?.request ?? request);
      const { session, sent } = turn;
      const isAnswer = typeof (response as AIMessage | undefined)?.getType === 'function';
      turn.look(() => look(isAnswer ? (response as AIMessage) : (response as Structured).messages?.[0], turn));
      if (session === undefined || sent === undefined) return response;
      const answered = async () => {
        // A command comes from another middleware that did not ask the model.
        if ((response as Command).lg_name === 'Command') return response;
        const update = { ...(isAnswer ? {} : structured(response as Structured)), [STATE]: sessions.save(session, sent.settings) };
        return updates.command(request.state.messages as object[], update);
      };
      return (await integration.guard.run(answered, request)) ?? response;
    },
  };
  return belonging(middleware as unknown as AgentMiddleware<undefined, undefined, unknown, readonly [], readonly []>, OWN, {
    recallTool: () => toolOf(recallToolOf(integration)),
    pinTool: () => toolOf(pinToolOf(integration)),
  });
}

callable(palimpsestMiddleware, OWN);

/** A structured answer. */
interface Structured {
  structuredResponse: unknown;
  messages: AIMessage[];
}

/** What an agent's model returns; a command comes from another middleware. */
type Answer = AIMessage | Structured | Command;

/** Passes on the usage of an answer, and its calls of the recall tool. */
function look(answer: AIMessage | undefined, turn: Turn) {
  turn.observe(answer?.usage_metadata);
  const ids = (answer?.tool_calls ?? []).filter(({ name }) => isOwn(name)).map(({ id }) => id);
  if (ids.length > 0) for (const key of [answer, ...ids]) turn.called(key);
}

/** What a tool is told of its call. */
interface Runtime {
  state?: { messages?: Pick<AIMessage, 'tool_calls'>[] };
  toolCallId?: string;
  toolCall?: { id?: string };
}

/** A tool as the SDK takes it. */
function toolOf({ name, description, parameters, execute }: NeutralTool): StructuredTool {
  const { tool } = require('langchain') as typeof import('langchain');
  return tool(
    (input: unknown, runtime?: Runtime) => execute(input, answerIn(runtime?.state), runtime?.toolCallId ?? runtime?.toolCall?.id),
    { name, description, schema: parameters },
    // Its own declarations don't tell absent from undefined.
  ) as unknown as StructuredTool;
}

/** The answer that a call is in, by the graph's state. */
const answerIn = (state: Runtime['state']) => state?.messages?.findLast?.((message) => (message?.tool_calls?.length ?? 0) > 0);

/** What determines a session's options besides the caller's. */
function settingsOf({ tools = [], model }: ModelRequest, systemMessage: SystemMessage) {
  const system = systemMessage.text === '' ? undefined : systemMessage;
  return { system, tools, model: nameOf(model), adapter: adapterOf(model), maxOutputTokens: maxTokensOf(model), ...toldBy(model) };
}

/**
 * The update of a structured answer. LangChain adds the answer to the history before it, with the agent's name, which structured ones don't
 * have; the copy takes its place.
 */
const structured = ({ structuredResponse, messages }: Structured) => ({
  structuredResponse,
  messages: messages.map((message) =>
    message.id === undefined ? message : Object.assign(copyOf(message), { lc_kwargs: { ...message.lc_kwargs } as object }),
  ),
});

const explained = (systemMessage: SystemMessage, note: string | undefined): SystemMessage =>
  note === undefined ? systemMessage : systemMessage.concat(systemMessage.text === '' ? note : `\n\n${note}`);

type Settings = ReturnType<typeof settingsOf>;

/** Live sessions. Within a run, the graph hands on the very state that a session wrote, so that it need not be read again. */
class Sessions {
  #bySaved: WeakMap<object, { session: Session; settings: Settings }> = new WeakMap();
  /** What each session wrote last. */
  #latest: WeakMap<Session, object> = new WeakMap();

  /**
   * Returns the session whose latest state is `saved`, if it has these settings; otherwise what `create` returns. Undefined if the messages
   * have to show the session: nothing is saved of a conversation that is under way, or something that can't be read, such as the state of
   * another version. Threads that begin with the same message have nothing in common.
   */
  of(saved: SavedSession | undefined, messages: readonly BaseMessage[], settings: Settings, create: () => Session): Session | undefined {
    if (!saved && messages.some((message) => message.getType() === 'ai')) return undefined;
    const known = saved && this.#bySaved.get(saved);
    if (known && this.#latest.get(known.session) === saved && isSameSettings(known.settings, settings)) return known.session;
    try {
      return create();
    } catch {
      return undefined;
    }
  }

  /** Returns the state of a session for the graph. */
  save(session: Session, settings: Settings) {
    const saved = session.toJSON();
    this.#bySaved.set(saved, { session, settings });
    this.#latest.set(session, saved);
    return saved;
  }
}

function isSameSettings(a: Settings, b: Settings) {
  if (a.model !== b.model || a.maxOutputTokens !== b.maxOutputTokens || a.hasBudget !== b.hasBudget) return false;
  if (JSON.stringify(a.contextManagement) !== JSON.stringify(b.contextManagement)) return false;
  if (a.tools.length !== b.tools.length || a.tools.some((tool, index) => tool !== b.tools[index])) return false;
  return a.system === b.system || JSON.stringify(a.system?.content) === JSON.stringify(b.system?.content);
}

/** Commands that write the graph's state. */
class Updates {
  /** The last one of a step, by the messages that the graph had. */
  #last: WeakMap<object, Command> = new WeakMap();

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
