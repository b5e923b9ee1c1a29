// A chat endpoint that stays within a limit: node examples/express.mjs
import express from 'express';
import OpenAI from 'openai';
import { chatParser } from 'palimpsest/express';
import { startProvider } from '../__test__/support/agents/index.mjs';

// In place of OpenAI. Leave `baseURL` out to ask the real one.
const provider = await startProvider(({ step }) => ({ text: `Answer ${step}: worker-${step} waited for the lock of backup-${step * 7}.` }));
const openai = new OpenAI({ apiKey: 'test', baseURL: `${provider.url}/v1` });

const app = express();
app.post('/chat', chatParser({ limit: 1500 }), async (request, response) => {
  const { messages, step, observe } = request.palimpsest;
  const answer = await openai.chat.completions.create({ model: 'gpt-5.5', messages });
  observe(answer.usage);
  response.json({ message: answer.choices[0].message, report: String(step.report) });
});
const server = app.listen(0);
await new Promise((resolve) => server.once('listening', resolve));

// A client, which sends the whole conversation each time.
const messages = [];
const headers = { 'content-type': 'application/json' };
const send = (body) =>
  fetch(`http://localhost:${server.address().port}/chat`, { method: 'POST', headers, body: JSON.stringify(body) }).then((one) =>
    one.json(),
  );
for (let turn = 0; turn < 40; turn++) {
  messages.push({ role: 'user', content: `Why did worker-${turn} wait ${turn * 13} s for the lock of backup-${turn * 7}?` });
  const { message, report } = await send({ messages });
  messages.push({ role: 'assistant', content: message.content });
  if (turn % 8 === 7) console.log(report);
}
console.log(await send({ messages: [{ role: 'user', content: 5 }] }));
server.close();
await provider.close();
