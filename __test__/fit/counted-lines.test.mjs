// Marks count lines of the results as they were, also where these were written shorter before anything was cut: equal lines said once, states of a line that
// a command wrote over.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countTokens, fit } from 'palimpsest';
import { CORPORA } from '../support/corpus.mjs';
import { Random } from '../support/random.mjs';
import { sentence, Talk } from './talk.mjs';
import { cases, IS_WHOLE, SEED, someOf } from '../support/seed.mjs';

const MARK = /^\[… (\d+) (lines?|more times|more like this|earlier states)(?:: [^\n]*)?\]$/;
const linesOf = (text) => text.replace(/\r?\n$/, '').split(/\r?\n/);

/** The lines of the original that a text stands for; undefined where a mark doesn't say how many are gone. */
function counted(text) {
  let sum = 0;
  for (const line of linesOf(text)) {
    const [, count, what] = MARK.exec(line) ?? [];
    if (count === undefined && line.includes('[…')) return undefined;
    sum += count === undefined ? 1 : what === 'earlier states' ? 0 : Number(count);
  }
  return sum;
}

/** A result of blocks: lines, lines that come several times, progress. */
function resultOf(random) {
  let number = 0;
  const block = () => {
    const line = `${sentence(number)} ${number++ * 7919}`;
    if (random.chance(0.2)) return Array.from({ length: random.integer(3, 40) }, () => line).join('\n');
    if (random.chance(0.1)) return Array.from({ length: random.integer(2, 40) }, (_, n) => `Downloading ${number} ${n}%`).join('\r');
    return line;
  };
  const text = Array.from({ length: random.integer(20, 80) }, block).join('\n');
  return random.pick([text, `${text}\n`, `${text}\n`.replaceAll('\n', '\r\n')]);
}

test('what is left and the numbers of marks add up to the lines of the result', () => {
  const random = new Random(SEED);
  let [shorter, cut] = [0, 0];
  for (let round = 0; round < cases(100); round++) {
    const results = Array.from({ length: 4 }, () => resultOf(random));
    const talk = new Talk().user('Go on.');
    for (const [index, result] of results.entries()) talk.call('Bash', { command: `make ${index}` }, result);
    const { messages } = talk.assistant('So it is.').user(`And now? ${sentence(random.integer(0, 60))}`);
    const tokens = countTokens(messages);
    for (const share of [0.9, 0.5, 0.3, 0.2]) {
      const fitted = fit(messages, { limit: Math.floor(tokens * share), prune: false }).messages;
      for (const { role, content, tool_call_id: id } of fitted) {
        if (role !== 'tool') continue;
        const original = results[messages.filter((message) => message.role === 'tool').findIndex((message) => message.tool_call_id === id)];
        // Marks for messages that are gone stand beside the text.
        const text = content.replace(/\n*\[… \d+ messages?[^\]]*\]\n*/g, '');
        shorter += Number(/more times\]|earlier states\]/.test(text));
        const lines = text === original ? undefined : counted(text);
        if (lines === undefined) continue;
        assert.equal(lines, linesOf(original).length, `${share}: ${text}`);
        cut += Number(/\[… \d+ lines/.test(text));
      }
    }
  }
  if (IS_WHOLE) assert.ok(shorter > 100 && cut > 15, `${shorter} shorter, ${cut} cut`);
});

test('a mark stays with the line that it speaks of', () => {
  const random = new Random(SEED);
  for (let round = 0; round < cases(30); round++) {
    const result = resultOf(random);
    const { messages } = new Talk().user('Go on.').call('Bash', { command: 'make' }, result).assistant('So it is.').user('And now?');
    for (const share of [0.7, 0.4, 0.2]) {
      const fitted = fit(messages, { limit: Math.floor(countTokens(messages) * share), prune: false }).messages;
      const lines = linesOf(fitted.find(({ role }) => role === 'tool')?.content ?? '');
      const originals = linesOf(result);
      for (const [index, line] of lines.entries()) {
        const [, count] = /^\[… (\d+) more times\]$/.exec(line) ?? [];
        if (count === undefined) continue;
        const times = originals.filter((one) => one === lines[index - 1]).length;
        assert.equal(times, Number(count) + 1, `${lines[index - 1]} ${line}`);
      }
    }
  }
});

const { native, skip } = CORPORA.find(({ corpus }) => corpus === 'recorded conversations');
test('in recorded conversations, too', { skip }, () => {
  let cut = 0;
  for (const { messages, format } of someOf(native())) {
    if (format !== 'openai-chat') continue;
    const total = countTokens(messages, { format });
    for (const share of [0.7, 0.4]) {
      const { messages: fitted } = fit(messages, { limit: Math.floor(total * share), format, prune: false });
      const ids = messages.map((message) => message.tool_call_id);
      const isAlone = (id) => ids.indexOf(id) === ids.lastIndexOf(id);
      const given = new Map(messages.flatMap((message) => (message.role === 'tool' ? [[message.tool_call_id, message.content]] : [])));
      for (const { role, content, tool_call_id: id } of fitted) {
        const original = given.get(id);
        if (role !== 'tool' || !isAlone(id) || typeof content !== 'string' || typeof original !== 'string' || original.includes('[…'))
          continue;
        if (content === original || !/\[… \d+ lines/.test(content) || content.includes('messages')) continue;
        const lines = counted(content);
        if (lines === undefined) continue;
        assert.equal(lines, linesOf(original).length, content);
        cut++;
      }
    }
  }
  if (IS_WHOLE) assert.ok(cut > 0, `${cut} cut`);
});
