import { openaiAgents } from './openai-agents.mjs';
import { describeProvider } from './describe-provider.mjs';

describeProvider(openaiAgents);
