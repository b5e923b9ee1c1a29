// Compiled, never run: the processor goes where Mastra takes it, without a cast.
import { Agent } from '@mastra/core/agent';
import { createSession } from 'palimpsest';
import { palimpsestProcessor } from 'palimpsest/mastra';
import type { ProcessorOptions } from 'palimpsest/mastra';

const sessions = new Map([['a', createSession({ limit: 100_000 })]]);
const options: ProcessorOptions = {
  explainMarks: true,
  session: ({ requestContext }) => sessions.get(String(requestContext?.get('chat'))),
  onStep: (step, { session, params }) => console.log(String(step.report), String(session.report), params.stepNumber),
};
const processor = palimpsestProcessor(options);
const agent = new Agent({
  id: 'agent',
  name: 'agent',
  instructions: 'Be brief.',
  model: 'openai/gpt-5.5',
  inputProcessors: [processor],
  outputProcessors: [processor],
});
console.log((await agent.generate('Hi.')).text);

// @ts-expect-error: there is no such option
palimpsestProcessor({ limits: 1000 });
