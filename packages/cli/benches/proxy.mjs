// Time that the proxy adds to a request of 100,000 tokens that needs no epoch: `node packages/cli/benches/proxy.mjs`.
// The agent of the tests, whose last requests are sent again and again, straight to a server that answers at once and through the proxy.
// Target: at most 10 ms at the median.
import http, { createServer } from 'node:http';
import { once } from 'node:events';
import { countTokens } from 'palimpsest';
import { agentTools } from '../../../__test__/support/agents/tools.mjs';
import { startProxy } from '../dist/proxy/index.mjs';

const TOKENS = 100_000;
const REQUESTS = 60;

const upstream = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
});
upstream.listen(0, '127.0.0.1');
await once(upstream, 'listening');
const direct = `http://127.0.0.1:${upstream.address().port}`;

/** Messages of an agent with results of 1 to 6 KB, up to a number of tokens. */
function conversation(tokens) {
  const messages = [{ role: 'user', content: 'Find out why the export is slow.' }];
  const read = agentTools.find(({ name }) => name === 'read');
  for (let n = 0; countTokens(messages) < tokens; n++) {
    const input = { path: `src/export/part${n}.ts` };
    messages.push({ role: 'assistant', content: [{ type: 'tool_use', id: `call_${n}`, name: 'read', input }] });
    messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: `call_${n}`, content: read.run(input) }] });
  }
  return messages;
}

const agent = new http.Agent({ keepAlive: true });
async function time(url, body) {
  const started = performance.now();
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
  const request = http.request(`${url}/v1/messages`, { method: 'POST', headers, agent });
  request.end(body);
  const [response] = await once(request, 'response');
  for await (const _ of response);
  return performance.now() - started;
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Medians in ms, of requests that grow by two messages each. */
async function measure(limit, messages) {
  const proxy = await startProxy({ limit, port: 0, upstream: direct });
  const bodies = Array.from({ length: REQUESTS }, (_, n) => {
    const sent = messages.slice(0, messages.length - 2 * (REQUESTS - 1 - n));
    return Buffer.from(JSON.stringify({ model: 'claude-opus-5', max_tokens: 1000, messages: sent }));
  });
  const times = { direct: [], proxy: [] };
  for (const body of bodies) {
    times.direct.push(await time(direct, body));
    times.proxy.push(await time(proxy.url, body));
  }
  const text = await (await fetch(`${proxy.url}/palimpsest/events`)).body.getReader().read();
  const { records } = JSON.parse(Buffer.from(text.value).toString().slice('data:'.length));
  const isWarm = (index) => index >= 5 && records[index].epoch === undefined;
  const of = (name) => median(times[name].filter((_, index) => isWarm(index)));
  await proxy.close(0);
  return { direct: of('direct'), proxy: of('proxy'), bytes: bodies.at(-1).length, epochs: records.filter(({ epoch }) => epoch).length };
}

const messages = conversation(TOKENS);
console.log(`${countTokens(messages)} tokens, ${messages.length} messages`);
for (const [name, limit] of [
  ['nothing cut', 2 * TOKENS],
  ['most of it cut before', TOKENS / 2],
]) {
  const { direct: without, proxy, bytes, epochs } = await measure(limit, messages);
  const added = (proxy - without).toFixed(1);
  console.log(`${name}: ${added} ms added at the median (${without.toFixed(1)} → ${proxy.toFixed(1)}), ${bytes} bytes, ${epochs} epochs`);
}
agent.destroy();
upstream.close();
