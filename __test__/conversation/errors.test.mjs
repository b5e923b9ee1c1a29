// What is wrong with an argument is said by its name, and nothing given is changed.
import assert from 'node:assert/strict';
import test from 'node:test';

import * as palimpsest from 'palimpsest/compress';

const messages = [{ id: 'a', index: 0, role: 'user', content: 'Which crane is the first one?' }];
const edus = [{ text: 'It is.', index: 0, dependsOn: [], score: 0 }];

const REFUSED = [
  ['detectFlowChains', ['x', 1, new Set()], 'messages must be an array, got string'],
  ['detectFlowChains', [[null], 1, new Set()], 'messages[0] must be an object, got null'],
  ['detectFlowChains', [messages, '1', new Set()], 'recencyStart must be a number, got string'],
  ['detectFlowChains', [messages, 1, ['system']], 'preserveRoles must be a Set, got array'],
  [
    'summarizeChain',
    [undefined, messages],
    "chain.type must be one of 'qa', 'request_action', 'correction', 'acknowledgment', got undefined",
  ],
  ['summarizeChain', [{ type: 'qa' }, messages], 'chain.indices must be an array, got undefined'],
  ['summarizeChain', [{ type: 'qa', indices: [0, 1] }, messages], 'chain.indices[1] must be the position of a message, got 1'],
  ['segmentEDUs', [7], 'text must be a string, got number'],
  ['scoreEDUs', [null], 'edus must be an array, got null'],
  ['scoreEDUs', [[{}]], 'edus[0].text must be a string, got undefined'],
  ['scoreEDUs', [edus, 'x'], 'scorer must be a function, got string'],
  ['selectEDUs', [edus, '10'], 'budget must be a number, got string'],
  ['selectEDUs', [edus, 10, {}], 'maxDepth must be a number, got object'],
  ['summarizeWithEDUs', ['x'], 'budget must be a number, got undefined'],
  ['buildCoreferenceMap', [[{ content: 7 }]], 'messages[0].content must be a string, got number'],
  ['findOrphanedReferences', [{}, new Set(), new Set()], 'definitions must be an array, got object'],
  ['findOrphanedReferences', [[], [0], new Set()], 'compressedIndices must be a Set, got array'],
  ['findOrphanedReferences', [[], new Set()], 'preservedIndices must be a Set, got undefined'],
  ['findOrphanedReferences', [[null], new Set(), new Set()], 'definitions[0] must be an entity of buildCoreferenceMap'],
  ['generateInlineDefinitions', [[7], 'x'], 'entities[0] must be a string, got number'],
  ['generateInlineDefinitions', [[], null], 'source must be a string, got null'],
  ['clusterMessages', [messages, 0], 'eligibleIndices must be an array, got number'],
  ['clusterMessages', [messages, [0.5]], 'eligibleIndices[0] must be the position of a message, got 0.5'],
  ['clusterMessages', [messages, [0], 'x'], 'similarityThreshold must be a number, got string'],
  ['summarizeCluster', [null, messages], 'cluster.indices must be an array, got undefined'],
  ['summarizeCluster', [{ indices: [], sharedEntities: [1] }, messages], 'cluster.sharedEntities[0] must be a string, got number'],
];

for (const [name, args, message] of REFUSED) {
  test(`${name}: ${message}`, () => {
    assert.throws(() => palimpsest[name](...args), { name: 'TypeError', message: `${name}(): ${message}` });
  });
}

test('a scorer has to answer with a number, and what it throws is passed on', () => {
  for (const [scorer, kind] of [
    [async () => 1, 'promise'],
    [() => '1', 'string'],
    [() => undefined, 'undefined'],
  ]) {
    assert.throws(() => palimpsest.scoreEDUs(edus, scorer), { name: 'TypeError', message: `scorer must return a number, got ${kind}` });
  }
  const failure = new RangeError('no idea');
  assert.throws(
    () =>
      palimpsest.summarizeWithEDUs('It is so. It was not.', 10, () => {
        throw failure;
      }),
    failure,
  );
});

test('scores that are no numbers come last, and endless depth ends', () => {
  const units = [NaN, 1, -Infinity, 2].map((score, index) => ({
    text: 'x'.repeat(10),
    index,
    dependsOn: [(index + 1) % 4, -1, 99, 0.5, 'x'],
    score,
  }));
  assert.deepEqual(
    palimpsest.selectEDUs(units, 24, 0).map(({ index }) => index),
    [1, 3],
  );
  assert.deepEqual(palimpsest.selectEDUs(units, 48, Infinity), units);
  assert.deepEqual(palimpsest.selectEDUs(units, NaN), []);
});

test('nothing given is changed', () => {
  const frozen = Object.freeze([Object.freeze({ ...edus[0], dependsOn: Object.freeze([]) })]);
  assert.deepEqual(
    palimpsest.selectEDUs(palimpsest.scoreEDUs(frozen), 100).map(({ text }) => text),
    ['It is.'],
  );
  assert.equal(frozen[0].score, 0);
});
