// Who breaks the prefix: `report.prefix` says from which request on, where, and what changed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession } from 'palimpsest';

const tool = (name, more = {}) => ({
  type: 'function',
  function: { name, description: name, parameters: { type: 'object', properties: more } },
});
const exchange = (index) => [
  { role: 'user', content: `Question ${index}?` },
  { role: 'assistant', content: `Answer ${index}.` },
];
const OPTIONS = { limit: 100_000, format: 'openai-chat', now: () => 0 };

/** Plays five requests; before the third, `change` changes the options or the history. Returns the totals and the steps. */
function play(options, change) {
  const session = createSession({ ...OPTIONS, ...options });
  const history = [{ role: 'system', content: 'It is 2026-11-27 10:00. Be brief.' }];
  const steps = [];
  for (let index = 0; index < 5; index++) {
    history.push(...exchange(index));
    if (index === 2) change(history);
    steps.push(session.next(history));
  }
  return { prefix: session.report.prefix, steps, session, history };
}

const CASES = [
  ['a tool comes', { at: 'tools', index: 2, change: 'added' }, ({ tools }) => tools.push(tool('c'))],
  ['a tool goes', { at: 'tools', index: 0, change: 'removed' }, ({ tools }) => tools.shift()],
  ['tools stand in another order', { at: 'tools', index: 0, change: 'moved' }, ({ tools }) => tools.reverse()],
  ['a schema changes', { at: 'tools', index: 1, change: 'changed' }, ({ tools }) => tools.splice(1, 1, tool('b', { x: {} }))],
  [
    'a schema has another order',
    { at: 'tools', index: 1, change: 'changed' },
    ({ tools }) => tools.splice(1, 1, tool('b', { z: {}, y: {} })),
  ],
  [
    'a text of the instructions',
    { at: 'system', index: 1, change: 'changed', kind: 'text' },
    ({ system }) => (system[1].text = 'Be long, and say why at length.'),
  ],
  ['a date', { at: 'system', index: 0, change: 'changed', kind: 'date' }, ({ system }) => (system[0].text = 'Today is 2026-11-28.')],
  ['an id', { at: 'system', index: 1, change: 'changed', kind: 'id' }, ({ system }) => (system[1].text = 'Run 77d20f3a91bc. Be brief.')],
  [
    'the time in the first message',
    { at: 'messages', index: 0, change: 'changed', field: 'content', kind: 'date' },
    (_, history) => (history[0] = { role: 'system', content: 'It is 2026-11-27 10:02. Be brief.' }),
  ],
  [
    'a new block in front',
    { at: 'messages', index: 0, change: 'added' },
    (_, history) => history.unshift({ role: 'system', content: 'You are kind.' }),
  ],
  ['old messages go', { at: 'messages', index: 1, change: 'removed' }, (_, history) => history.splice(1, 2)],
  [
    'an old message changes',
    { at: 'messages', index: 2, change: 'changed', field: 'content', kind: 'number' },
    (_, history) => (history[2] = { role: 'assistant', content: 'Answer 7.' }),
  ],
];

for (const [name, expected, change] of CASES) {
  test(`${name}: it is said from that request on`, () => {
    const tools = [tool('a'), tool('b', { y: {}, z: {} })];
    const system = [{ text: 'Today is 2026-11-27.' }, { text: 'Run 0f3a91bc77d2. Be brief.' }];
    const options = { tools, system };
    const { prefix, steps } = play(options, (history) => change(options, history));
    assert.deepEqual(prefix, { request: 3, requests: 1, ...expected });
    assert.deepEqual(
      steps.map(({ report }) => report.prefix),
      [undefined, undefined, expected, undefined, undefined],
    );
  });
}

test('an id that is another in each request counts each time, also over saved sessions, and no text is in the report', () => {
  let session;
  const history = [];
  for (let index = 0; index < 6; index++) {
    history.push(...exchange(index));
    const system = `Request ${(0x1234567890 + index * 0x3333333).toString(16)}x. Be brief.`;
    session = createSession({ ...OPTIONS, system }, session && JSON.parse(JSON.stringify(session)));
    session.next(history);
  }
  assert.deepEqual(session.report.prefix, { request: 2, requests: 5, at: 'system', change: 'changed' });
});

test('nothing is said of undone answers, of branches, of the cuts of the session, or of the same again', () => {
  const { session, history } = play({ limit: 300 }, (list) => list.splice(-2));
  session.next([...history.slice(0, -3), { role: 'user', content: 'Otherwise?' }]);
  session.next(structuredClone(history));
  assert.equal(session.report.prefix, undefined);
});

test('a message that has no JSON is said to be changed, too', () => {
  const session = createSession({ limit: 1000, format: 'openai-chat' });
  const rest = [
    { role: 'assistant', content: 'Yes.' },
    { role: 'user', content: 'Why?' },
    { role: 'assistant', content: 'So.' },
  ];
  session.next([{ role: 'user', content: 'Does it fail?', number: 10n }, ...rest]);
  session.next([{ role: 'user', content: 'Did it fail?', number: 10n }, ...rest, { role: 'user', content: 'When?' }]);
  assert.deepEqual(session.report.prefix, {
    request: 2,
    requests: 1,
    at: 'messages',
    index: 0,
    change: 'changed',
    field: 'content',
    kind: 'text',
  });
});

for (const [name, format, one, other, field, kind] of [
  ['a name', 'openai-chat', { role: 'user', content: 'a', name: 'Jo' }, { role: 'user', content: 'a', name: 'Al' }, 'name', 'text'],
  ['a member that nobody knows', 'openai-chat', { role: 'user', content: 'a' }, { role: 'user', content: 'a', x_run: 7 }, 'x_run', 'text'],
  [
    'a text in a block, and what no provider sees',
    'anthropic',
    {
      role: 'user',
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'It is 10:00.' },
      ],
      createdAt: 1,
    },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'It is 10:01.' },
      ],
      createdAt: 2,
    },
    'content[1].text',
    'date',
  ],
  [
    'the input of a call, whose names are content',
    'anthropic',
    { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'find', input: { who: 'Jo', at: 1 } }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'find', input: { who: 'Al', at: 2 } }] },
    'content[0].input',
    'text',
  ],
  ['two members', 'openai-chat', { role: 'user', content: '10', name: '1' }, { role: 'user', content: '11', name: '2' }, 'content', 'text'],
]) {
  test(`${name}: the field is named`, () => {
    const session = createSession({ ...OPTIONS, format });
    const rest = [...exchange(1), ...exchange(2)];
    session.next([{ role: 'user', content: 'Go.' }, one, ...rest]);
    session.next([{ role: 'user', content: 'Go.' }, other, ...rest, ...exchange(3)]);
    assert.deepEqual(session.report.prefix, { request: 2, requests: 1, at: 'messages', index: 1, change: 'changed', field, kind });
  });
}
