// What the model has not answered yet: an epoch leaves it whole, and what was appended since the last usage is not taken for counted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countTokens, createSession } from 'palimpsest';
import { Random } from '../support/random.mjs';
import { cases, IS_WHOLE, SEED } from '../support/seed.mjs';

/** Results of one agent turn: lines with numbers that nothing else has. */
function results(random, count, most) {
  return Array.from({ length: count }, () => {
    const line = () => `value_${random.integer(1, 99999)} = ${random.integer(1, 99999)}`;
    return Array.from({ length: random.integer(2, most) }, line).join('\n');
  });
}

const WORDS = ['here', 'there', 'other', 'list', 'item', 'next'];
const call = (id, index) => ({ id, type: 'function', function: { name: 'read', arguments: JSON.stringify({ path: `src/${index}.ts` }) } });

test('an epoch leaves whole what the model has not answered, if it takes at most half of what can be cut', () => {
  const random = new Random(SEED);
  let [epochs, kept] = [0, 0];
  for (let round = 0; round < 6; round++) {
    const system = 'Answer in one sentence. '.repeat(random.integer(0, 200));
    const room = random.integer(1500, 4000);
    const limit = room + countTokens([], { format: 'openai-chat', system });
    const session = createSession({ limit, system, format: 'openai-chat', preset: ['careful', 'balanced', 'thrifty'][round % 3] });
    const history = [{ role: 'user', content: 'Read all modules, and say which is wrong.' }];
    results(random, 50, 90).forEach((content, index) => {
      const ids = Array.from({ length: random.integer(1, 2) }, (_, at) => `c${index}_${at}`);
      history.push({ role: 'assistant', content: null, tool_calls: ids.map((id) => call(id, index)) });
      const fresh = ids.map((id) => ({ role: 'tool', tool_call_id: id, content }));
      history.push(...fresh);
      const step = session.next(history);
      const tokens = countTokens(fresh, { format: 'openai-chat' }) - countTokens([], { format: 'openai-chat' });
      if (step.epoch === undefined || tokens > 0.49 * room) return;
      epochs++;
      const sent = step.messages.slice(-fresh.length);
      assert.deepEqual(sent, fresh, JSON.stringify({ SEED, round, index, report: step.report.summary }));
      kept++;
    });
  }
  assert.ok(epochs > 20, `${epochs} epochs`);
  assert.equal(kept, epochs);
});

test('in the middle of a turn an epoch leaves the newest messages whole, up to 0.3 of its mark', () => {
  const random = new Random(SEED);
  let inTurn = 0;
  const tokensOf = (messages) => countTokens(messages, { format: 'openai-chat' }) - countTokens([], { format: 'openai-chat' });
  for (let round = 0; round < 8; round++) {
    const limit = random.integer(16_000, 24_000);
    const session = createSession({ limit, format: 'openai-chat' });
    const history = [];
    let answer = 'It is fine.';
    results(random, 200, 100).forEach((lines, index) => {
      // Half of the results are code that says little by itself.
      const content = index % 12 < 6 ? lines : lines.replace(/\d+/g, (digits) => WORDS[digits % WORDS.length]);
      if (index % 50 === 0) history.push({ role: 'assistant', content: answer }, { role: 'user', content: 'Why does value_7 wait?' });
      else {
        const id = `c${index}`;
        history.push({ role: 'assistant', content: null, tool_calls: [call(id, index)] }, { role: 'tool', tool_call_id: id, content });
      }
      answer = content;
      const step = session.next(history);
      if (step.epoch === undefined || history.at(-1).role !== 'tool') return;
      let count = 1;
      while (tokensOf(history.slice(-count - 1)) <= 0.29 * 0.5 * limit) count++;
      const newest = history.slice(-count);
      const isWhole = newest.every((message) => step.messages.includes(message));
      inTurn++;
      assert.ok(isWhole, JSON.stringify({ SEED, round, index, report: step.report.summary }));
    });
  }
  assert.ok(inTurn > 8, `${inTurn} epochs in a turn`);
});

test('a provider that counts some texts a tenth higher than others never gets more than the limit', () => {
  const random = new Random(SEED);
  const limit = 4000;
  const session = createSession({ limit, format: 'gemini', low: 0.9 });
  const history = [];
  // Numbers have more tokens than words have: the provider's ratio is another for each text.
  const ratios = new Map();
  const counted = (messages) => {
    const alone = countTokens([], { format: 'gemini' });
    const of = (message) => (countTokens([message], { format: 'gemini' }) - alone) * (ratios.get(message) ?? 1.15);
    return Math.round(alone + messages.reduce((sum, message) => sum + of(message), 0));
  };
  results(random, 120, 60).forEach((text, index) => {
    const message = { role: index % 2 === 0 ? 'user' : 'model', parts: [{ text }] };
    ratios.set(message, index % 2 === 0 ? 1.2 : 1.1);
    history.push(message);
    if (index % 2 === 1) return;
    const step = session.next(history);
    const input = counted(step.messages);
    assert.ok(index < 2 || input <= limit, JSON.stringify({ SEED, index, input, report: step.report.summary }));
    session.observe({ promptTokenCount: input });
  });
  assert.ok(session.report.epochs.limit > 3, String(session.report));
});

test("an epoch leaves the user's last words whole where the limit has room for them beside the newest messages", () => {
  const random = new Random(SEED);
  const format = 'openai-chat';
  const tokensOf = (messages) => countTokens(messages, { format }) - countTokens([], { format });
  let long = 0;
  for (let round = 0; round < cases(40); round++) {
    const limit = random.integer(6_000, 20_000);
    const lines = (tokens) => results(random, 1, 3 + tokens / 5)[0].slice(0, 2 * tokens);
    const sentence = (_, index) => `Tell me whether the ${random.pick(WORDS)} of branch ${index} was paid before it was sent, and by whom.`;
    const words = Array.from({ length: random.integer(1, (0.5 * limit) / 17) }, sentence).join(' ');
    const history = [{ role: 'user', content: words }];
    const session = createSession({ limit, format, preset: ['careful', 'balanced', 'thrifty'][round % 3], warn: false });
    for (let index = 0; index < 8; index++) {
      const fresh = [
        { role: 'assistant', content: null, tool_calls: [call(`c${index}`, index)] },
        { role: 'tool', tool_call_id: `c${index}`, content: lines(random.integer(0.1 * limit, 0.5 * limit)) },
      ];
      history.push(...fresh);
      const step = session.next(history);
      const newest = tokensOf([history[0], ...fresh]);
      // Of the limit is left what marks of all else take.
      if (step.epoch === undefined || newest > 0.8 * limit) continue;
      if (newest > 0.5 * limit) long++;
      const where = JSON.stringify({ SEED, round, index, newest, limit, report: step.report.summary });
      assert.equal(step.report.cutLastWords, undefined, where);
      assert.ok(
        step.messages.some(({ content }) => content?.startsWith(words)),
        where,
      );
      assert.ok(step.fits && countTokens(step.messages, { format }) <= limit, where);
    }
  }
  if (IS_WHOLE) assert.ok(long > 5, `${long} epochs`);
});
