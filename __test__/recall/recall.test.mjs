// What `recall` finds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recall } from 'palimpsest';

const user = (content) => ({ role: 'user', content });
const said = (content) => ({ role: 'assistant', content });
const filler = (count) => Array.from({ length: count }, (_, n) => `Nothing happened on the day ${n + 1000} of the long journey.`);

/** A history with a line among others, and the messages without it. */
function hidden(line) {
  const history = [user('Begin.'), said([...filler(40), line, ...filler(40)].join('\n')), user('Go on.')];
  return [history, [history[0], history[2]]];
}

function finds(line, query) {
  const { passages } = recall(...hidden(line), query);
  return passages.length > 0 && passages[0].text.includes(line) && passages[0].lines[0] <= 41 && passages[0].lines[1] >= 41;
}

test('names are found by their parts, in every case', () => {
  assert.ok(finds('the function parseHeader is wrong', 'header'));
  assert.ok(finds('see src/io/read.ts for more', 'read.ts'));
  assert.ok(finds('MAX_RETRY_COUNT is 7', 'retry count'));
  assert.ok(finds('the ticket ORD-1017 was closed', 'ord-1017'));
  assert.ok(finds('the connection was refused', 'connect'));
});

test('words of every script are found', () => {
  assert.ok(finds('灯台守は夕暮れ前にランタンを直した', 'ランタン'));
  assert.ok(finds('我们昨天在北京故宫见面', '故宫'));
  assert.ok(finds('Встреча перенесена на среду', 'встречи'));
  assert.ok(finds('오늘 서울역에서 만나요', '서울역'));
  assert.ok(finds('تم إغلاق الحساب رقم تسعة', 'الحساب'));
});

test('a passage says where it stood', () => {
  const history = [
    user('Read it.'),
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"path":"src/config.ts","limit":99}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: [...filler(30), 'export const port = 8412;', ...filler(30)].join('\n') },
    user('Thanks.'),
  ];
  const { passages, text, tokens } = recall(history, [history[0], history[3]], 'port', { limit: 120 });
  const [first] = passages;
  assert.equal(first.message, 2);
  assert.equal(first.role, 'tool');
  assert.equal(first.tool, 'read_file');
  assert.equal(first.argument, 'src/config.ts');
  assert.ok(first.text.includes('8412'));
  assert.ok(first.lines[0] <= 31 && first.lines[1] >= 31);
  assert.ok(text.startsWith(`[message 2, read_file src/config.ts, lines ${first.lines[0]}–${first.lines[1]}]\n`));
  assert.ok(tokens <= 120);
});

test('what stands in the messages is not found again, wherever it stands there', () => {
  const line = 'The password of the vault is opensesame42.';
  const [history, messages] = hidden(line);
  assert.deepEqual(
    recall(history, [...messages, user(`Remember: ${line} Good.`)], '"opensesame42"').passages.map(({ text }) => text.includes('\n')),
    [true],
  );
  assert.deepEqual(recall(history, history, 'password vault'), { passages: [], tokens: 0, text: '' });
});

test('of equal passages the latest comes first, and then what stands behind them', () => {
  const history = [user('The bus number is 401 today.'), said('Yes.'), user('The bus number is 522 today.'), said('Fine.'), user('Go.')];
  const { passages } = recall(history, [history[4]], 'bus number');
  assert.deepEqual(
    passages.map(({ message }) => message),
    [2, 0, 3, 1],
  );
});

test('an answer is found by the words of its question, which it does not repeat', () => {
  const history = [
    user('And the telephone of the Lotus Hotel?'),
    said('010-65666606'),
    user('Thanks. And is it raining?'),
    said('No.'),
    user('Go.'),
  ];
  const { passages } = recall(history, [history[0], ...history.slice(2)], 'What was the telephone of the hotel?');
  assert.equal(passages[0].message, 1);
});

test("a call is found by the words of its tool's name", () => {
  const call = (id, name) => ({ id, type: 'function', function: { name, arguments: `{"id":"${id}"}` } });
  const history = [
    user('Begin.'),
    { role: 'assistant', content: null, tool_calls: [call('c1', 'cancelReservation'), call('c2', 'list_flights')] },
    { role: 'tool', tool_call_id: 'c1', content: 'Done.' },
    { role: 'tool', tool_call_id: 'c2', content: 'None.' },
    user('Go on.'),
  ];
  const { passages } = recall(history, [history[0], history[4]], 'Which reservation was cancelled?');
  assert.deepEqual([passages[0].tool, passages[0].text], ['cancelReservation', '{"id":"c1"}']);
});

test('of lines that say the same, only the best begins a passage', () => {
  const days = Array.from({ length: 6 }, () => [...filler(12), 'The ferry leaves at noon.'].join('\n'));
  const history = [user('Begin.'), ...days.map(said), user('Go on.')];
  const { passages } = recall(history, [history[0], history.at(-1)], 'When does the ferry leave?', { limit: 150 });
  assert.equal(passages.filter(({ text }) => text.includes('ferry')).length, 1);
});

test('function words hardly count', () => {
  const history = [user('What did you say the other day about it? Who was there?'), said('The proxy listens on 8125.'), user('Go.')];
  const { passages } = recall(history, [history[2]], 'What about the proxy?');
  assert.equal(passages[0].message, 1);
});

test('quoted strings have to stand in a passage as they are', () => {
  const history = [user('parse error in Alpha-7 at noon'), said('Parse Error in alpha-7'), user('the error of "parse"'), user('Go.')];
  const found = (query) => recall(history, [history[3]], query).passages.map(({ message }) => message);
  assert.deepEqual(found('"Alpha-7"'), [0]);
  assert.deepEqual(found('"parse error" "Alpha"'), [0]);
  assert.deepEqual(found('"Parse error"'), []);
  assert.deepEqual(found('parse error').toSorted(), [0, 1, 2]);
});

test('wrong arguments are named', () => {
  const throws = (work, message, name = 'TypeError') => assert.throws(work, { name, message });
  throws(() => recall('x', [], 'q'), 'recall(): history must be an array of messages, got string');
  throws(() => recall([], undefined, 'q'), 'recall(): messages must be an array of messages, got undefined');
  throws(() => recall([], [], 7), 'recall(): query must be a string, got number');
  throws(() => recall([], [], 'q', { limit: 0 }), 'recall(): options.limit must be a number of tokens above 0, got 0', 'RangeError');
  throws(() => recall([], [], 'q', { token: 5 }), /^recall\(\): options\.token is not an option/);
  throws(() => recall([user(7)], [], 'q', { format: 'openai-chat' }), /^recall\(\): history\[0\]/);
  throws(() => recall([user('a')], [user(7)], 'q'), /^recall\(\): messages\[0\]/);
});

test('of strings in quotes that stand far and near, the near ones are found', () => {
  const rows = Array.from({ length: 3000 }, (_, n) => ({ id: n, name: `n${n}`, ok: true }));
  const history = [user('Begin.'), said(JSON.stringify(rows, null, 2)), user('Go on.')];
  for (const query of ['"id" "n1999"', '"n1999" "id"', '"id": 1999, "name": "n1999"']) {
    const { passages } = recall(history, [history[0], history[2]], query);
    assert.ok(passages.length > 0 && passages.every(({ text }) => text.includes('"id"') && text.includes('"n1999"')), query);
  }
});
