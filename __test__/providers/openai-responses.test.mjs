import { openaiResponses } from './openai-responses.mjs';
import { describeProvider } from './describe-provider.mjs';

describeProvider(openaiResponses);
