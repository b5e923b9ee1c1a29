// Flow, discourse units, coreference and clusters against the contract's rules written a second time (contract.mjs), on
// many random conversations.
import assert from 'node:assert/strict';
import test from 'node:test';

import * as palimpsest from 'palimpsest/compress';
import { Random, anyText } from '../support/random.mjs';
import { SEED } from '../support/seed.mjs';
import * as contract from './contract.mjs';

const COUNT = 20_000;
const PIECES = [
  'the gate',
  'a crane lifts',
  'the oil',
  'market bread prices',
  'tide_table',
  'readToken',
  'TokenStream',
  'Berlin Harbour',
  'must',
  'never',
  'x',
  'can you',
  'could you',
  'please',
  'add',
  'fix',
  'done',
  'updated',
  "I've",
  "here's",
  'heres',
  'first',
  'then',
  'after that',
  'because',
  'so that',
  'It',
  'this',
  'The result',
  'Sure',
  'ok',
  'yes',
  'great',
  'thanks',
  'yesterday',
  'Actually',
  'wait',
  'no,',
  'No.',
  'not that',
  'my bad',
  'I meant',
  'sounds good',
  'ship it',
  'lgtm',
  '12 ms',
  '3.5 seconds',
  '7%',
  '7%x',
  '4 MB',
  'v2 retries',
  '5\nGB',
  'require',
  'required',
  'important',
  ', and ',
  ',and ',
  ', but',
  ',  which ',
  ', as ',
  ', andy ',
  ' however',
  ' however, ',
  ' thusly',
  ' therefore .',
  ' hence\t,',
  '\u00a0otherwise ',
  ',,',
  '?',
  '?)',
  '!',
  '. ',
  '...',
  '\n',
  '\n\n',
  '\r\n',
  '\u2028',
  '\u2014',
  'é',
  '🙂',
  '\ud83d',
  '```',
  '[summary: ',
  '_',
  'a_b',
  'aB',
  'É',
  'K',
];
/** In lowercase, the last two become ASCII letters. */
const GAPS = ['', ' ', ' ', ' ', ' ', '. ', ', ', '? ', '\n', '\u212a', '\u0130'];

function text(random) {
  if (random.chance(0.1)) return anyText(random);
  let text = random.chance(0.1) ? ' \n' : '';
  for (let count = random.integer(0, random.pick([3, 8, 25])); count > 0; count--) text += random.pick(PIECES) + random.pick(GAPS);
  return text;
}

function conversation(random) {
  return Array.from({ length: random.integer(0, 9) }, (_, index) => {
    const content = random.chance(0.05) ? random.pick([undefined, null, '']) : text(random);
    const message = {
      id: `m${index}`,
      index,
      role: random.pick(['user', 'assistant', 'user', 'assistant', 'tool', 'system', undefined]),
      content,
    };
    return random.chance(0.05) ? { ...message, tool_calls: [{ id: 'c' }] } : message;
  });
}

/** Compares the results on `count` random inputs, and returns how many were not empty. */
function compare(generate, run, count = COUNT) {
  let reached = 0;
  for (let seed = SEED; seed < SEED + count; seed++) {
    const input = generate(new Random(seed));
    const [actual, expected] = [run(palimpsest, input), run(contract, input)];
    assert.deepEqual(actual, expected, `seed ${seed}: ${JSON.stringify(input)}`);
    if (expected.length > 0) reached++;
  }
  return reached;
}

test('detectFlowChains and summarizeChain', () => {
  const types = {};
  compare(
    (random) => [conversation(random), random.integer(0, 9), new Set(random.pick([['system'], [], ['tool']]))],
    (module, [messages, start, preserve]) => {
      const chains = module.detectFlowChains(messages, Math.min(start, messages.length), preserve);
      return chains.map((chain) => {
        types[chain.type] = (types[chain.type] ?? 0) + 1;
        return { ...chain, summary: module.summarizeChain(chain, messages) };
      });
    },
    60_000,
  );
  for (const type of ['qa', 'request_action', 'correction', 'acknowledgment']) assert.ok(types[type] > 100, JSON.stringify(types));
});

test('segmentEDUs, scoreEDUs and summarizeWithEDUs', () => {
  const scoreEDUs = (module, edus) => module.scoreEDUs?.(edus) ?? edus.map((edu) => ({ ...edu, score: contract.scoreEDU(edu.text) }));
  const reached = compare(
    (random) => [text(random), random.integer(0, 300)],
    (module, [source, budget]) => {
      const edus = module.segmentEDUs(source);
      return [...scoreEDUs(module, edus), module.summarizeWithEDUs(source, budget)];
    },
  );
  assert.equal(reached, COUNT);
});

test('scoreEDUs on any text', () => {
  for (let seed = SEED; seed < SEED + COUNT; seed++) {
    const source = text(new Random(seed));
    const [{ score }] = palimpsest.scoreEDUs([{ text: source, index: 0, dependsOn: [], score: 0 }]);
    assert.equal(score, contract.scoreEDU(source), `seed ${seed}: ${JSON.stringify(source)}`);
  }
});

test('selectEDUs, whatever depends on what', () => {
  const reached = compare(
    (random) => {
      const count = random.integer(0, 8);
      const edus = Array.from({ length: count }, (_, index) => ({
        text: 'x'.repeat(random.integer(0, 20)),
        index,
        dependsOn: Array.from({ length: random.integer(0, 3) }, () => random.integer(0, count - 1)),
        score: random.integer(-3, 3),
      }));
      return [edus, random.integer(0, 100), random.pick([undefined, 0, 1, 2, 7, Infinity])];
    },
    (module, [edus, budget, depth]) => module.selectEDUs(edus, budget, depth === Infinity ? 8 : depth),
  );
  assert.ok(reached > COUNT / 2);
});

test('buildCoreferenceMap and generateInlineDefinitions', () => {
  const reached = compare(conversation, (module, messages) => {
    const entities = module.buildCoreferenceMap(messages);
    const names = [...entities.map(({ entity }) => entity), 'oil', 'é', '🙂', 'e g'];
    return entities.map((one) => [one, module.generateInlineDefinitions(names, messages[one.definingMessageIndex].content)]);
  });
  assert.ok(reached > COUNT / 10, String(reached));
});

test('clusterMessages', () => {
  const reached = compare(
    (random) => [
      conversation(random).map((message) => ({ ...message, content: message.content ?? '' })),
      random.pick([0, 0.1, 0.15, 0.3, 0.5]),
    ],
    (module, [messages, threshold]) => module.clusterMessages(messages, [...messages.keys()], threshold),
  );
  assert.ok(reached > COUNT / 10, String(reached));
});
