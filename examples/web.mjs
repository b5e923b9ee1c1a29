// A chat endpoint of web-standard requests, as Next.js and Hono have them: node examples/web.mjs
import Anthropic from '@anthropic-ai/sdk';
import { Hono } from 'hono';
import { createChatParser } from 'palimpsest/web';
import { startProvider } from '../__test__/support/agents/index.mjs';

// In place of Anthropic. Leave `baseURL` out to ask the real one.
const provider = await startProvider(({ step }) => ({ text: `Answer ${step}: worker-${step} waited for the lock of backup-${step * 7}.` }));
const anthropic = new Anthropic({ apiKey: 'test', baseURL: provider.url });

const parseChat = createChatParser({ limit: 1500, format: 'anthropic' });
const app = new Hono();
app.post('/chat', async (context) => {
  const chat = await parseChat(context.req.raw);
  if (chat instanceof Response) return chat;
  const answer = await anthropic.messages.create({ model: 'claude-opus-5', max_tokens: 500, messages: chat.messages });
  chat.observe(answer.usage);
  return context.json({ content: answer.content, report: String(chat.step.report) });
});

// A client, which sends the whole conversation each time.
const messages = [];
const headers = { 'content-type': 'application/json' };
const send = async (body) => (await app.request('/chat', { method: 'POST', headers, body: JSON.stringify(body) })).json();
for (let turn = 0; turn < 40; turn++) {
  messages.push({ role: 'user', content: `Why did worker-${turn} wait ${turn * 13} s for the lock of backup-${turn * 7}?` });
  const { content, report } = await send({ messages });
  messages.push({ role: 'assistant', content });
  if (turn % 8 === 7) console.log(report);
}
console.log(await send({ messages: [{ role: 'user', content: 5 }] }));
await provider.close();
