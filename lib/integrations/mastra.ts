import { isObject } from '../checks.js';
import { toldBy } from '../providers/ai-sdk-model/call.js';
import { adapterOf } from './adapters.js';
import { belonging, callable } from './belonging.js';
import { Integration } from './core.js';
import { checkPeers } from './peer.js';
import { withNoteIn } from './note.js';
import { isOwn, pinToolOf, recallToolOf } from './recall.js';
import type { NeutralTool } from './recall.js';
import type { Session } from '../../index.d.ts';
import type { Processor, ProcessLLMRequestArgs } from '@mastra/core/processors' with { 'resolution-mode': 'import' };
import type { Tool } from '@mastra/core/tools' with { 'resolution-mode': 'import' };
import type { AiModel } from './adapters.js';
import type { Request, Turn } from './core.js';
import type { IntegrationOptions, WithPinTool, WithRecallTool } from './options.js';

export type { AnySession, IntegrationOptions, WithPinTool, WithRecallTool } from './options.js';

checkPeers('mastra');

const OWN = ['palimpsestProcessor()', 'mastra'] as const;

/** Options of {@link palimpsestProcessor}. */
export type ProcessorOptions = IntegrationOptions<ProcessLLMRequestArgs>;

/** A processor that belongs into `inputProcessors`, and may stand in `outputProcessors` too. */
export type PalimpsestProcessor = Processor<'palimpsest'> &
  Required<Pick<Processor<'palimpsest'>, 'processInputStep' | 'processLLMRequest' | 'processOutputResult'>>;

/** Key of a run's state, which Mastra keeps for each processor. */
const STATE = 'palimpsest';

type State = Record<string, unknown> & { [STATE]?: { tools?: Record<string, unknown>; providerOptions?: object | undefined; turn?: Turn } };

/** Mastra's steps, whose usage its declarations give another shape in each version. */
type Steps = readonly { usage?: object }[];

/** A call of a tool in an answer. */
interface Chunk {
  type: string;
  payload?: { toolName?: string; toolCallId?: string };
}

/**
 * Returns a processor for `inputProcessors` of an `Agent`. The model then gets the messages that a session chooses; the messages in memory stay
 * as they are.
 *
 * Each thread of the agent's memory has a session of its own; without memory the session is found by the messages. Let the memory give the
 * whole thread (`lastMessages`), otherwise the beginning of each request is another one. The usage of a step goes back to the session before the
 * next step, that of a run's last step if the same processor stands in `outputProcessors` too.
 *
 * `recallTool()` of the processor is for its agents. The conversation is that of the agent in its run.
 *
 * @example
 * import { palimpsestProcessor } from 'palimpsest/mastra';
 *
 * const palimpsest = palimpsestProcessor();
 * // new Agent({ …, inputProcessors: [palimpsest], outputProcessors: [palimpsest] })
 *
 * @throws {TypeError} an option is wrong; the error names it
 * @throws {RangeError} a numeric option is out of range
 */
export function palimpsestProcessor(
  options?: ProcessorOptions | null,
): PalimpsestProcessor & WithRecallTool<Tool<any, any>> & WithPinTool<Tool<any, any>> {
  const integration = new Integration('palimpsestProcessor()', options, { format: 'ai-sdk-model' });
  const threads = new Threads(integration);
  const processor: PalimpsestProcessor = {
    id: 'palimpsest',
    name: 'palimpsest',

    async processInputStep(call) {
      await integration.guard.run(() => {
        const { tools, activeTools, providerOptions } = call;
        const state = call.state as State;
        const isActive = (name: string) => activeTools === undefined || activeTools.includes(name);
        const active = Object.fromEntries(Object.entries(tools ?? {}).filter(([name]) => isActive(name)));
        state[STATE] = { ...state[STATE], tools: active, providerOptions };
      }, call);
    },

    async processLLMRequest(params) {
      const turn = await integration.turn(() => {
        const { prompt, model: given, steps } = params;
        const [state, model] = [params.state as State, given as AiModel | undefined];
        const { tools, providerOptions, turn: last } = state[STATE] ?? {};
        last?.look(() => last.observe((steps as Steps).at(-1)?.usage));
        const told = toldBy({ providerOptions }, model?.modelId);
        const settings = { tools, model: model?.modelId, adapter: adapterOf(model), ...told };
        const request = { messages: withNoteIn(prompt, integration.note), ...settings };
        const write = (messages: readonly object[]) => (messages === prompt ? undefined : { prompt: messages as typeof prompt });
        return { ...request, use: () => threads.sessionOf(request, params), write };
      }, params);
      const state = params?.state as State | undefined;
      if (isObject(state)) state[STATE] = { ...state[STATE], turn };
      return turn.sent;
    },

    processLLMResponse(call) {
      const turn = (call?.state as State | undefined)?.[STATE]?.turn;
      turn?.look(() => {
        for (const { type, payload } of (call.chunks ?? []) as Chunk[])
          if (type === 'tool-call' && isOwn(payload?.toolName)) turn.called(payload?.toolCallId);
      });
    },

    processOutputResult(call) {
      const turn = (call?.state as State | undefined)?.[STATE]?.turn;
      turn?.look(() => turn.observe((call.result.steps as Steps | undefined)?.at(-1)?.usage));
      return call?.messages;
    },
  };
  return belonging(processor, OWN, { recallTool: () => toolOf(recallToolOf(integration)), pinTool: () => toolOf(pinToolOf(integration)) });
}

callable(palimpsestProcessor, OWN);

/** A tool as the SDK takes it. */
function toolOf({ name, description, parameters, execute }: NeutralTool): Tool<any, any> {
  const { createTool } = require('@mastra/core/tools') as typeof import('@mastra/core/tools');
  return createTool({
    id: name,
    description,
    inputSchema: parameters as Parameters<typeof createTool>[0]['inputSchema'],
    execute: async (input: unknown, context?: { agent?: { toolCallId?: string } }) => execute(input, context?.agent?.toolCallId),
  });
}

/** The sessions of the threads of a memory, of which a bounded number is remembered. */
class Threads {
  #integration;
  /** From the least to the most recently used. */
  #all: Map<string, { session: Session; settings: string }> = new Map();

  constructor(integration: Integration) {
    this.#integration = integration;
  }

  /** Returns the session of the thread that a request belongs to; undefined if it has none. */
  sessionOf(request: Request, params: ProcessLLMRequestArgs) {
    const thread = threadOf(params);
    if (thread === undefined) return undefined;
    const known = this.#all.get(thread);
    const settings = [...Object.keys(request.tools ?? {}), request.hasBudget].join();
    const session = known?.settings === settings ? known.session : this.#integration.create(request, known?.session.toJSON());
    this.#all.delete(thread);
    this.#all.set(thread, { session, settings });
    if (this.#all.size > this.#integration.maxConversations) this.#all.delete(this.#all.keys().next().value as string);
    return session;
  }
}

/** The thread of an agent's memory, or undefined. */
function threadOf({ requestContext, agent }: ProcessLLMRequestArgs & { agent?: { id?: string } }) {
  const memory: { thread?: { id?: unknown }; resourceId?: unknown } | undefined = requestContext?.get('MastraMemory');
  const thread: unknown = requestContext?.get('mastra__threadId') ?? memory?.thread?.id;
  return typeof thread === 'string' ? JSON.stringify([agent?.id, memory?.resourceId, thread]) : undefined;
}
