// What a request may hold beside tokens: `fit` keeps it, by a judge that counts the JSON.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { fit, fitAsync, restore, validate } from 'palimpsest';
import { pdf, png } from '../support/files.mjs';
import { objectionTo } from '../support/providers/formats.mjs';
import { filesIn, limitObjection } from '../support/providers/limits.mjs';
import { withProviders } from '../support/providers/server.mjs';
import { Random } from '../support/random.mjs';
import { cases, IS_WHOLE, SEED, someOf } from '../support/seed.mjs';
import { FORMATS } from '../providers/index.mjs';
import { historyOf } from './histories.mjs';

const require = createRequire(import.meta.url);
const { formatNamed } = require('../../unbundled/providers/index.js');
const figuresOf = (name, options) => require('../../unbundled/limits/figures.js').figuresOf(formatNamed(name), options);
const json = (value) => JSON.stringify(value);
const LIMIT = /^(?:too-many-(?:bytes|media|images|documents|pages)|image-bytes|image-pixels|many-image-pixels)$/;

/** Limits of which a history breaks some. */
function drawnLimits(random) {
  const limits = {};
  const most = { media: 14, images: 10, documents: 4, pages: 8, imageBytes: 3000, imagePixels: 1700, manyImagePixels: 1500 };
  for (const [name, figure] of Object.entries(most))
    if (random.chance(0.35))
      limits[name] =
        name.startsWith('image') || name.startsWith('many')
          ? name === 'images'
            ? random.integer(2, 10)
            : figure
          : random.integer(2, figure);
  return limits;
}

/** A history that the provider compacted somewhere; the same where the format has no compaction. */
function compacted(format, messages, random) {
  const block = { type: 'compaction', content: 'The files were looked at.' };
  // What stands beside the compaction stays with it.
  const isPlace = ({ role, content, type }) =>
    format === 'anthropic'
      ? role === 'assistant' && Array.isArray(content) && filesIn(content).length === 0
      : role === 'user' && type !== 'function_call_output';
  const places = messages.flatMap((message, index) => (index > 0 && isPlace(message) ? [index] : []));
  if (places.length === 0 || !['anthropic', 'openai-responses'].includes(format)) return messages;
  const place = random.pick(places);
  if (format === 'anthropic') return messages.with(place, { ...messages[place], content: [block, ...messages[place].content] });
  return messages.toSpliced(place, 0, { type: 'compaction', id: 'cmp_1', encrypted_content: 'c'.repeat(400) });
}

for (const format of someOf(FORMATS)) {
  test(`${format}: what fit returns keeps every limit, is valid and comes back`, async () => {
    const random = new Random(SEED);
    let exceeded = 0;
    for (let run = 0; run < cases(25); run++) {
      const history = historyOf(format, random, random.integer(4, 30), random.pick([4, 60]));
      const messages = random.chance(0.3) ? compacted(format, history, random) : history;
      const before = json(messages);
      const requestLimits = drawnLimits(random);
      const limit = random.pick([Infinity, 1e6, 20_000]);
      const where = `${format}, run ${run}, seed ${SEED}, ${json(requestLimits)}, limit ${limit}`;
      assert.equal(await objectionTo(format, messages), null, where);
      const result = fit(messages, { format, limit, requestLimits });
      const objection = limitObjection(result.messages, requestLimits);
      if (result.fits) assert.equal(objection, null, where);
      assert.equal(await objectionTo(format, result.messages), null, where);
      const problems = validate(result.messages, { format, requestLimits }).filter(({ rule }) => LIMIT.test(rule));
      assert.equal(problems.length === 0, objection === null, `${where}: ${json(problems)}, ${objection}`);
      const back = restore(result.messages, result.originals);
      assert.deepEqual(back.missing, [], where);
      assert.equal(json(back.messages), before, where);
      if (limitObjection(messages, requestLimits) === null) {
        assert.equal(result.report.requestLimits, undefined, where);
        continue;
      }
      exceeded++;
      assert.ok(result.fits, `${where}: ${result.report}`);
      assert.notEqual(result.report.requestLimits, undefined, where);
      for (const { after, limit: figure } of Object.values(result.report.requestLimits)) assert.ok(after <= figure, where);
    }
    if (IS_WHOLE) assert.ok(exceeded > 5, String(exceeded));
  });
}

const tool = (number, source) => [
  { role: 'assistant', content: [{ type: 'tool_use', id: `t${number}`, name: 'look', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${number}`, content: [source] }] },
];
const image = (data) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } });
const document = (data) => ({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } });
const asked = [{ role: 'user', content: 'Look at all of them.' }];
const answered = [...asked, { role: 'assistant', content: 'Well.' }, { role: 'user', content: 'And now?' }];
/** A chat in which the user shows something in each message. */
const shown = (blocks) =>
  blocks.flatMap((block, index) => [
    { role: 'user', content: [block, { type: 'text', text: `What is in number ${index}?` }] },
    { role: 'assistant', content: `It is number ${index}.` },
  ]);
const format = 'anthropic';
/** The numbers of the images that are left. */
const numbersIn = (messages) => filesIn(messages).map(({ data }) => Buffer.from(data.slice(0, 64), 'base64').readUInt32BE(40));
const numbers = (from, to) => Array.from({ length: to - from }, (_, index) => from + index);

test("the provider's limits hold unless others are given: of 101 images the oldest goes, and its place is marked", () => {
  const messages = [...shown(numbers(0, 101).map((number) => image(png(100, 100, number)))), { role: 'user', content: 'Which was best?' }];
  const result = fit(messages, { format, limit: 1e6, requestLimits: { media: 100 } });
  assert.deepEqual(numbersIn(result.messages), numbers(1, 101));
  assert.deepEqual(result.messages[0].content[0], { type: 'text', text: '[… 1 image]' });
  assert.equal(result.messages[0].content[1].text, 'What is in number 0?');
  assert.deepEqual(result.report.requestLimits, { media: { before: 101, after: 100, limit: 100 } });
  assert.match(String(result.report), /101 → 100 images and pages of 100/);
  assert.deepEqual(fit(messages, { format, limit: 150_000 }).report.requestLimits, { media: { before: 101, after: 100, limit: 100 } });
  // Larger windows take more.
  assert.equal(fit(messages, { format, model: 'claude-opus-5' }).report.requestLimits, undefined);
  assert.equal(fit(messages, { format, limit: 150_000, requestLimits: false }).report.requestLimits, undefined);
  // No provider is named.
  const words = messages.map(({ role, content }) => ({
    role,
    content: [content]
      .flat()
      .map((block) =>
        block.type === 'image'
          ? { type: 'file', mediaType: 'image/png', data: block.source.data }
          : typeof block === 'string'
            ? { type: 'text', text: block }
            : block,
      ),
  }));
  assert.equal(fit(words, { format: 'ai-sdk-model', limit: 1e6 }).report.requestLimits, undefined);
  assert.equal(fit(words, { format: 'ai-sdk-model', limit: 1e6, model: 'claude-opus-4-5' }).report.requestLimits.media.after, 100);
});

test('images and pages count together', () => {
  const messages = [...shown([document(pdf(60)), image(png(10, 10, 1)), document(pdf(30, 2)), document(pdf(10, 3))]), ...answered];
  const result = fit(messages, { format, limit: 1e6, requestLimits: { media: 100 } });
  assert.deepEqual(
    filesIn(result.messages).map(({ pages }) => pages),
    [undefined, 30, 10],
  );
  assert.deepEqual(result.messages[0].content[0], { type: 'text', text: '[… 1 document]' });
});

test('beyond 20 images none may be wide: the oldest go until there are 20, or no wide one is left', () => {
  const wide = (number) => image(png(2560, 1600, number));
  const small = (number) => image(png(800, 600, number));
  const left = (list) =>
    numbersIn(
      fit([...asked, ...list.flatMap((block, index) => tool(index, block)), ...answered.slice(1)], { format, limit: 1e6 }).messages,
    );
  assert.deepEqual(left(numbers(0, 25).map(wide)), numbers(5, 25));
  assert.deepEqual(
    left(numbers(0, 25).map((number) => (number === 3 ? wide : small)(number))),
    numbers(0, 25).filter((number) => number !== 3),
  );
  assert.deepEqual(left(numbers(0, 25).map((number) => (number === 24 ? wide : small)(number))), numbers(5, 25));
  assert.deepEqual(left(numbers(0, 20).map(wide)), numbers(0, 20));
});

test('an image that no request may have goes wherever it stands', () => {
  const messages = [
    ...shown([image(png(10, 10, 0)), image(png(9000, 10, 1)), image(png(10, 10, 2, 4_000_000))]),
    { role: 'user', content: [image(png(10, 8001, 3))] },
  ];
  const result = fit(messages, { format, limit: 1e6 });
  assert.deepEqual(numbersIn(result.messages), [0]);
  assert.ok(result.fits);
  assert.deepEqual(result.report.requestLimits, {
    imageBytes: { before: 1, after: 0, limit: 5_242_880 },
    imagePixels: { before: 2, after: 0, limit: 8000 },
  });
});

test("what keep names stays, and the user's last images go last", () => {
  const last = { role: 'user', content: numbers(50, 53).map((number) => image(png(10, 10, number))) };
  const messages = [...shown(numbers(0, 5).map((number) => image(png(10, 10, number)))), last];
  const left = (requestLimits, keep) => {
    const result = fit(messages, { format, limit: 1e6, requestLimits, keep });
    return [numbersIn(result.messages), result.fits];
  };
  assert.deepEqual(left({ images: 4 }), [[4, 50, 51, 52], true]);
  assert.deepEqual(left({ images: 2 }), [[51, 52], true]);
  assert.deepEqual(left({ images: 2 }, { recent: 1 }), [[50, 51, 52], false]);
  const kept = fit(messages, { format, limit: 1e6, requestLimits: { images: 2 }, keep: { user: true } });
  assert.equal(kept.fits, false);
  assert.match(kept.report.summary, /8 → 8 images of 2$/);
});

test('a screenshot that can not be replaced goes with its call, and a valid request is left', async () => {
  const loop = numbers(0, 12).flatMap((number) => [
    {
      type: 'computer_call',
      id: `cu_${number}`,
      call_id: `c${number}`,
      action: { type: 'screenshot' },
      pending_safety_checks: [],
      status: 'completed',
    },
    {
      type: 'computer_call_output',
      call_id: `c${number}`,
      output: { type: 'computer_screenshot', image_url: `data:image/png;base64,${png(2560, 1600, number)}` },
    },
  ]);
  const messages = [{ role: 'user', content: 'Book it.' }, ...loop];
  const result = fit(messages, { format: 'openai-responses', limit: Infinity, requestLimits: { images: 5 } });
  assert.ok(result.fits, String(result.report));
  assert.deepEqual(
    numbersIn(JSON.parse(json(result.messages), (key, value) => (key === 'image_url' ? value.slice(22) : value))),
    numbers(7, 12),
  );
  assert.equal(await objectionTo('openai-responses', result.messages), null);
});

test('bytes are those of the JSON: images go first, and texts where that is not enough', () => {
  const pictures = shown(numbers(0, 10).map((number) => image(png(10, 10, number, 30_000))));
  const messages = [...pictures, ...answered];
  const bytes = 150_000;
  const result = fit(messages, { format, limit: Infinity, requestLimits: { bytes } });
  assert.ok(result.fits);
  assert.ok(Buffer.byteLength(json(result.messages)) <= bytes);
  assert.deepEqual(numbersIn(result.messages), numbers(7, 10));
  assert.equal(result.messages.length, messages.length);
  const lines = numbers(0, 400)
    .map((line) => `Zeile ${line} prüft die Größe der Überschrift „${line * 7}“.`)
    .join('\n');
  const texts = [
    ...numbers(0, 20).flatMap((number) => [
      { role: 'user', content: `Frage ${number}?` },
      { role: 'assistant', content: lines.replaceAll('Zeile', `Zeile ${number}.`) },
    ]),
    ...asked,
  ];
  const shorter = fit(texts, { format, limit: Infinity, requestLimits: { bytes } });
  const size = Buffer.byteLength(json(shorter.messages));
  assert.ok(shorter.fits && size <= bytes && size > 0.7 * bytes, String(size));
  assert.deepEqual(restore(shorter.messages, shorter.originals).messages, texts);
  // System and tools are part of the request.
  const system = 'x'.repeat(60_000);
  const beside = fit(messages, { format, limit: Infinity, requestLimits: { bytes }, system });
  assert.deepEqual(numbersIn(beside.messages), numbers(8, 10));
  const least = fit(texts, { format, limit: Infinity, requestLimits: { bytes: 10 } });
  assert.equal(least.fits, false);
  assert.match(least.report.summary, /bytes of 10/);
});

test('signed thinking behind an image that goes goes as well', async () => {
  await withProviders(async (_, preserved) => {
    const thoughtful = numbers(0, 6).flatMap((number) => [
      { role: 'user', content: [image(png(10, 10, number)), { type: 'text', text: `What is number ${number}?` }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: '' },
          { type: 'text', text: 'A square.' },
        ],
      },
    ]);
    const messages = preserved.issue([...thoughtful, ...asked]);
    const result = fit(messages, { format, limit: 1e6, requestLimits: { images: 3 } });
    assert.deepEqual(numbersIn(result.messages), [3, 4, 5]);
    assert.equal(await preserved.send(result.messages), null);
    const left = fit(messages, { format, limit: 1e6, requestLimits: { images: 3 }, thinking: 'keep' });
    assert.equal(left.fits, false);
    assert.deepEqual(left.messages, messages);
  });
});

test('the caller counts each message once, whatever goes', () => {
  const counted = new Map();
  const tokenCounter = (message) => {
    counted.set(message, (counted.get(message) ?? 0) + 1);
    return json(message).length / 4;
  };
  const messages = [...shown(numbers(0, 8).map((number) => image(png(10, 10, number, 9000)))), ...answered];
  const result = fit(messages, { format, limit: 1e6, tokenCounter, requestLimits: { images: 3, bytes: 30_000 } });
  assert.deepEqual(numbersIn(result.messages), [6, 7]);
  assert.equal(Math.max(...counted.values()), 1);
});

test('what went in an earlier round comes back where a limit is larger', () => {
  const messages = [...shown(numbers(0, 8).map((number) => image(png(10, 10, number)))), ...answered];
  const first = fit(messages, { format, limit: 1e6, requestLimits: { images: 3 } });
  const second = fit(first.messages, { format, limit: 1e6, requestLimits: { images: 5 }, originals: first.originals });
  assert.deepEqual(numbersIn(second.messages), numbers(3, 8));
  assert.deepEqual(restore(second.messages, second.originals).messages, messages);
});

test('the form that waits takes out the same, with summaries beside it', async () => {
  const messages = [...shown(numbers(0, 8).map((number) => image(png(10, 10, number)))), ...answered];
  const options = { format, limit: 1e6, requestLimits: { images: 3 } };
  const [now, later] = [fit(messages, options), await fitAsync(messages, { ...options, summarizer: () => 'Some squares.' })];
  assert.deepEqual(numbersIn(later.messages), numbers(5, 8));
  assert.deepEqual(later.messages, now.messages);
});

test('docs/reference/kinds.md has the figures that hold', () => {
  const page = readFileSync(new URL('../../docs/reference/kinds.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| [^|]+ \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)];
  const shownBy = (column) =>
    Object.fromEntries(
      rows.map((row) => [row[1], Number(row[column].split(';')[0].replaceAll(',', ''))]).filter(([, figure]) => figure > 0),
    );
  assert.equal(rows.length, 8);
  for (const [column, name] of [
    [2, 'anthropic'],
    [3, 'openai-chat'],
    [4, 'gemini'],
  ])
    assert.deepEqual(shownBy(column), figuresOf(name, {}), name);
  assert.equal(figuresOf('anthropic', { window: 200_001 }).media, 600);
  assert.equal(figuresOf('anthropic', { window: 200_000 }).media, 100);
  assert.equal(figuresOf('langchain', {}), undefined);
});

test('wrong limits are named', () => {
  const of = (requestLimits) => () => fit(answered, { format, limit: 100, requestLimits });
  assert.throws(of({ images: 0 }), {
    name: 'RangeError',
    message: 'fit(): options.requestLimits.images must be a number above 0, or Infinity, got 0',
  });
  assert.throws(of({ images: '5' }), { name: 'TypeError', message: /options\.requestLimits\.images must be a number, got/ });
  assert.throws(of(true), { name: 'TypeError', message: /options\.requestLimits must be false or an object, got/ });
  assert.throws(of({ picture: 5 }), { name: 'TypeError', message: /picture/ });
});
