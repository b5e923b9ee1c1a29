// Random texts and choices that a seed reproduces.

/** A generator of numbers (mulberry32) with the few distributions that tests want. */
export class Random {
  constructor(seed) {
    this.state = seed >>> 0;
  }

  /** 0 ≤ number < 1 */
  next() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** low ≤ integer ≤ high */
  integer(low, high) {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability) {
    return this.next() < probability;
  }

  pick(list) {
    return list[this.integer(0, list.length - 1)];
  }
}

const split = (text) => text.trim().split(/\s*\|\s*/);

/** Separators, and texts that only look like separators. */
const GAPS = [
  ...' '.repeat(12),
  ...'\n'.repeat(6),
  ...['', '', '', '  ', '\t', '\r\n', '\r', '\n\n', '\n\n\n', '\r\n\r\n', '\u2028', '\u2029', '\u00a0', '\ufeff', '\u0085', '\u200b'],
  ...['\u180e', '\u3000', '\v', '\f', '.', ',', ':', ';', '-', '_', '/', '!', '?', '"', "'", '(', ')', '`', '$', '%', '=', '|', '\\'],
  ...['. ', '! ', '? ', '.\n', '...', ', ', ': ', ':\n', '\n ', '\n  ', '\n    ', '\n\t', ' \n'],
];

/** Code units at the edges of classes. */
const EDGES = [
  ...'aZ09_.-/:!?"\'`$%#@&*()[]{}<>|\\~^+=,; \n\r\t\v\f\0\x1c\x1f\x7f',
  ...'\u0085\u00a0\u00b5\u00b0\u00e9\u0130\u0131\u017f\u039c\u03bc\u03a3\u03c2\u1680\u180e\u2000\u200a\u200b\u2014\u2018\u2019\u201c\u201d',
  ...'\u2022\u2028\u2029\u202f\u205f\u2060\u2126\u212a\u2200\u2234\u3000\u4e2d\ufeff\uff21\uffff',
  ...['\ud83d', '\ude00', '\ud83d\ude00', '\udbff', '\udc00', '\ud800'],
];

const WORDS = split(`
  the | a | lamp | keeper | repaired | lantern | before | dusk | and | rope | harbour | Ahoy | Harbour | Lamp Keeper | The | However |
  Redis | New York | It's | e.g. | i.e. | readToken | tokenStreamReader | TokenStream | ReadTheDocs | HTTPServer | getURL | read_token |
  _private | snake_case_2 | SCREAMING_CASE | grpc | Grpc | TLS | ssh | rhythm | html5 | xyz | n8n | cafébar | naïveBar | 中文 | Ünder`);
const NUMBERS = split(`
  1 | 42 | 007 | 3.14 | 10.25.1 | 1.2.3.4 | 192.168.1.1 | v1 | v1.2 | v1.2.3 | V2.0 | 3.4x | 1,000 | 1. | 2) | 3: | 5% | 50%x | 5 %y | 7 ms |
  12ms | 1.5 MB | 5. MB | 3 retries | 2 retry | 1 retrie | 10 seconds | 4 GHz | 20 °C | 9 µs | 9 μs | 9 Μs | 1990s | 5 M | 100 requests |
  3 kg | 6 Workers | 8 percent | 555-123-4567 | 5551234567 | 555.123 4567 | 555--123-4567 | 2024-01-31 | 12:30 | 0x1F | 1e9 | -5`);
const MARKS = split(`
  \`\`\` | \`\`\`js | \`\`\`c++ | \`\`\`\` | \` | ~~~ | $ | $$ | $x$ | $5 and $6 | ∀ | ± | ∴ | ¬ | { | [ | { " | ["a" | [1 | [-1 | {"a": 1} | [true, null] | [ |
  } | ] | ), | " | " : | ", | “ | ” | “quoted words here” | "quoted words here" | "key": | "ab": | '|' | -- | • | * | - | > | # | <a> |
  ( | ) | ; | = | + | & | ^ | \\ | … | ...`);
const PHRASES = split(`
  always | must | note that | in particular | key point | requires | requirement | therefore | thus | hence | as a result | given that |
  which means | first | second | third | firstly | let me think | let's consider | let’s consider | in summary | we can conclude |
  it follows that | QED | since we know | this means that | Reasoning: | analysis : | step by step: | Step-by-step: | chain-of thought: |
  Step 1: | step 2. | 1. | 2. | 3) | 1.\n2.\n3.\n | ok, | OK. | sure | Great! | I see | i'll | I’ll | so far | no problem | thanks. | well | yes |
  got  it | PASS | FAIL | ERROR | WARNING | WARN | OK | SKIP | Error | Tests | passed | Total | Duration: | test | tests failed`);
const SQL = split(`
  select | SELECT | from | where | FROM | into | set | insert | join | left join | LEFT  JOIN | inner\njoin | not null | order by | group by |
  group | by | order | having | union | limit | offset | values | distinct | merge | grant | revoke | trigger | cursor | returning |
  integer | Constraint | boolean | with recursive | with | truncate | upsert | primary key | foreign key | on conflict | schema | view |
  create | delete | update | fetch | alter | drop | procedure | declare | cascade | whereas | selected`);
const SECRETS = split(`
  sk- | _sk- | task-sk- | sk_live_ | rk_test_ | AKIA | AKIAABCDEFGHIJKLMNOP | ghp_ | ghx_ | github_pat_ | xoxb- | xoxz- | SG. | glpat- | npm_ |
  AIza | api-key- | my_token_ | pre- | abc_ | face- | x- | abcdefghijklmnop- | abcdefghij0123456789 | ABCDEFGHIJKLMNOPQRST | 0123456789 |
  0123456789abcdef0123456789abcdef01234567 | deadbeefdeadbeefdeadbeefdeadbeefdeadbeef | some-lower-case-words-1 | ab-cd-ef-12 | a-b-c-1 |
  Ab-cd-ef- | QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNk | a1b2c3d4e5f6g7h8i9j0 | k1- | _ | - | --- | Zz9`);
const REFERENCES = split(`
  http:// | https:// | https://a.b/c?d=e | HTTP://x | http://. | me@site.org | a@b.c | .@x.yz | x@y-z.com | /usr/lib/x.so | either/or/else |
  a/b | ./run.sh | ../../x.py | ./.. | ../.env | a.b.c | e.g | lib/a.py:3: | lib/a.py:3:14: | x.rs:10: | .rs:1: | a.b:1:2: | a.b.c:9:x.y:8: |
  word.Next | file.extension | file.toolong7 | a-b.c_d | v1.2.x | foo.tar.gz | version 2 | Version\n3 | version | shall | may not | hereby |
  status: 404 | Status code 500 | status code: 404 | status404 | status : 5000 | HTTP/1.1 404 | http/2.0  503 | HTTP/2 500 |
  Response status code is 401 | response  status code is  200 | connection refused | Connection  timed\nout | permission denied |
  authentication error | execution  failed | authorization denied | Traceback (most recent call last): | Exception in thread "x" |
  Exception in threads | at foo( | at a.b$c(x.js:1:2) | at ( | a: b | key: value | key:value | key: | - item: x | my-key: 1 | [summary: | [truncated |
  [summary# | [cce:dup of`);
const LINES = [
  ...split(`{ | [ | Roses are red | Violets are blue | Sugar is sweet | A dot. | lower case | plain line with words | \`\`\` | - item |
  * item | • item | key: value | name: | PASS one | FAIL two: 3 | src/a.rs:1: msg | src/b.rs:2:3: msg | src/c.d.rs:4: msg | Total: 4 | OK`),
  ...['| x |', '|--|', '||', '|', '| a | b |'],
];
const FAMILIES = [WORDS, NUMBERS, MARKS, PHRASES, SQL, SECRETS, REFERENCES, LINES, GAPS, EDGES];

/**
 * A text from fragments that matter to the rules, glued by gaps that matter. A few families at a time, so that rules which
 * need several things together are reached; and now and then a unit is dropped, doubled, swapped or put in the other case.
 */
export function randomText(random, fragments = random.integer(1, random.pick([3, 8, 20, 40]))) {
  const families = Array.from({ length: random.integer(1, 3) }, () => random.pick(FAMILIES));
  if (random.chance(0.5)) families.push(WORDS, PHRASES);
  const gaps = random.chance(0.5) ? GAPS : Array.from({ length: 3 }, () => random.pick(GAPS));
  let text = random.chance(0.2) ? random.pick(GAPS) : '';
  for (let count = 0; count < fragments; count++) {
    const fragment = random.pick(random.pick(families));
    text += random.chance(0.05) ? fragment.repeat(random.integer(2, 20)) : fragment;
    if (count < fragments - 1 || random.chance(0.3)) text += random.pick(gaps);
  }
  const mutations = random.chance(0.4) ? random.integer(1, 4) : 0;
  for (let count = 0; count < mutations; count++) text = mutate(random, text);
  return text;
}

function mutate(random, text) {
  const at = random.integer(0, text.length);
  const [head, unit, tail] = [text.slice(0, at), text.slice(at, at + 1), text.slice(at + 1)];
  switch (random.integer(0, 5)) {
    case 0:
      return head + tail;
    case 1:
      return head + unit + unit + tail;
    case 2:
      return head + random.pick(EDGES) + unit + tail;
    case 3:
      return head + random.pick(EDGES) + tail;
    case 4:
      return head + (unit === unit.toLowerCase() ? unit.toUpperCase() : unit.toLowerCase()) + tail;
    default:
      return text + head.slice(-random.integer(1, 30));
  }
}

/** Several paragraphs of such texts, long enough for summaries to be cut. */
export function randomProse(random) {
  const paragraphs = Array.from({ length: random.integer(1, 6) }, () => {
    const sentences = Array.from({ length: random.integer(1, 8) }, () => {
      const words = Array.from({ length: random.integer(1, 16) }, () => random.pick(random.pick([WORDS, WORDS, WORDS, NUMBERS, PHRASES])));
      return words.join(' ') + random.pick(['.', '.', '.', '!', '?', '...', '', ':', '\n']);
    });
    return sentences.join(random.pick([' ', ' ', '\n', '']));
  });
  return paragraphs.join(random.pick(['\n\n', '\n\n\n', '\r\n\r\n', ' ']));
}

/** Lines as tools print them. */
export function randomLines(random) {
  const line = () =>
    random.pick(['', '', '  ', '\t']) +
    Array.from({ length: random.integer(1, 3) }, () => random.pick(random.pick([LINES, LINES, REFERENCES, WORDS]))).join(' ');
  return Array.from({ length: random.integer(2, 16) }, line).join(random.pick(['\n', '\n', '\r\n', '\n\n']));
}

/** Prose with fences that are open, closed, nested and broken in every way. */
export function randomFences(random) {
  const pieces = Array.from({ length: random.integer(1, 8) }, () =>
    random.pick([
      () => random.pick(['', ' ', '   ', '    ', '\t', '\n', 'x']) + random.pick(['```', '````', '```js', '```js x', '``', '~~~', '```\r']),
      () => random.pick(LINES),
      () => randomProse(random),
      () => random.pick(['\n', '\r\n', '\r', '\u2028', '\n\n', '\n   ', ' ']),
      () => random.pick(['\n', '\n\n']),
      () => '\n```' + random.pick(['', 'rs', ' x']) + '\ncode();\n```' + random.pick(['', '\n', ' tail', '`']),
    ])(),
  );
  return pieces.join(random.pick(['', '\n', '\n']));
}

/** A text of any of these kinds. */
export function anyText(random) {
  const kind = random.next();
  if (kind < 0.55) return randomText(random);
  if (kind < 0.75) return randomProse(random);
  if (kind < 0.88) return randomLines(random);
  return randomFences(random);
}

/**
 * Short texts from a small alphabet of pieces: nearly all arrangements of what one rule reads come up, the near misses
 * among them, which longer texts would drown.
 */
export function fromPieces(pieces, maximum = 12) {
  return (random) => Array.from({ length: random.integer(1, maximum) }, () => random.pick(pieces)).join('');
}

/** A conversation in which every route is taken: prose of all kinds, duplicates, near duplicates, calls, answers. */
export function randomConversation(random, maximum = 12) {
  const messages = [];
  const count = random.integer(0, maximum);
  const roles = random.pick([['user', 'assistant'], ['user'], ['user', 'assistant', 'tool', 'system', undefined, '']]);
  for (let index = 0; index < count; index++) {
    const message = { id: random.pick(['', 'n', 'é', '\ud83d\ude00', '\udc00']) + index, index };
    if (random.chance(0.95)) message.role = random.pick(roles);
    message.content = randomContent(random, messages);
    if (random.chance(0.05)) message.tool_calls = random.pick([[], [{ id: `call${index}` }], 'none']);
    if (random.chance(0.08)) message.tool_call_id = random.pick([`call${index - 1}`, null, '']);
    if (random.chance(0.1)) message.metadata = random.pick([{}, { k: 1 }, null, provenance(index), { ...provenance(index), z: 2 }]);
    messages.push(message);
  }
  return messages;
}

const provenance = (index) => ({ _cce_original: { ids: [`old${index}`], summary_id: `cce_sum_old${index}`, version: 1 } });

function randomContent(random, messages) {
  const kind = random.next();
  const earlier = messages.length > 0 ? random.pick(messages).content : undefined;
  if (kind < 0.05) return random.pick([undefined, null, '', [{ type: 'text', text: 'x' }], 7, ' '.repeat(150)]);
  if (kind < 0.18) return earlier ?? '';
  if (kind < 0.33 && typeof earlier === 'string') {
    const lines = earlier.split('\n');
    lines[random.integer(0, lines.length - 1)] = random.pick(LINES);
    return random.chance(0.3) ? lines.join('\n').toUpperCase() : lines.join('\n');
  }
  if (kind < 0.38) return random.pick(['[summary: ', '[summary#x: ', '[truncated', ' [summary: ']) + randomProse(random);
  if (kind < 0.45) return plainProse(random, 2000);
  if (kind < 0.7) return plainProse(random, 40);
  if (kind < 0.8) return randomLines(random) + '\n' + randomLines(random);
  if (kind < 0.88) return `${plainProse(random, 40)}\n${randomFences(random)}`;
  return anyText(random);
}

/** Prose that no hard rule keeps: words, names and numbers in sentences. */
export function plainProse(random, maximum) {
  const names = [
    'Harbour',
    'Lamp Keeper',
    'readToken',
    'TokenStream',
    'read_token',
    'grpc',
    '12 ms',
    '3 workers',
    'v1.2.3',
    'src/a.rs',
    'ünder',
  ];
  const words = [
    'the',
    'lamp',
    'keeper',
    'repaired',
    'lantern',
    'before',
    'dusk',
    'must',
    'thus',
    'however',
    'PASS',
    ...names,
    '\ud83d\ude00',
  ];
  let text = '';
  for (let count = random.integer(10, maximum); count > 0; count--) {
    text += random.pick(words) + random.pick([' ', ' ', ' ', ' ', ' ', '. ', ', ', '? ', '\n', '\n\n']);
  }
  return text;
}

/** Options without callbacks, each now and then. */
export function randomOptions(random, messages) {
  const options = { trace: true };
  const units = messages.reduce((sum, { content }) => sum + (typeof content === 'string' ? content.length : 0), 0);
  const maybe = (name, value, probability = 0.3) => {
    if (random.chance(probability)) options[name] = value();
  };
  maybe('recencyWindow', () => random.pick([0, 0, 0, 1, 2, 4, 1.5, -1, Infinity, Number.NaN]), 0.8);
  maybe('preserve', () => random.pick([[], ['system'], ['tool', 'assistant']]));
  maybe('sourceVersion', () => random.integer(0, 9));
  maybe('dedup', () => false, 0.15);
  maybe('fuzzyDedup', () => true, 0.5);
  maybe('fuzzyThreshold', () => random.pick([0, 0.3, 0.5, 0.7, 0.85, 1]), 0.5);
  maybe('embedSummaryId', () => true);
  maybe('observationThreshold', () => random.pick([-1, 0, 20, 60, 200]), 0.25);
  maybe('compressionThreshold', () => Math.round((units / 3.5) * random.pick([0.5, 1, 1.5])), 0.05);
  maybe('tokenBudget', () => Math.round((units / 3.5) * random.next() * random.pick([1, 1, 0.5, 0.1, 1.2])), 0.5);
  maybe('minRecencyWindow', () => random.integer(0, 5), 0.2);
  maybe('forceConverge', () => true, 0.5);
  return options;
}
