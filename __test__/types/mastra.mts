// Compiled, never run: the processor goes where Mastra takes it, and its messages go in and come out, without a cast.
import type { MastraDBMessage } from '@mastra/core/agent';
import { Agent } from '@mastra/core/agent';
import { countTokens, createSession, fit, prune, restore, validate } from 'palimpsest';
import { palimpsestProcessor } from 'palimpsest/mastra';
import type { ProcessorOptions } from 'palimpsest/mastra';

const sessions = new Map([['a', createSession({ limit: 100_000 })]]);
const options: ProcessorOptions = {
  session: ({ requestContext }) => sessions.get(String(requestContext?.get('chat'))),
  onStep: (step, { session, params }) => console.log(String(step.report), String(session.report), params.stepNumber),
};
const processor = palimpsestProcessor(options);
const agent = new Agent({
  id: 'agent',
  name: 'agent',
  instructions: 'Be brief.',
  model: 'openai/gpt-5.5',
  tools: { recall: processor.recallTool() },
  inputProcessors: [processor],
  outputProcessors: [processor],
});
console.log((await agent.generate('Hi.')).text);

declare const stored: MastraDBMessage[];
const { messages, originals } = fit(stored, { limit: 1000 });
const sent: MastraDBMessage[] = messages;
const back: MastraDBMessage[] = restore(sent, originals).messages;
const pruned: MastraDBMessage[] = prune(back, { format: 'mastra' }).messages;
console.log(countTokens(pruned), validate(pruned).length);

// @ts-expect-error: there is no such option
palimpsestProcessor({ limits: 1000 });
