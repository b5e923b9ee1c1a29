import { Agent, run } from '@openai/agents';
import { palimpsestFilter } from 'palimpsest/openai-agents';

const agent = new Agent({ name: 'Engineer', model: 'gpt-5.5', instructions: 'You mend programs.' });
const { finalOutput } = await run(agent, 'Why do exports fail?', { callModelInputFilter: palimpsestFilter({ limit: 100_000 }) });
console.log(finalOutput);
