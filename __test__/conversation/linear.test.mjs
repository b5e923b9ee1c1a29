// Flow, discourse units, coreference and clusters take time in proportion to the input, whatever it holds.
import assert from 'node:assert/strict';
import test from 'node:test';

import * as palimpsest from '../../index.mjs';

const { compress } = palimpsest;

/** Text of `length` UTF-16 code units for each name. */
const TEXTS = {
  letters: (length) => 'a'.repeat(length),
  blanks: (length) => ' '.repeat(length),
  commas: (length) => ','.repeat(length),
  'commas and blanks': (length) => ', '.repeat(length / 2),
  'commas and many blanks': (length) => `,${' '.repeat(999)}`.repeat(length / 1000),
  numbers: (length) => '1 '.repeat(length / 2),
  digits: (length) => '1'.repeat(length),
  'numbers and many blanks': (length) => `1${' '.repeat(999)}`.repeat(length / 1000),
  'full stops': (length) => '.'.repeat(length),
  'line ends': (length) => '\n'.repeat(length),
  clauses: (length) => 'so it was, and then it must end'.padEnd(32, '. ').repeat(length / 32),
  'clauses that depend on the one before': (length) => 'it is, because it is thus the result, then'.padEnd(64, ' ').repeat(length / 64),
  'one sentence': (length) => 'the crew waits for the tide, as the keeper '.padEnd(64, 'x').repeat(length / 64),
  'names, each once': (length) =>
    Array.from({ length: length / 16 }, (_, number) =>
      `aName${number.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[digit])}`.padEnd(15, 'a'),
    ).join(' '),
  'one name': (length) => 'readToken '.repeat(length / 10),
  capitals: (length) => 'aA'.repeat(length / 2),
  underscores: (length) => 'a_'.repeat(length / 2),
  'question marks': (length) => 'a? '.repeat(length / 3),
};

/** The least processor time of three runs, in ms: the clock on the wall would measure what else the machine does. */
function fastest(run) {
  let best = Infinity;
  for (let round = 0; round < 3; round++) {
    const start = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

function assertLinear(make, run, units) {
  const [quarter, whole] = [units / 4, units].map((length) => {
    const input = make(length);
    return fastest(() => run(input));
  });
  // Four times the input in four times the time. As much again is granted, and 20 ms for what is too short to measure.
  assert.ok(whole < 8 * quarter + 20, `${quarter.toFixed(1)} ms for a quarter, ${whole.toFixed(1)} ms for the whole`);
  assert.ok(whole < 3000, `${whole.toFixed(1)} ms`);
}

const messagesOf = (...contents) =>
  contents.map((content, index) => ({ id: `m${index}`, index, role: index % 2 ? 'assistant' : 'user', content }));
const edusOf = (text) =>
  text.match(/[\s\S]{1,32}/g).map((part, index) => ({ text: part, index, dependsOn: index > 0 ? [index - 1] : [], score: -index }));

const FUNCTIONS = {
  detectFlowChains: (text) => palimpsest.detectFlowChains(messagesOf(text, text, text), 3, new Set()),
  summarizeChain: (text) => palimpsest.summarizeChain({ indices: [0, 1], type: 'qa' }, messagesOf(text, text)),
  segmentEDUs: (text) => palimpsest.segmentEDUs(text),
  'scoreEDUs and selectEDUs': (text) => palimpsest.selectEDUs(palimpsest.scoreEDUs(edusOf(text)), text.length),
  summarizeWithEDUs: (text) => palimpsest.summarizeWithEDUs(text, text.length >> 1),
  buildCoreferenceMap: (text) => palimpsest.buildCoreferenceMap(messagesOf(text, text)),
  generateInlineDefinitions: (text) => palimpsest.generateInlineDefinitions(['readToken', 'x', 'é', 'zz', text.slice(-50)], text),
  'clusterMessages and summarizeCluster': (text) => {
    const messages = messagesOf(text, text, 'something else');
    palimpsest.clusterMessages(messages, [0, 1, 2]).forEach((cluster) => palimpsest.summarizeCluster(cluster, messages));
  },
};
const OPTIONS = { conversationFlow: true, semanticClustering: true, coreference: true, discourseAware: true };

for (const [name, make] of Object.entries(TEXTS)) {
  for (const [what, run] of Object.entries(FUNCTIONS)) test(`${what}: ${name}`, () => assertLinear(make, run, 1 << 18));
  test(`compress, one message and one that refers to it: ${name}`, () => {
    assertLinear(make, (text) => compress(messagesOf(text, text.slice(0, -1)), { recencyWindow: 1, dedup: false, ...OPTIONS }), 1 << 18);
  });
}

test('compress, code with names that the last message uses', () => {
  const prose = 'The keeper repaired the lantern before dusk, and the crew of the harbour went home. '.repeat(20);
  const make = (length) => messagesOf(`${prose}\n\`\`\`\n${TEXTS['names, each once'](length)}\n\`\`\``, TEXTS['names, each once'](length));
  assertLinear(make, (messages) => compress(messages, { recencyWindow: 1, ...OPTIONS }), 1 << 20);
});

const words = Array.from({ length: 3000 }, (_, number) => `word${number.toString(36)}`);
const sentence = (number, length) =>
  Array.from({ length }, (_, at) => words[(number * 7 + at * at * (number % 11)) % words.length]).join(' ');
const CONVERSATIONS = {
  'questions and answers': (count) =>
    messagesOf(
      ...Array.from({ length: count }, (_, number) =>
        number % 2 ? `Done: ${sentence(number, 20)}.` : `Could you fix it? ${sentence(number, 20)}.`,
      ),
    ),
  'one name in all': (count) =>
    messagesOf(
      ...Array.from({ length: count }, (_, number) => `${sentence(number, 20)}. The readToken must wait. ${sentence(number + 1, 20)}.`),
    ),
  'names that the last message uses': (count) => {
    const names = Array.from(
      { length: count },
      (_, number) =>
        `name${'ABCDEFGHIJ'
          .split('')
          .map((letter, place) => `${letter}${'abcdefghij'[Math.floor(number / 10 ** place) % 10]}`)
          .join('')}`,
    );
    return messagesOf(
      ...names.map((name, number) => `${sentence(number, 30)}. It is ${name}. ${sentence(number + 1, 20)}.`),
      names.join(' '),
    );
  },
  'all of one role': (count) =>
    messagesOf(...Array.from({ length: count }, (_, number) => `${sentence(number, 30)}. It is readToken number ${number}.`)).map(
      (message) => ({ ...message, role: 'user' }),
    ),
  'two hundred long ones': (count) =>
    messagesOf(...Array.from({ length: 200 }, (_, number) => `It is said here: ${sentence(number, count / 8)}.`)),
  'all alike': (count) =>
    messagesOf(
      ...Array.from(
        { length: count },
        (_, number) => `The fogHorn leaks oil onto the lighthouse floor, and the seal is worn since the spring of the year ${number}.`,
      ),
    ),
};
for (const [name, make] of Object.entries(CONVERSATIONS)) {
  for (const budget of [undefined, 1]) {
    test(`compress, ${name}${budget ? ', with a budget' : ''}`, () => {
      assertLinear(make, (messages) => compress(messages, { recencyWindow: 1, tokenBudget: budget, ...OPTIONS }), 1 << 13);
    });
  }
}
