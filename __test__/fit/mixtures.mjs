// Fits random mixtures of structures, and judges each: `node mixtures.mjs SEED COUNT`. It is a process of its own, so that it can be ended
// if a fit never returns. Prints the seed of each case before it begins, then its faults, and at the end the marks that occurred.
import { writeSync } from 'node:fs';
import { countTokens, fit, restore } from 'palimpsest';
import { formOf, judge, withoutMessages } from '../support/marks.mjs';
import { variantsOf } from '../support/shorter.mjs';
import { Random } from '../support/random.mjs';
import { sentence, Talk } from './talk.mjs';

const STRUCTURES = {
  fence: ['```', '```text', '```ts', '````', '  ```', '12→```', '``` ```'],
  heading: ['## Part one', '## ', '### Next', '# a comment', '---', '***'],
  diff: [
    'diff --git a/x.ts b/x.ts',
    '--- a/x.ts',
    '+++ b/x.ts',
    '--- ',
    '+++ ',
    '@@ -1,3 +1,4 @@ fn a()',
    '@@ ',
    '+let a = 1;',
    '-let b = 2;',
    ' same as it was',
    '*** Update File: a.rs',
    ' 14→--- a/y',
    ' 15→+++ b/y',
  ],
  log: [
    '10:00:00 started',
    '10:00:01 INFO worker 1 polled',
    '10:00:02 INFO worker 2 polled',
    '[WARN] the queue is full',
    'level=DEBUG cli',
    'ERROR: no such file src/a.ts:4',
  ],
  code: [
    'fn a() {',
    '    async fn b() {',
    '        let c = 3;',
    '    }',
    '}',
    '',
    '  ',
    'class A:',
    '    def b(self):',
    '12→fn numbered() {',
    '13→    one();',
  ],
  json: ['{', '[', ']},', '{"a": 1, "b": [1, 2, 3]}', '"key": "value",', '"[… 2 members]": null,', '(((', '}'],
  marks: ['[… 3 lines]', '[…]', '[… 2 messages]', '[… 4 more like this]', '"[… 3 items]"', '[palimpsest:k3f9a2c81x read]'],
  words: [
    'A sentence about it. And another one, which is longer than that.',
    'x',
    '\\n',
    't.Errorf("it is:\\n%s \\\\n", \\"out\\")',
    '東京は雨です。',
    '😀',
    '\ud83d',
    '\udc00 low',
    '\u2028',
    '\0',
  ],
};
const KINDS = Object.keys(STRUCTURES);

function line(random, kinds) {
  if (random.chance(0.2)) return sentence(random.integer(0, 4000));
  if (random.chance(0.03)) return Array.from({ length: random.integer(2, 12) }, () => sentence(random.integer(0, 4000))).join(' ');
  const text = random.pick(STRUCTURES[random.pick(kinds)]);
  return random.chance(0.1) ? '  '.repeat(random.integer(1, 12)) + text : text;
}

function mixture(random) {
  const kinds = Array.from({ length: random.integer(1, 4) }, () => random.pick(KINDS));
  const end = random.pick(['\n', '\n', '\n', '\r\n', '\n\n']);
  const lines = [];
  for (let count = random.integer(1, random.pick([4, 12, 40])); count > 0; count--) {
    const one = line(random, kinds);
    for (let times = random.chance(0.06) ? random.integer(2, 20) : 1; times > 0; times--) lines.push(one);
  }
  return lines.join(end) + (random.chance(0.5) ? end : '');
}

function value(random, depth) {
  const kind = random.integer(0, depth > 0 ? 7 : 4);
  if (kind === 0) return random.pick([null, true, 12345678901234567000, 1e300, -0.5, '', 'short']);
  if (kind <= 2) return random.integer(0, 1e6);
  if (kind <= 4) return random.chance(0.5) ? mixture(random) : sentence(random.integer(0, 4000));
  const count = random.integer(0, random.pick([3, 12, 50]));
  if (kind === 5) return Array.from({ length: count }, () => value(random, depth - 1));
  const name = (index) =>
    random.pick(['id', 'rows', '[…]', '[… 1 member]', '[… 2 members]', '[… 2 members (2)]', '__proto__', 'a"b\\', 'name_']) +
    (random.chance(0.7) ? `_${index}` : '');
  return JSON.parse(`{${Array.from({ length: count }, (_, index) => `${JSON.stringify(name(index))}:0`).join()}}`, (key, one) =>
    key === '' ? one : value(random, depth - 1),
  );
}

const container = (random) => ({
  code: 0,
  rows: Array.from({ length: random.integer(0, 40) }, () => value(random, 1)),
  more: value(random, 3),
});

const textOfValue = (one) => (typeof one === 'string' ? one : JSON.stringify(one));

/** Returns the conversation of a case, and the place of the text that is fitted. */
function caseOf(random) {
  const result = ['result', 'result', 'result', 'read', 'json', 'json', 'object', 'gemini'];
  const place = random.pick([...result, 'answer', 'question', 'write', 'edit']);
  if (place === 'object') {
    const output = random.chance(0.8) ? container(random) : value(random, 3);
    const part = { type: 'tool-run', toolCallId: 'a', state: 'output-available', input: {}, output };
    const messages = [
      { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Go on.' }] },
      { id: 'a', role: 'assistant', parts: [part] },
      { id: 'v', role: 'user', parts: [{ type: 'text', text: 'And now?' }] },
    ];
    return {
      messages,
      format: 'ai-sdk-ui',
      textOf: (one) => textOfValue(one[1]?.parts?.[0].output),
      how: { isValue: typeof output !== 'string' },
    };
  }
  if (place === 'gemini') {
    const response = container(random);
    const messages = [
      { role: 'user', parts: [{ text: 'Go on.' }] },
      { role: 'model', parts: [{ functionCall: { name: 'run', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'run', response } }] },
      { role: 'model', parts: [{ text: 'Here it is.' }] },
      { role: 'user', parts: [{ text: 'And now?' }] },
    ];
    return {
      messages,
      format: 'gemini',
      textOf: (one) => textOfValue(one[2]?.parts[0].functionResponse?.response),
      how: { isValue: true },
    };
  }
  const talk = new Talk(random.chance(0.5) ? 'You are careful.' : '').user(place === 'question' ? mixture(random) : 'Go on.');
  const at = talk.messages.length;
  const isCall = place === 'write' || place === 'edit';
  const first = random.pick([1, 1, random.integer(2, 900)]);
  if (place === 'answer') talk.assistant(mixture(random));
  else if (place === 'write') talk.call('Write', { path: 'a.ts', content: mixture(random), more: value(random, 2) }, 'done');
  else if (place === 'edit') talk.call('Edit', { file_path: 'a.ts', new_string: mixture(random), more: value(random, 2) }, 'done');
  else if (place === 'read') talk.call('Read', { file_path: 'a.ts', ...(first > 1 ? { offset: first } : {}) }, mixture(random));
  else if (place !== 'question')
    talk.call('Bash', { command: 'x' }, place === 'json' ? JSON.stringify(container(random), null, random.pick([0, 2])) : mixture(random));
  const { messages } = talk.assistant('Here it is.').user('And now?');
  const textOf = (all) => {
    // The first message goes last, with what follows it.
    if (place === 'question') return all[at] && all[at - 1].content;
    if (all[at]?.role !== 'assistant') return undefined;
    if (place === 'answer') return all.length === messages.length ? all[at].content : undefined;
    return isCall ? all[at].tool_calls?.[0].function.arguments : all[at].tool_calls && all[at + 1].content;
  };
  const how = { isCall, firstLine: place === 'read' ? first : 1 };
  return { messages, format: 'openai-chat', textOf, how };
}

function judgeAny(text, original, how) {
  const ofResult = () => (how.isValue ? variantsOf(JSON.parse(original)).map((one) => JSON.stringify(one)) : variantsOf(original));
  const wholes = how.isCall ? [original] : ofResult();
  const found = withoutMessages(text).flatMap((one) => wholes.map((whole) => judge(one, whole, how)));
  return found.includes(undefined) ? undefined : found[0];
}

const [seed, count] = process.argv.slice(2).map(Number);
const forms = new Set();
let wrong = 0;
for (let number = 0; number < count; number++) {
  const random = new Random(seed * 1_000_003 + number);
  writeSync(1, `${number}\n`);
  const { messages, format, textOf, how } = caseOf(random);
  const tokenizer = random.pick(['estimate', 'estimate', 'o200k_base']);
  const total = countTokens(messages, { format, tokenizer });
  for (const share of [1 - 1 / total, random.next(), random.next() / 3]) {
    const result = fit(messages, { limit: Math.floor(total * share), format, tokenizer });
    const [text, original] = [textOf(result.messages), textOf(messages)];
    const problem = text === undefined ? undefined : judgeAny(text, original, { ...how, saw: (mark) => forms.add(formOf(mark)) });
    const back =
      JSON.stringify(restore(result.messages, result.originals).messages) === JSON.stringify(messages) ? undefined : 'is not restored';
    for (const one of [problem, back].filter(Boolean)) {
      if (wrong++ < 5)
        writeSync(
          2,
          `case ${number} of seed ${seed} at ${share}, ${format}: ${one}\n${JSON.stringify(original)}\n${JSON.stringify(text)}\n`,
        );
    }
  }
}
writeSync(1, `${JSON.stringify({ wrong, forms: [...forms] })}\n`);
