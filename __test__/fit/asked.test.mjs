// `fit` keeps the answer to the question that the last message asks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COUNT, ORDERS, QUESTIONS, ordersIn, talkAbout } from '../../benches/quality/orders.mjs';
import { countTokens, fit } from 'palimpsest';
import { FORMATS, sayIn } from '../support/transcripts.mjs';
import { someOf } from '../support/seed.mjs';

const within =
  (share, options = {}) =>
  (messages) =>
    fit(messages, { limit: Math.floor(countTokens(messages) * share), ...options }).messages;

/** Rooms, each with one keeper, mentioned in a conversation of many messages. */
const PLACES = [
  'Calder',
  'Brisby',
  'Dunmore',
  'Eastwick',
  'Farrow',
  'Glenhaven',
  'Harlow',
  'Inverness',
  'Jarrow',
  'Kelso',
  'Lowick',
  'Morpeth',
];
const talkOf = (say, ask, rounds = PLACES.length) => {
  const messages = [];
  for (let round = 0; round < rounds; round++) {
    messages.push(
      { role: 'user', content: say(round) },
      { role: 'assistant', content: `Noted as number ${round}. Shall we go on with the next one on the list?` },
    );
  }
  messages.push({ role: 'user', content: ask });
  return messages;
};

for (const form of someOf(Object.keys(ORDERS))) {
  test(`of 40 orders in ${form}, the one in the question stays`, () => {
    for (const share of [0.5, 0.25]) {
      assert.equal(ordersIn(form, within(share)).asked, COUNT, `at ${share}`);
      // A text that names a room counts as a question even without a question mark.
      const statements = [
        QUESTIONS[1],
        (order) => `Show me the row of ORD-${1000 + order}.`,
        (order) => `Find ORD-${1000 + order} and fix it`,
      ];
      for (const ask of statements) assert.equal(ordersIn(form, within(share), ask).asked, COUNT, `${ask(1)} at ${share}`);
      const without = ordersIn(form, within(share, { query: false }));
      assert.ok(without.asked < COUNT, 'it is the question that keeps it');
    }
  });
}

test('the words of the question do not count as covered by it', () => {
  // The answering line holds only words of the question and the answer.
  const filler = Array.from({ length: 30 }, (_, line) => `The keeper of lamp${line} wrote note${line} about shelf${line}.`);
  const messages = [
    { role: 'user', content: 'Read the book.' },
    { role: 'assistant', content: [...filler.slice(0, 15), 'The lantern of Dunmore is zephyr.', ...filler.slice(15)].join('\n') },
    { role: 'user', content: 'Which one is the lantern of Dunmore?' },
  ];
  const kept = (options) => within(0.3, options)(messages).some(({ content }) => content.includes('zephyr'));
  assert.ok(kept());
  assert.ok(!kept({ query: false }));
});

test('texts without a question change nothing', () => {
  for (const ask of ['Go on.', 'Thanks.', 'ok', 'Yes, please!', '继续', 'Weiter.', '👍']) {
    const messages = talkOf(
      (round) => `The harbour of ${PLACES[round]} has ${round + 3}1 berths, and its keeper counts ${round}7 lamps in the evening.`,
      ask,
    );
    for (const share of [0.2, 0.5, 0.8])
      assert.deepEqual(within(share)(messages), within(share, { query: false })(messages), `${ask} at ${share}`);
  }
});

test('`query` in its forms', () => {
  const [first, last] = [4, 31];
  const messages = talkAbout('log', first);
  messages[messages.length - 1] = { role: 'user', content: 'Go on.' };
  const kept = (query) => {
    const text = within(0.25, { query })(messages).find(({ role }) => role === 'tool')?.content ?? '';
    return [first, last].map((order) => text.includes(`order ORD-${1000 + order} `));
  };
  assert.deepEqual(kept(`ORD-${1000 + first}`)[0], true);
  assert.deepEqual(kept(`ORD-${1000 + last}`)[1], true);
  assert.deepEqual(kept([`ORD-${1000 + first}`, `ORD-${1000 + last}`]), [true, true]);
  for (const nothing of [undefined, null]) assert.deepEqual(within(0.25, { query: nothing })(messages), within(0.25)(messages));
  for (const nothing of [[], '', [''], '…'])
    assert.deepEqual(within(0.25, { query: nothing })(messages), within(0.25, { query: false })(messages));
});

test('a list of texts is not changed, and one long text ends', () => {
  const query = Object.freeze(['ORD-1004', 'word '.repeat(100_000)]);
  assert.ok(within(0.25, { query })(talkAbout('JSON', 4)).length > 0);
});

test('the answer to a question in every script', () => {
  const cases = [
    [(round) => `港口${PLACES[round]}的灯塔由守夜人看管，口令是${7000 + round}号。`, (round) => `${PLACES[round]}的口令是什么？`],
    [(round) => `Пристань ${round + 40} хранит маяк, пароль там ${7000 + round}.`, (round) => `Какой пароль у пристани ${round + 40}?`],
    [(round) => `${round + 40}번 항구의 등대 암호는 ${7000 + round} 입니다.`, (round) => `${round + 40}번 항구의 암호가 뭐였지?`],
    [(round) => `ميناء ${round + 40} له منارة وكلمة السر هي ${7000 + round}.`, (round) => `ما هي كلمة السر في ميناء ${round + 40}؟`],
    [
      (round) => `Le port de ${PLACES[round]} a un phare ; le mot de passe est ${7000 + round}.`,
      (round) => `Quel était le mot de passe de ${PLACES[round]} ?`,
    ],
  ];
  for (const [say, ask] of cases) {
    for (let round = 0; round < PLACES.length; round++) {
      const text = JSON.stringify(within(0.35)(talkOf(say, ask(round))));
      assert.ok(text.includes(String(7000 + round)), `${ask(round)} ${text}`);
    }
  }
});

test("in an agent's loop, open and failed calls are queries", () => {
  const log = Array.from({ length: 80 }, (_, line) => `module${line} is built from source/part${line}.rs by worker ${line % 7}`).join('\n');
  const call = (id, args) => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: JSON.stringify(args) } }],
  });
  const start = [
    { role: 'user', content: 'Build it.' },
    call('a', { command: 'make' }),
    { role: 'tool', tool_call_id: 'a', content: log },
    ...Array.from({ length: 6 }, (_, round) => [
      { role: 'assistant', content: `Round ${round} is done, and it went well.` },
      { role: 'user', content: 'Go on.' },
    ]).flat(),
  ];
  const says = (messages, options) =>
    within(0.3, options)(messages).some(({ role, content }) => role === 'tool' && content.includes('part37.rs'));
  const open = [...start, call('b', { command: 'cat source/part37.rs' })];
  const failed = [
    ...open.slice(0, -1),
    call('b', { command: 'make' }),
    { role: 'tool', tool_call_id: 'b', content: 'error: cannot find module37 in source/part37.rs' },
  ];
  assert.ok(says(open) && !says(open, { query: false }), 'the open call');
  assert.ok(
    within(0.3)(failed).some(({ tool_call_id: id, content }) => id === 'a' && content.includes('part37.rs')),
    'the error',
  );
});

test('all formats, deterministic, with the reason in the trace', () => {
  const turnOf = ({ role, content }) =>
    role === 'user'
      ? { who: 'user', text: content, more: [] }
      : { who: 'assistant', reasoning: null, text: content, calls: [], odd: false };
  for (const format of FORMATS) {
    const spoken = talkOf(
      (round) =>
        `The harbour of ${PLACES[round]} is kept by keeper${round}. ${'There is nothing more to say about it than that. '.repeat(4)}`,
      'Who keeps the harbour of Inverness?',
    );
    const messages = sayIn(format, { system: null, turns: spoken.map(turnOf) });
    const run = () => fit(messages, { format, limit: Math.floor(countTokens(messages, { format }) * 0.5), trace: true });
    const { messages: fitted, report } = run();
    assert.ok(JSON.stringify(fitted).includes('keeper7'), format);
    assert.ok(
      report.trace.some(({ why }) => why === 'asked'),
      format,
    );
    assert.deepEqual(run(), run());
  }
});
