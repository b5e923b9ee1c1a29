// The share of facts falls by exactly the weight of the dropped facts.
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { compress } from 'palimpsest';
import { computeFactRetention } from 'palimpsest/compress';
import { character } from './support/characters.mjs';
import { CORPORA } from './support/corpus.mjs';

const said = (contents, role = 'user') => contents.map((content, index) => ({ id: `m${index}`, index, role, content }));
const FACTS = [
  'parseHeader',
  'MAX_SIZE',
  'src/router/index.ts',
  'https://example.org/a?b=1',
  'v2.14.3',
  '250 ms',
  '30 minutes',
  '4.5 GB',
  '12%',
  '3 March 2024',
  '2024-03-01',
  '14:30',
  '$1,200.50',
  '900 euros',
  'ABC-123',
  '"no such lamp"',
  '`make all`',
  'Halden Storage',
  'ops@example.org',
  '127.0.0.1',
  'E0382',
  'a1b2c3d4',
];
const talk = (fact) => `we talked about ${fact} and then about nothing else`;
const close = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} instead of ${expected}`);

test('each kind of fact counts as one, and is kept wherever it stands', () => {
  for (const fact of FACTS) {
    assert.equal(computeFactRetention(said([talk(fact)]), said(['we talked'])), 0, fact);
    assert.equal(computeFactRetention(said([talk(fact)]), said([`(see ${fact}): it matters.`])), 1, fact);
  }
});

test('of facts that are equally rare, the share is the number kept over the number of all', () => {
  fc.assert(
    fc.property(fc.subarray(FACTS), (kept) => {
      close(computeFactRetention(said(FACTS.map(talk)), said([kept.join(' ; ')])), kept.length / FACTS.length);
    }),
  );
});

test('with N originals a fact that n of them have weighs ln(1 + N/n)', () => {
  const originals = said([...Array(9).fill('we asked about commonName again'), 'we asked about rareName as well']);
  const [common, rare] = [Math.log(1 + 10 / 9), Math.log(1 + 10)];
  close(computeFactRetention(originals, said(['commonName'])), common / (common + rare));
  close(computeFactRetention(originals, said(['rareName'])), rare / (common + rare));
});

test('a part of a fact, or a word that only begins like it, is not the fact', () => {
  for (const [fact, other] of [
    ['250 ms', '250'],
    ['parseHeader', 'parseHeaders'],
    ['src/router/index.ts', 'index.ts'],
    ['3 March 2024', '3 March'],
    ['$1,200.50', '$1,200'],
  ]) {
    assert.equal(computeFactRetention(said([talk(fact)]), said([`see ${other}`])), 0, fact);
  }
});

test('compress reports it: it falls when the summarizer drops facts, and says 1 where nothing is lost', async () => {
  const quotes = Array.from({ length: 10 }, (_, number) => `"lamp of kind ${'abcdefghij'[number]}"`);
  const filler = 'they went on for a while about the weather and the sea and what they had for lunch, and nobody wrote it down. ';
  const messages = said(quotes.map((quote) => `${filler}one of them said ${quote} and left. ${filler}`)).map((message, index) => ({
    ...message,
    role: index % 2 ? 'assistant' : 'user',
  }));
  for (const dropped of [0, 1, 4, 10]) {
    const summarizer = (text) => {
      const number = quotes.findIndex((quote) => text.includes(quote));
      return number < dropped ? 'they talked' : `said ${quotes[number]}`;
    };
    const { compression } = await compress(messages, { recencyWindow: 0, summarizer });
    assert.equal(compression.messages_compressed, 10);
    close(compression.fact_retention, 1 - dropped / 10);
  }
  assert.equal(compress(messages, { recencyWindow: 10 }).compression.fact_retention, 1);
  assert.equal(compress(messages, { compressionThreshold: 1e9 }).compression.fact_retention, 1);
  assert.equal(compress(messages, { tokenBudget: 1e9 }).compression.fact_retention, 1);
});

test('it is computed from the conversation as it was, and is no entry of the statistics', () => {
  const messages = said([`${talk('"no such lamp"')}. `.repeat(10)]);
  const { messages: output, compression } = compress(messages, { recencyWindow: 0 });
  const expected = computeFactRetention(messages, output);
  messages.push({ id: 'x', index: 1, role: 'user', content: talk('parseHeader') });
  output.length = 0;
  assert.equal(compression.fact_retention, Math.round(1000 * expected) / 1000);
  assert.ok('fact_retention' in compression);
  assert.ok(!Object.keys(compression).includes('fact_retention') && !JSON.stringify(compression).includes('fact_retention'));
});

test('any texts give a share between 0 and 1, and 1 against themselves', () => {
  const text = fc.oneof(fc.string({ unit: character }), fc.constantFrom(...FACTS), fc.constant('\ud800'));
  const texts = fc.array(
    fc.oneof(
      text,
      fc.array(text).map((parts) => parts.join(' ')),
    ),
  );
  fc.assert(
    fc.property(texts, texts, (input, output) => {
      const share = computeFactRetention(said(input), said(output));
      assert.ok(share >= 0 && share <= 1);
      close(computeFactRetention(said(input), said(input)), 1);
    }),
  );
});

for (const { corpus, plain, skip } of CORPORA)
  test(`${corpus}: all facts against themselves, fewer after compression`, { skip }, () => {
    const shares = plain().map(({ messages }) => {
      assert.equal(computeFactRetention(messages, messages), 1);
      return compress(messages, { recencyWindow: 0 }).compression.fact_retention;
    });
    assert.ok(shares.every((share) => share >= 0 && share <= 1));
    assert.ok(shares.some((share) => share < 0.9));
  });
