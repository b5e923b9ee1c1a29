import type { Processor, ProcessLLMRequestArgs } from '@mastra/core/processors' with { 'resolution-mode': 'import' };
import type { Tool } from '@mastra/core/tools' with { 'resolution-mode': 'import' };
import type { AnySession, IntegrationOptions } from './options.js';

export type { AnySession, IntegrationOptions } from './options.js';

/** Options of {@link palimpsestProcessor}. */
export type ProcessorOptions = IntegrationOptions<ProcessLLMRequestArgs>;

/** A processor that belongs into `inputProcessors`, and may stand in `outputProcessors` too. */
export type PalimpsestProcessor = Processor<'palimpsest'> &
  Required<Pick<Processor<'palimpsest'>, 'processInputStep' | 'processLLMRequest' | 'processOutputResult'>>;

/**
 * Returns a processor for `inputProcessors` of an `Agent`. The model then gets the messages that a session chooses; the messages in memory stay
 * as they are.
 *
 * Each thread of the agent's memory has a session of its own; without memory the session is found by the messages. Let the memory give the
 * whole thread (`lastMessages`), otherwise the beginning of each request is another one. The usage of a step goes back to the session before the
 * next step, that of a run's last step if the same processor stands in `outputProcessors` too.
 *
 * @throws {TypeError} an option is wrong; the error names it
 * @throws {RangeError} a numeric option is out of range
 */
export function palimpsestProcessor(options: ProcessorOptions): PalimpsestProcessor;

/**
 * Creates the tool with which the model looks up what was cut from its conversation, for agents. The conversation is that of the agent in its run.
 *
 * From then on, the marks of removed messages have their numbers: create it before the first request.
 *
 * @param from a processor that `palimpsestProcessor` returned, or one session
 * @throws {TypeError} `from` is neither
 */
export function recallTool(from: PalimpsestProcessor | AnySession): Tool<any, any>;
