// Flow, discourse units, coreference and clusters.
import { cases, messagesOf } from './family.mjs';

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

const edusOf = (text) =>
  text.match(/[\s\S]{1,32}/g).map((part, index) => ({ text: part, index, dependsOn: index > 0 ? [index - 1] : [], score: -index }));

const FUNCTIONS = {
  detectFlowChains: ({ detectFlowChains }, text) => detectFlowChains(messagesOf(text, text, text), 3, new Set()),
  summarizeChain: ({ summarizeChain }, text) => summarizeChain({ indices: [0, 1], type: 'qa' }, messagesOf(text, text)),
  segmentEDUs: ({ segmentEDUs }, text) => segmentEDUs(text),
  'scoreEDUs and selectEDUs': ({ scoreEDUs, selectEDUs }, text) => selectEDUs(scoreEDUs(edusOf(text)), text.length),
  summarizeWithEDUs: ({ summarizeWithEDUs }, text) => summarizeWithEDUs(text, text.length >> 1),
  buildCoreferenceMap: ({ buildCoreferenceMap }, text) => buildCoreferenceMap(messagesOf(text, text)),
  generateInlineDefinitions: ({ generateInlineDefinitions }, text) =>
    generateInlineDefinitions(['readToken', 'x', 'é', 'zz', text.slice(-50)], text),
  'clusterMessages and summarizeCluster': ({ clusterMessages, summarizeCluster }, text) => {
    const messages = messagesOf(text, text, 'something else');
    for (const cluster of clusterMessages(messages, [0, 1, 2])) summarizeCluster(cluster, messages);
  },
};
const OPTIONS = { conversationFlow: true, semanticClustering: true, coreference: true, discourseAware: true };

const { 'names, each once': distinctNames } = TEXTS;
const prose = 'The keeper repaired the lantern before dusk, and the crew of the harbour went home. '.repeat(20);
const codeWithNames = (length) => messagesOf(`${prose}\n\`\`\`\n${distinctNames(length)}\n\`\`\``, distinctNames(length));

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

const withOptions =
  (options) =>
  ({ compress }, messages) =>
    compress(messages, { recencyWindow: 1, ...options, ...OPTIONS });

export const conversation = [
  ...Object.entries(FUNCTIONS).flatMap(([what, call]) => cases(what, 1 << 18, TEXTS, call)),
  ...cases('compress, one message and one that refers to it', 1 << 18, TEXTS, ({ compress }, text) =>
    compress(messagesOf(text, text.slice(0, -1)), { recencyWindow: 1, dedup: false, ...OPTIONS }),
  ),
  ...cases('compress', 1 << 20, { 'code with names that the last message uses': codeWithNames }, withOptions({})),
  ...cases('compress', 1 << 13, CONVERSATIONS, withOptions({})),
  ...cases('compress with a budget', 1 << 13, CONVERSATIONS, withOptions({ tokenBudget: 1 })),
];
