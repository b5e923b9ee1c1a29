import express from 'express';
import { chatParser } from 'palimpsest/express';
import { contentOf, MODEL, PARAMETERS, PROMPT, READ, systemOf } from './common.mjs';

const tools = [{ type: 'function', function: { name: 'read', description: READ, parameters: PARAMETERS } }];

const endpoint =
  (before) =>
  async ({ url, name, options }) => {
    const app = express();
    app.post('/chat', ...before, chatParser(options), async ({ palimpsest }, response) => {
      const body = JSON.stringify(palimpsest.request);
      const answer = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      const json = await answer.json();
      palimpsest.observe(json.usage);
      response.status(answer.status).json(json);
    });
    const server = app.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const messages = [
      { role: 'system', content: systemOf(name) },
      { role: 'user', content: PROMPT },
    ];
    for (;;) {
      const request = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: MODEL, messages, tools }),
      };
      const { choices } = await (await fetch(`http://127.0.0.1:${server.address().port}/chat`, request)).json();
      const { content, tool_calls: calls } = choices[0].message;
      messages.push({ role: 'assistant', content, ...(calls && { tool_calls: calls }) });
      if (!calls) break;
      for (const call of calls)
        messages.push({ role: 'tool', tool_call_id: call.id, content: contentOf(JSON.parse(call.function.arguments).path) });
    }
    server.close();
    return messages;
  };

export const ways = { 'from the stream': endpoint([]), 'behind a parser': endpoint([express.json({ limit: '4mb' })]) };
