import { isObject } from '../checks.js';
import { Integration } from './core.js';
import { isRecall, recallToolOf, withRecall } from './recall.js';
import type { Foreign } from '../types.js';
import type { Session } from '../../index.d.ts';

/** Key of a run's state, which Mastra keeps for each processor. */
const STATE = 'palimpsest';

/** See `integrations/mastra.d.ts`. */
export function palimpsestProcessor(options) {
  const integration = new Integration('palimpsestProcessor()', options, { format: 'ai-sdk-model' });
  const threads = new Threads(integration);
  const processor = {
    id: 'palimpsest',
    name: 'palimpsest',

    async processInputStep(call) {
      await integration.guard.run(() => {
        const { tools, activeTools, state } = call;
        const isActive = (name: string) => activeTools === undefined || activeTools.includes(name);
        state[STATE] = { ...state[STATE], tools: Object.fromEntries(Object.entries(tools ?? {}).filter(([name]) => isActive(name))) };
      }, call);
    },

    async processLLMRequest(params) {
      const turn = await integration.turn(() => {
        const { prompt, model, state, steps } = params;
        const { tools, turn: last } = state[STATE] ?? {};
        last?.look(() => last.observe(steps.at(-1)?.usage));
        const request = { messages: integration.explainIn(prompt), tools, model: model?.modelId, params };
        const write = ({ messages }: Foreign) => (messages === prompt ? undefined : { prompt: messages });
        return { ...request, use: () => threads.sessionOf(request), write };
      }, params);
      const state = params?.state;
      if (isObject(state)) state[STATE] = { ...state[STATE], turn };
      return turn.sent;
    },

    processLLMResponse(call: Foreign) {
      const turn = call?.state?.[STATE]?.turn;
      turn?.look(() => {
        for (const { type, payload } of call.chunks ?? [])
          if (type === 'tool-call' && isRecall(payload?.toolName)) turn.called(payload.toolCallId);
      });
    },

    processOutputResult(call: Foreign) {
      const turn = call?.state?.[STATE]?.turn;
      turn?.look(() => turn.observe(call.result.steps?.at(-1)?.usage));
      return call?.messages;
    },
  };
  return withRecall(processor, integration);
}

/** See `recallTool` in `integrations/mastra.d.ts`. */
export function recallTool(from: any) {
  const { name, description, parameters, execute } = recallToolOf(from, 'a processor that palimpsestProcessor() returned');
  const { createTool } = require('@mastra/core/tools') as typeof import('@mastra/core/tools');
  return createTool({
    id: name,
    description,
    inputSchema: parameters,
    execute: async (input: any, context: any) => execute(input, context?.agent?.toolCallId),
  });
}

/** The sessions of the threads of a memory, of which a bounded number is remembered. */
class Threads {
  #integration;
  /** From the least to the most recently used. */
  #all: Map<string, { session: Session; tools: string }> = new Map();

  constructor(integration: Integration) {
    this.#integration = integration;
  }

  /** Returns the session of the thread that a request belongs to; undefined if it has none. */
  sessionOf(request: Foreign) {
    const thread = threadOf(request.params);
    if (thread === undefined) return undefined;
    const known = this.#all.get(thread);
    const tools = Object.keys(request.tools ?? {}).join();
    const session = known?.tools === tools ? known.session : this.#integration.create(request, known?.session.toJSON());
    this.#all.delete(thread);
    this.#all.set(thread, { session, tools });
    if (this.#all.size > this.#integration.maxConversations) this.#all.delete(this.#all.keys().next().value as string);
    return session;
  }
}

/** The thread of an agent's memory, or undefined. */
function threadOf({ requestContext, agent }) {
  const memory = requestContext?.get('MastraMemory');
  const thread = requestContext?.get('mastra__threadId') ?? memory?.thread?.id;
  return typeof thread === 'string' ? JSON.stringify([agent?.id, memory?.resourceId, thread]) : undefined;
}
