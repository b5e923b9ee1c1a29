// The extension with an interface of the test's in place of pi's; pi itself runs in pi.slow.test.mjs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import extension, { palimpsest } from '@palimpsest/pi';

/** What an extension registers, and what it appends. */
function loaded(start, { flag, entries = [], api = 'anthropic-messages', hasUI = true } = {}) {
  const [handlers, tools, commands, said] = [{}, {}, {}, []];
  start({
    on: (event, handler) => (handlers[event] = handler),
    appendEntry: (customType, data) => entries.push({ type: 'custom', customType, data: JSON.parse(JSON.stringify(data)) }),
    registerFlag: () => {},
    getFlag: () => flag,
    registerTool: (tool) => (tools[tool.name] = tool),
    registerCommand: (name, command) => (commands[name] = command),
  });
  const ctx = {
    hasUI,
    ui: { notify: (text, type) => said.push({ text, type }) },
    sessionManager: { getBranch: () => entries },
    model: { api, contextWindow: 200_000 },
  };
  handlers.session_start({}, ctx);
  const send = (payload) => handlers.before_provider_request({ payload }, ctx);
  return { handlers, tools, commands, said, ctx, entries, send };
}

function requestsOf(count) {
  const messages = [{ role: 'user', content: 'Repair it.' }];
  return Array.from({ length: count }, (_, step) => {
    const request = { model: 'claude-sonnet-4-5', max_tokens: 1000, messages: [...messages] };
    messages.push({ role: 'assistant', content: [{ type: 'tool_use', id: `t${step}`, name: 'read', input: {} }] });
    messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${step}`, content: `line ${step} `.repeat(200) }] });
    return request;
  });
}

test('pi compacts where it was asked to, where a request was too long, and where requests are not read', async () => {
  const cancels = ({ handlers, ctx }, reason) => handlers.session_before_compact({ reason }, ctx)?.cancel === true;
  const ours = loaded(extension, { flag: '4k' });
  assert.ok(cancels(ours, 'threshold'), 'before the first request, which may be of a long conversation');
  await ours.send(requestsOf(20).at(-1));
  assert.deepEqual(
    ['threshold', 'manual', 'overflow'].map((reason) => cancels(ours, reason)),
    [true, false, false],
  );
  const other = loaded(extension, { api: 'bedrock-converse-stream' });
  assert.equal(await other.send({ modelId: 'x', messages: [] }), undefined);
  assert.ok(!cancels(other, 'threshold'));
  // Nothing can be cut of that, so that it doesn't fit.
  const tight = loaded(palimpsest({ limit: 50, onError: () => {} }));
  await tight.send({ ...requestsOf(1)[0], system: 'You repair programs. '.repeat(100) });
  assert.ok(!cancels(tight, 'threshold'));
});

test('each branch of the file has the state that was written on it', async () => {
  const requests = requestsOf(40);
  const first = loaded(extension, { flag: '4000' });
  const sent = [];
  for (const request of requests) sent.push(JSON.stringify(await first.send(request)));
  first.handlers.session_shutdown();
  const written = first.entries.length;
  first.handlers.session_shutdown();
  assert.equal(first.entries.length, written, 'nothing changed since');
  assert.ok(written >= 2 && first.entries.every(({ customType }) => customType === 'palimpsest'));
  // Another process, on the branch that ends where the state was written last.
  const second = loaded(extension, { flag: '4000', entries: [...first.entries, { type: 'message' }] });
  assert.equal(JSON.stringify(await second.send(requests.at(-1))), sent.at(-1));
  // Back to where nothing was cut yet.
  second.entries.length = 0;
  second.handlers.session_tree({}, second.ctx);
  assert.deepEqual((await second.send(requests[2])).messages.slice(0, 3), requests[2].messages.slice(0, 3));
});

test('usage, the command, the tool, and what fails', async () => {
  const { handlers, tools, commands, said, ctx, send } = loaded(extension, { flag: '4_000' });
  await commands.palimpsest.handler('', ctx);
  assert.deepEqual(said.pop(), { text: 'no request yet', type: 'info' });
  await send(requestsOf(30).at(-1));
  handlers.message_end({ message: { role: 'user' } }, ctx);
  handlers.message_end({ message: { role: 'assistant', usage: { input: 100, output: 5, cacheRead: 3000, cacheWrite: 500 } } }, ctx);
  await commands.palimpsest.handler('', ctx);
  assert.match(said.pop().text, /^1 request · 1 epoch/);
  const { content } = await tools.recall.execute('call_1', { query: '"line 3"' });
  assert.match(content[0].text, /line 3/);
  const broken = { model: 'claude-sonnet-4-5', max_tokens: 10, messages: [{ role: 'user', content: 7 }] };
  assert.deepEqual(await send(broken), broken);
  assert.match(said.pop().text, /^palimpsest: /);
  assert.throws(() => loaded(extension, { flag: 'much' }), /options\.limit must be/);
  assert.throws(() => loaded(palimpsest({ limt: 1 })), /limt/);
});
