// Waits for an LLM that never answers. The process has nothing else to do, so it must end by itself.
import { compress } from 'palimpsest';
import { conversation } from '../packed/conversation.mjs';

const never = () => new Promise(() => {});
for (const callback of ['summarizer', 'classifier']) {
  compress(conversation(1), { [callback]: never }).finally(() => console.log('settled without an answer'));
}
console.log('waiting');
