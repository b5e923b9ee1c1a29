// Many users of one server at the same time, whose conversations begin alike and whose calls have the same ids, as those of Kimi K2 and of many
// local servers. Whatever the recall tool of an integration answers, it never shows a user what another one's conversation has.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import OpenAI from 'openai';
import { createSession } from 'palimpsest';
import { shortenToolOutput } from 'palimpsest/claude-agent-sdk';
import { withPalimpsest } from 'palimpsest/openai';
import { startProvider } from '../support/agents/index.mjs';
import { recallingAgents } from '../support/agents/recalling.mjs';
import { cases, SEED, someOf } from '../support/seed.mjs';

/** How many there are, by the tool. */
const USERS = { recall: cases(100), pin: cases(20) };
const LIMIT = 1200;

/** Each user's texts have a word of their own. */
const wordOf = (path) => `word-${path.split('/')[1]}-end`;
function contentOf(path) {
  const lines = Array.from({ length: 120 }, (_, line) => `12:00:${line % 60} worker-${line % 7} wrote ${line * 7} rows`);
  lines[60] = `The password of this user is ${wordOf(path)}.`;
  return lines.join('\n');
}

/** The user whose texts a request has; the first one that has none begins a conversation. */
function usersFrom() {
  let users = 0;
  return ({ request: { messages, input, contents } }) => {
    const [, user] = /src\/(user\d+)\//.exec(JSON.stringify(messages ?? input ?? contents)) ?? [];
    return user ?? `user${users++}`;
  };
}

/** Reads and looks up, in another order for each user and after other times. */
const scriptOf =
  (random) =>
  async ({ step, conversation }) => {
    await sleep(random(20));
    const path = `src/${conversation}/log.txt`;
    if (step < 2)
      return { calls: [random(2) === 0 ? { name: 'read', input: { path } } : { name: 'recall', input: { query: `password ${path}` } }] };
    return { text: 'Done.' };
  };

/** The same, where the model pins in place of looking something up. */
const pinningOf = (random) => {
  const script = scriptOf(random);
  return async (given) => {
    const { calls, ...rest } = await script(given);
    const text = `Never change src/${given.conversation}/log.txt: it has word-${given.conversation}-end.`;
    return calls?.[0].name === 'recall' ? { calls: [{ name: 'pin', input: { text } }] } : { ...rest, ...(calls && { calls }) };
  };
};

const shared = { options: { limit: LIMIT }, contentOf, systemOf: () => 'You look up passwords.', pause: () => sleep(20) };
const AGENTS = ['recall', 'pin'].flatMap((tool) =>
  Object.entries(recallingAgents({ ...shared, tool })).map(([sdk, open]) => ({ tool, sdk, open })),
);

for (const { tool, sdk, open } of someOf(AGENTS)) {
  test(`${sdk}, ${tool}: ${USERS[tool]} users whose calls have the same ids are shown nothing of each other`, async (t) => {
    let state = SEED;
    const random = (below) => {
      state = (state * 48271 + 11) % 2147483647;
      return state % below;
    };
    const idOf = (step) => `${step}`;
    const provider = await startProvider((tool === 'pin' ? pinningOf : scriptOf)(random), {
      window: 400_000,
      conversationOf: usersFrom(),
      idOf,
    });
    try {
      const runAgent = open(provider);
      await Promise.all(Array.from({ length: USERS[tool] }, () => runAgent('user')));
      let recalled = 0;
      for (const { conversation, body, status, error } of provider.requests) {
        assert.equal(status, 200, error);
        const words = new Set(JSON.stringify(body).match(/word-user\d+-end/g));
        words.delete(`word-${conversation}-end`);
        assert.deepEqual([...words], [], `what ${conversation} is shown`);
        if (/\[message \d+, /.test(JSON.stringify(body))) recalled++;
      }
      t.diagnostic(`${provider.requests.length} requests, ${recalled} with something that was recalled`);
    } finally {
      await provider.close();
    }
  });
}

/** A client whose model calls the recall tool with an id that the last message names, and a request of either API for a user. */
function openClient(options) {
  const fetch = async (_, { body }) => {
    const { messages, input } = JSON.parse(body);
    const [, id] = /call as (\S+)\./.exec(JSON.stringify((messages ?? input).at(-1))) ?? [];
    const args = JSON.stringify({ query: 'password' });
    const tool_calls = id && [{ id, type: 'function', function: { name: 'recall', arguments: args } }];
    const output = id ? [{ type: 'function_call', call_id: id, name: 'recall', arguments: args }] : [];
    const message = { role: 'assistant', content: null, tool_calls };
    return Response.json(messages ? { object: 'chat.completion', choices: [{ index: 0, message }] } : { object: 'response', output });
  };
  const client = withPalimpsest(new OpenAI({ apiKey: 'test', fetch, maxRetries: 0 }), { limit: LIMIT, ...options });
  const recall = client.recallTool();
  const historyOf = (user, id) => [
    { role: 'user', content: 'Hello.' },
    { role: 'assistant', content: contentOf(`src/${user}/log.txt`) },
    { role: 'user', content: `Please call as ${id}.` },
  ];
  const chat = (messages) => client.chat.completions.create({ model: 'gpt-5.5', messages, tools: [recall] });
  const responses = (input, more) => client.responses.create({ model: 'gpt-5.5', input, ...more });
  return { client, recall, historyOf, chat, responses };
}

const UNKNOWN = 'Nothing can be looked up here.';

test('an id that nobody was given is not answered from the only conversation', async () => {
  const { recall, historyOf, chat } = openClient();
  await chat(historyOf('user1', 'a'));
  assert.match(recall.execute({ query: 'password' }, 'a'), /word-user1-end/);
  assert.equal(recall.execute({ query: 'password' }, 'b'), UNKNOWN);
  // A loop that names no call has one conversation.
  assert.match(recall.execute({ query: 'password' }), /word-user1-end/);
  await chat(historyOf('user2', 'c'));
  assert.equal(recall.execute({ query: 'password' }), UNKNOWN);
});

test('the same id in the other API, and in a request that passed through, is nobody’s', async () => {
  for (const pass of [false, true]) {
    const { recall, historyOf, chat, responses } = openClient();
    await chat(historyOf('user1', 'a'));
    await responses(historyOf('user2', 'a'), pass ? { previous_response_id: 'resp_1' } : {});
    assert.equal(recall.execute({ query: 'password' }, 'a'), UNKNOWN);
    assert.equal(recall.execute({ query: 'password' }), UNKNOWN);
  }
});

test('the tool of a client, and of a copy of it, answers for that client alone', async () => {
  const [one, other] = [openClient(), openClient()];
  const { recallTool } = one.client.withOptions({ timeout: 1000 });
  const copied = recallTool({ api: 'responses' });
  await one.chat(one.historyOf('user1', 'a'));
  await other.chat(other.historyOf('user2', 'a'));
  assert.match(one.recall.execute({ query: 'password' }, 'a'), /word-user1-end/);
  assert.match(copied.execute({ query: 'password' }, 'a'), /word-user1-end/);
  assert.match(other.recall.execute({ query: 'password' }, 'a'), /word-user2-end/);
});

test('an id whose conversation is forgotten is not that of a later one', async () => {
  const { recall, historyOf, chat } = openClient({ conversations: 1 });
  for (const [user, id] of [
    ['user1', 'a'],
    ['user2', 'b'],
    ['user3', 'a'],
  ])
    await chat(historyOf(user, id));
  assert.equal(recall.execute({ query: 'password' }, 'a'), UNKNOWN);
});

test('two users whose first requests are the same share no later one', async () => {
  for (const ids of [
    ['a', 'b'],
    ['a', 'a'],
  ]) {
    const { recall, historyOf, chat } = openClient();
    const first = [{ role: 'user', content: `Hello. Please call as ${ids[0]}.` }];
    await chat(first);
    await chat([{ role: 'user', content: first[0].content }]);
    await chat([...first, ...historyOf('user1', ids[1]).slice(1)]);
    assert.equal(recall.execute({ query: 'password' }, 'a'), UNKNOWN);
  }
});

test('a conversation that uses an id again looks up what it was called for last', async () => {
  const { recall, historyOf, chat } = openClient();
  const history = historyOf('user1', 'a');
  await chat(history);
  const answered = [
    { role: 'assistant', content: 'Well.' },
    { role: 'user', content: 'Once more, please call as a.' },
  ];
  await chat([...history, ...answered]);
  assert.match(recall.execute({ query: 'password' }, 'a'), /word-user1-end/);
});

test('a hook that two conversations of Claude Code share answers neither', async () => {
  const hook = shortenToolOutput({ limit: 200 });
  const tool = hook.recallTool();
  const call = (user) => {
    const stdout = contentOf(`src/${user}/log.txt`);
    const tool_response = { stdout, stderr: '' };
    return hook({ hook_event_name: 'PostToolUse', session_id: user, tool_name: 'Bash', tool_input: {}, tool_use_id: 'a', tool_response });
  };
  const asked = async () => (await tool.handler({ query: 'password' })).content[0].text;
  await call('user1');
  assert.match(await asked(), /word-user1-end/);
  await call('user2');
  assert.equal(await asked(), UNKNOWN);
});

test('a session that was found takes no pins, and what is pinned in a named one is not sent with another conversation that began alike', async () => {
  const bodies = [];
  const fetch = async (_, { body }) => {
    bodies.push(body);
    return Response.json({ object: 'chat.completion', choices: [{ index: 0, message: { role: 'assistant', content: 'ok' } }] });
  };
  let found;
  const onStep = (_, step) => {
    found = step.session;
  };
  const openai = new OpenAI({ apiKey: 'test', fetch, maxRetries: 0 });
  const finding = withPalimpsest(openai, { limit: LIMIT, onStep });
  await finding.chat.completions.create({ model: 'gpt-5.5', messages: [{ role: 'user', content: 'Hello.' }] });
  assert.throws(
    () => found.pin('word-user1-end'),
    /^TypeError: pin\(\): this session was found by its messages.*name the session with options\.session/,
  );
  const long = Array.from({ length: 20 }, (_, at) => [
    { role: 'assistant', content: `answer${at} ${'and it goes on '.repeat(LIMIT / 20)}` },
    { role: 'user', content: 'Go on.' },
  ]);
  await finding.chat.completions.create({ model: 'gpt-5.5', messages: [{ role: 'user', content: 'Hello.' }, ...long.flat()] });
  const { text } = found.why('answer2 ').said[0].back.find(({ by }) => by === 'pin');
  assert.match(text, /options\.session of the integration names the session/);
  bodies.length = 0;
  const sessions = new Map(['user1', 'user2'].map((user) => [user, createSession({ limit: LIMIT, format: 'openai-chat' })]));
  const client = withPalimpsest(openai, { limit: LIMIT, session: ({ user }) => sessions.get(user) });
  const began = ['Hello.', 'Hello!', 'More?'].map((content, index) => ({ role: index === 1 ? 'assistant' : 'user', content }));
  const send = (user) => client.chat.completions.create({ model: 'gpt-5.5', user, messages: began });
  sessions.get('user1').pin('word-user1-end');
  for (const user of ['user1', 'user2', 'user1']) await send(user);
  assert.deepEqual(
    bodies.map((body) => body.includes('word-user1-end')),
    [true, false, true],
  );
});
