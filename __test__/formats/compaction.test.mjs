// Compaction by the provider: what stands before it isn't counted where it isn't read, and goes before anything behind it is cut.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countTokens, fit, restore, validate } from 'palimpsest';
import { Draw, kindsOf, PROVIDERS } from '../providers/index.mjs';
import { objectionTo } from '../support/providers/formats.mjs';
import { Random } from '../support/random.mjs';
import { SEED, someOf } from '../support/seed.mjs';

const json = (value) => JSON.stringify(value);

/** Each kind of compaction, and whether its provider ignores what is before it. Those of an SDK hold the system's messages, which it sends elsewhere. */
const COMPACTIONS = [
  { format: 'anthropic', name: 'compaction', isIgnored: true, isBare: true },
  { format: 'ai-sdk-model', name: 'Anthropic’s compaction', isIgnored: true },
  { format: 'ai-sdk-ui', name: 'Anthropic’s compaction', isIgnored: true },
  { format: 'langchain', name: 'Anthropic’s compaction', isIgnored: true },
  { format: 'langchain', name: 'non_standard', isIgnored: true },
  { format: 'mastra', name: 'Anthropic’s compaction', isIgnored: true },
  { format: 'openai-responses', name: 'compaction' },
  { format: 'openai-agents', name: 'compaction' },
  { format: 'openai-agents', name: 'unknown' },
  { format: 'ai-sdk-model', name: 'custom' },
  { format: 'ai-sdk-ui', name: 'custom' },
];

const isSystem = ({ role, type }) => /^(system|developer)$/.test(role ?? type);
/** The list of parts in a message, and the message with another. */
const partsOf = (message) => message.content?.parts ?? message.parts ?? (Array.isArray(message.content) ? message.content : undefined);
function withParts(message, parts) {
  if (message.content?.parts) return { ...message, content: { ...message.content, parts } };
  if (message.parts) return { ...message, parts };
  return Object.assign(Object.create(Object.getPrototypeOf(message)), message, { content: parts });
}
const COMPACTION = /"type":"compaction"|"openai\.compaction"/;
const isCompaction = (value) => COMPACTION.test(json(value));

/** A history with one to three compactions; `first`: the index of the message with the newest one; `live`: all from that on. */
function historyOf({ format, name }, random) {
  const { system, user, opens = {} } = PROVIDERS[format];
  let number = 0;
  const draw = () => new Draw(random, number++);
  const kinds = kindsOf(PROVIDERS[format]);
  const others = kinds.filter(([, one, make]) => !(one in opens) && !isCompaction(make(new Draw(new Random(1), 1))));
  const compaction = kinds.find(([, one]) => one === name)[2];
  const some = (count) => Array.from({ length: count }, () => random.pick(others)[2](draw())).flat();
  const messages = system !== undefined && random.chance(0.4) ? [system(draw().text(60))] : [];
  for (let count = random.integer(1, 3); count > 0; count--) messages.push(...some(random.integer(1, 4)), ...compaction(draw()));
  messages.push(...some(random.integer(1, 5)), user(draw()));
  const first = messages.findLastIndex(isCompaction);
  const parts = partsOf(messages[first]);
  let [newest, own] = [messages[first], messages[first]];
  if (parts !== undefined) {
    const at = parts.findLastIndex(isCompaction);
    // Now and then the model has said something before.
    const before = format === 'openai-responses' || random.chance(0.5) ? [] : [{ type: 'text', text: draw().text() }];
    own = withParts(messages[first], [...before, ...parts]);
    newest = withParts(own, parts.slice(at));
    messages[first] = own;
  }
  return { messages, first, live: [newest, ...messages.slice(first + 1)], blocks: json(parts?.findLast(isCompaction) ?? own) };
}

async function assertSound(format, messages, result, where) {
  assert.equal(await objectionTo(format, result.messages), null, where);
  assert.deepEqual(
    validate(result.messages, { format }).filter(({ rule }) => rule !== 'tool-call-at-end'),
    [],
    where,
  );
  const back = restore(result.messages, result.originals);
  assert.deepEqual(back.missing, [], where);
  assert.equal(json(back.messages), json(messages), where);
}

for (const kind of someOf(COMPACTIONS)) {
  const { format, name, isIgnored = false, isBare = false } = kind;
  test(`${format}, ${name}: what is before the newest compaction goes first, and the compaction never`, async () => {
    const random = new Random(SEED);
    for (let run = 0; run < 6; run++) {
      const history = historyOf(kind, random);
      const { messages, first, live, blocks } = history;
      const where = (limit) => `${format} ${name}, seed ${SEED}, run ${run}, limit ${limit}`;
      assert.equal(await objectionTo(format, messages), null, where('none'));
      const staying = [...(isBare ? [] : messages.slice(0, first).filter(isSystem)), ...live];
      const liveTokens = countTokens(staying, { format });
      const all = countTokens(messages, { format });
      if (isIgnored) assert.equal(all, liveTokens, where('none'));
      else assert.ok(all > liveTokens, where('none'));
      const { minimum } = fit(messages, { format, limit: 1 }).tokens;
      for (let step = 0; step <= 8; step++) {
        const limit = Math.round(minimum + ((all - minimum) * step) / 8);
        const result = fit(messages, { format, limit, trace: true });
        assert.ok(result.fits && result.tokens.after <= limit, where(limit));
        assert.ok(json(result.messages).includes(blocks), where(limit));
        await assertSound(format, messages, result, where(limit));
        const { trace } = result.report;
        const isCut = trace.slice(first + 1).some(({ action }) => action !== 'keep');
        const gone = trace.filter(({ message, action }) => message < first && action === 'remove').length;
        const systems = messages.slice(0, first).filter((message) => !isBare && isSystem(message)).length;
        // Whatever is cut behind the compaction, nothing is left before it.
        if (isCut) assert.equal(gone, first - systems, where(limit));
        if (limit >= liveTokens) assert.ok(!isCut, where(limit));
      }
      const exactly = fit(messages, { format, limit: liveTokens });
      assert.equal(exactly.tokens.after, liveTokens, where(liveTokens));
    }
  });
}

test('the user’s words before an OpenAI compaction go after all else that is before it, and stay if `keep` says so', () => {
  const words = (at) => ({ role: 'user', content: `Why does step ${at} of the migration fail with a lock?` });
  const work = (at) => [
    { type: 'function_call', call_id: `c${at}`, name: 'read', arguments: '{}' },
    { type: 'function_call_output', call_id: `c${at}`, output: `line ${at} `.repeat(200) },
  ];
  const live = [{ type: 'compaction', id: 'cmp', encrypted_content: 'abcd' }, ...work(9), words(9)];
  const messages = [...[1, 2, 3].flatMap((at) => [words(at), ...work(at)]), ...live];
  const format = 'openai-responses';
  const all = [words(1), words(2), words(3), ...live];
  const most = countTokens(all, { format });
  assert.deepEqual(fit(messages, { format, limit: most }).messages, all);
  assert.deepEqual(fit(messages, { format, limit: most - 1 }).messages, all.slice(1));
  assert.deepEqual(fit(messages, { format, limit: countTokens(live, { format }) }).messages, live);
  const kept = fit(messages, { format, limit: countTokens(live, { format }), keep: { user: true } });
  assert.deepEqual(kept.messages.filter(({ role }) => role === 'user').map(json), [1, 2, 3, 9].map(words).map(json));
});

test('the user’s last words stay where OpenAI compacts before they are answered', () => {
  const format = 'openai-responses';
  const asked = { role: 'user', content: 'Why does the migration fail?' };
  const earlier = { role: 'assistant', content: 'I look at the queue. '.repeat(100) };
  const later = { role: 'assistant', content: 'I look at the lock. '.repeat(100) };
  const messages = [
    { role: 'user', content: 'Hi.' },
    earlier,
    asked,
    earlier,
    { type: 'compaction', id: 'cmp', encrypted_content: 'abcd' },
    later,
  ];
  const { messages: sent } = fit(messages, { format, limit: 300 });
  assert.deepEqual(sent.slice(0, 2), [asked, messages[4]]);
});

test('a call before an OpenAI compaction stays while its result stands behind it, with the reasoning before it', () => {
  const format = 'openai-responses';
  const messages = [
    { role: 'user', content: 'Look at the queue.' },
    { role: 'assistant', content: 'I will. '.repeat(400) },
    { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'abcd' },
    { type: 'function_call', call_id: 'c', name: 'read', arguments: '{}' },
    { type: 'compaction', id: 'cmp', encrypted_content: 'abcd' },
    { type: 'function_call_output', call_id: 'c', output: 'It is empty.' },
  ];
  const { messages: sent } = fit(messages, { format, limit: countTokens(messages, { format }) - 1 });
  assert.deepEqual(sent, [messages[0], ...messages.slice(2)]);
});

test('a compaction that failed stands for nothing', () => {
  const format = 'anthropic';
  const before = [
    { role: 'user', content: 'Look at the queue.' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I will. '.repeat(100) },
        { type: 'compaction', content: null },
        { type: 'text', text: 'Done.' },
      ],
    },
  ];
  const messages = [...before, { role: 'user', content: 'And now?' }];
  assert.ok(countTokens(messages, { format }) > 200);
  // What was before it is still there, if in one turn with what came last.
  assert.match(JSON.stringify(fit(messages, { format, limit: 60 }).messages), /Look at the queue\./);
});
