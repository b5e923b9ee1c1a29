// A server as a user writes it: it compresses in the request handler, with and without an LLM.
import { setTimeout as sleep } from 'node:timers/promises';
import express from 'express';
import { compress } from 'palimpsest';

const app = express();
app.use(express.json({ limit: '10mb' }));

app.post('/compress', (request, response) => {
  response.json(compress(request.body.messages));
});

app.post('/summarize', async (request, response) => {
  const { messages, name } = request.body;
  // Answers arrive late and out of order, as an LLM's do, so that requests overlap.
  const summarizer = async () => {
    await sleep(Math.random() * 30);
    return `Summary for ${name}.`;
  };
  response.json(await compress(messages, { summarizer }));
});

// Express knows a handler of errors by its four parameters.
app.use((error, _request, response, _next) => {
  response.status(error instanceof TypeError ? 400 : 500).json({ error: error.message });
});

const server = app.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
