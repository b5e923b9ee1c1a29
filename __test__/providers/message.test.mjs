import { message } from './message.mjs';
import { describeProvider } from './describe-provider.mjs';

describeProvider(message);
