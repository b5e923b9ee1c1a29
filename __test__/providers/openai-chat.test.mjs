import { openaiChat } from './openai-chat.mjs';
import { describeProvider } from './describe-provider.mjs';

describeProvider(openaiChat);
