// Calls one export with every kind of wrong argument. `node garbage.mjs MODULE EXPORT`; prints each call that broke a rule.
import { createRequire } from 'node:module';
import { inspect } from 'node:util';

const [module, name] = process.argv.slice(2);
const { default: engine, ...exported } = createRequire(import.meta.url)(module);
const subject = (engine ?? exported)[name];

const hostile = new Proxy(
  {},
  {
    get() {
      throw new Error('get');
    },
    ownKeys() {
      throw new Error('ownKeys');
    },
    getOwnPropertyDescriptor() {
      throw new Error('getOwnPropertyDescriptor');
    },
  },
);
const revoked = Proxy.revocable({}, {});
revoked.revoke();
const circular = [];
circular.push(circular);

const garbage = [
  undefined,
  null,
  true,
  0,
  -1,
  NaN,
  Infinity,
  2 ** 53,
  1n,
  '',
  'text',
  '\ud800',
  Symbol('s'),
  () => {},
  class {},
  [],
  [null],
  [undefined],
  [7],
  [{}],
  [[]],
  new Array(3),
  circular,
  [{ id: 7, content: 7 }],
  [{ id: 'a', index: 0, content: null }],
  [{ id: '__proto__', index: 0, role: Symbol('role'), content: '\udfff' }],
  [hostile],
  [revoked.proxy],
  {},
  Object.create(null),
  { length: 2 ** 32 },
  { then: 7 },
  new Map(),
  new Date(NaN),
  /x/g,
  new Error('e'),
  new Uint8Array(3),
  new Uint32Array([0xffffffff]),
  new ArrayBuffer(0),
  Buffer.from([0xff, 0xfe]),
  hostile,
  revoked.proxy,
];
const options = [
  'tokenCounter',
  'summarizer',
  'classifier',
  'preserve',
  'preservePatterns',
  'recencyWindow',
  'tokenBudget',
  'minRecencyWindow',
  'concurrency',
  'signal',
  'fuzzyThreshold',
  'sourceVersion',
  'classifierMode',
  'maxResponseTokens',
  'preserveTerms',
].flatMap((option) => garbage.map((value) => ({ [option]: value })));

const messages = [
  { id: 'a', index: 0, role: 'user', content: 'A long letter about the garden. '.repeat(20) },
  { id: 'b', index: 1, content: '' },
];
const calls = [
  [],
  ...garbage.map((one) => [one]),
  ...garbage.flatMap((one) => [
    [messages, one],
    [one, one],
    ['text', one],
    [() => 'answer', one],
    [messages, one, one, one, one],
  ]),
  ...options.flatMap((one) => [
    [messages, one],
    [() => 'answer', one],
  ]),
];

const show = (args) => inspect(args, { depth: 2, showProxy: true, breakLength: Infinity }).slice(0, 200);
for (const args of calls) {
  const check = (error) => {
    if (!(error instanceof Error)) console.log(`${name}(${show(args)}) threw ${inspect(error)}`);
  };
  try {
    const result = subject(...args);
    if (result instanceof Promise) result.catch(check);
  } catch (error) {
    check(error);
  }
}
console.error(`${calls.length} calls`);
