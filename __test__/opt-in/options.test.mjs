// What the opt-in options do that the vectors can't say, because the package that they come from does otherwise.
import assert from 'node:assert/strict';
import test, { describe } from 'node:test';

import { compress, uncompress } from 'palimpsest';

const message = (id, content, more) => ({ id, index: 0, role: 'user', content, ...more });
const contents = ({ messages }) => messages.map(({ content }) => content);
const reasons = ({ compression }) => compression.decisions.map(({ reason }) => reason);
const PROSE =
  'We walked along the shore in the morning and looked at the boats. They were old and most of them had been painted blue. ' +
  'Later we sat down for a while and talked about the weather. It was cold, but nobody seemed to care about that very much.';

function assertRoundTrip(input, { messages, verbatim }) {
  assert.deepEqual(uncompress(messages, verbatim).messages, input);
}

describe('contradictionDetection', () => {
  const fee = (coins, lead) =>
    `${lead}The mooring fee for small yachts is ${coins} coins per night in the summer season. The council decided that in the spring meeting, and the harbour master has to tell every guest about it.`;
  const options = { recencyWindow: 0, contradictionDetection: true, trace: true };

  test('of several corrections the last one holds: it stays, and the others refer to it', () => {
    const input = [
      message('a', fee('twelve', '')),
      message('b', fee('fourteen', 'Actually, ')),
      message('c', fee('nineteen', 'Sorry, that was wrong. ')),
    ];
    const result = compress(input, options);
    assert.deepEqual(reasons(result), ['contradicted:sorry_correction', 'contradicted:sorry_correction', 'correction:sorry_correction']);
    assert.match(result.messages[0].content, /^\[cce:superseded by c .*sorry_correction/);
    assert.match(result.messages[1].content, /^\[cce:superseded by c .*sorry_correction/);
    assert.equal(result.messages[2], input[2]);
    assert.equal(result.compression.messages_contradicted, 2);
    assertRoundTrip(input, result);
  });

  test('inside of a run of messages of one role as well', () => {
    const input = [
      message('p', PROSE),
      message('a', fee('twelve', '')),
      message('q', PROSE.replace('blue', 'red')),
      message('b', fee('nineteen', 'Actually, ')),
    ];
    const result = compress(input, options);
    assert.deepEqual(
      reasons(result).map((reason) => reason.split(':')[0]),
      ['compressible_prose', 'contradicted', 'compressible_prose', 'correction'],
    );
    assertRoundTrip(input, result);
  });

  test('a correction that occurs twice stays as well', () => {
    const correction = `${fee('nineteen', 'Actually, ')} Please write that down.`;
    assert.ok(correction.length > 200);
    const result = compress([message('a', fee('twelve', '')), message('b', correction), message('c', correction)], options);
    assert.equal(result.messages.at(-1).content, correction);
    const [, superseding] = result.messages[0].content.match(/superseded by (\w)/);
    assert.equal(result.messages.find(({ id }) => id === superseding).content, correction);
  });

  test('neither the classifier nor a token limit takes the correction away', async () => {
    const input = [message('a', fee('twelve', '')), message('b', fee('nineteen', 'Actually, '))];
    const classifier = () => ({ decision: 'compress', confidence: 1, reason: 'all' });
    for (const more of [
      { classifier },
      { classifier, classifierMode: 'full' },
      { observationThreshold: 5 },
      { relevanceThreshold: 1000 },
    ]) {
      assert.equal((await compress(input, { ...options, ...more })).messages[1], input[1]);
    }
  });
});

describe('importanceScoring', () => {
  test('the trace rounds the score as toFixed does, and the statistics count', () => {
    // One later message takes up its name: 0.5, and `must` 0.15.
    const text = `The berthPlanner must rest. ${PROSE}`;
    const result = compress([message('a', text), message('b', 'berthPlanner')], { recencyWindow: 1, importanceScoring: true, trace: true });
    assert.deepEqual(reasons(result), ['importance:0.65', 'recency_window']);
    assert.equal(result.compression.messages_importance_preserved, 1);
  });

  test('forced truncation spares what matters, though merged messages shift the positions', () => {
    const json = (name, count) => JSON.stringify(Array.from({ length: count }, (_, index) => ({ [name]: index })));
    const input = [
      ...['p', 'q', 'r'].map((id, index) => message(id, PROSE.replace('blue', `blue ${index}`))),
      message('important', json('gateKey', 70), { role: 'assistant' }),
      message('other', json('fogHorn', 60), { role: 'tool' }),
      message('x', 'gateKey'),
    ];
    const summarised = { minRecencyWindow: 1, trace: true, dedup: false };
    // A cut of either one saves more than this.
    const tokenBudget = compress(input, { ...summarised, tokenBudget: 1 }).tokenCount - 50;
    const options = { ...summarised, tokenBudget, forceConverge: true };
    const cut = (result) => result.compression.decisions.filter(({ action }) => action === 'truncated').map(({ messageId }) => messageId);
    assert.deepEqual(cut(compress(input, { ...options })), ['important'], 'the longest one otherwise');
    assert.deepEqual(cut(compress(input, { ...options, importanceScoring: true, importanceThreshold: 2 })), ['other']);
  });
});

describe('compressionDepth', () => {
  const sentence = (index) =>
    `On day ${index} the crew of the northern pier counted every crate that came in by sea and wrote the number down.`;
  const text = Array.from({ length: 60 }, (_, index) => sentence(index)).join(' ');
  const input = Array.from({ length: 8 }, (_, index) =>
    message(`m${index}`, text.replaceAll('crew', `crew ${index}`), { role: index % 2 ? 'assistant' : 'user' }),
  );

  test("each depth is shorter than the one before; 'auto' takes the first that fits", () => {
    const tokens = (compressionDepth) => compress(input, { tokenBudget: 1, compressionDepth }).tokenCount;
    const [gentle, moderate, aggressive] = ['gentle', 'moderate', 'aggressive'].map(tokens);
    assert.ok(gentle > moderate && moderate > aggressive, `${gentle} ${moderate} ${aggressive}`);
    for (const [budget, depth] of [
      [gentle, 'gentle'],
      [gentle - 1, 'moderate'],
      [moderate - 1, 'aggressive'],
      [aggressive - 1, 'aggressive'],
    ]) {
      const auto = compress(input, { tokenBudget: budget, compressionDepth: 'auto' });
      assert.deepEqual(auto, compress(input, { tokenBudget: budget, compressionDepth: depth }), `${budget}: ${depth}`);
      assertRoundTrip(input, auto);
    }
  });

  test("'auto' goes deeper before anything is cut", () => {
    const budget = compress(input, { tokenBudget: 1, compressionDepth: 'aggressive' }).tokenCount;
    const result = compress(input, { tokenBudget: budget, compressionDepth: 'auto', forceConverge: true, trace: true });
    assert.equal(result.fits, true);
    assert.ok(!result.compression.decisions.some(({ action }) => action === 'truncated'));
  });

  test("'auto' asks a summarizer once for each text, at all depths together", async () => {
    const asked = [];
    const summarizer = (given) => {
      asked.push(given);
      return given.slice(0, 900);
    };
    await compress(input, { tokenBudget: 1, compressionDepth: 'auto', summarizer });
    assert.ok(asked.length > 0);
    assert.equal(new Set(asked).size, asked.length);
  });
});

describe("budgetStrategy: 'tiered'", () => {
  const json = JSON.stringify({ crates: Array.from({ length: 30 }, (_, id) => ({ id, dock: 'north' })) });
  const key = `The key of the sandbox is sk-abcdefghij0123456789abcdef and it is in the vault of the harbour.`;
  const input = [
    message('s', PROSE.replace('blue', 'white'), { role: 'system' }),
    message('json', json),
    message('prose', `${PROSE} ${PROSE.replace('blue', 'green')}`),
    message('calls', PROSE.replace('blue', 'grey'), { role: 'assistant', tool_calls: [{ id: 'c' }] }),
    message('key', key),
    message('named', 'The lantern of the north pier was repaired before dusk by the keeper, who wrote it into the ledger.'),
    message('short', 'We could go there tomorrow, or the day after, or next week, or not at all, as you like.', { role: 'assistant' }),
    message('recent', PROSE.replace('blue', 'black')),
  ];
  const options = {
    tokenBudget: 1,
    budgetStrategy: 'tiered',
    recencyWindow: 1,
    trace: true,
    preservePatterns: [{ re: /lantern/, label: 'lamp' }],
  };

  test('touches only prose before the window, and says what it did', () => {
    const result = compress(input, options);
    const actions = Object.fromEntries(result.compression.decisions.map(({ messageId, reason }) => [messageId, reason.split(':')[0]]));
    assert.deepEqual(actions, {
      s: 'preserved_role',
      json: 'hard_t0',
      prose: 'tightened',
      calls: 'tool_calls',
      key: 'short_content',
      named: 'short_content',
      short: 'omitted',
      recent: 'recency_window',
    });
    assert.equal(result.fits, false);
    assert.equal(result.recencyWindow, 1);
    assert.equal(result.compression.messages_compressed, 2);
    assert.equal(result.compression.messages_preserved, 6);
    assertRoundTrip(input, result);
  });

  test('no summary is wrapped in another, and summaries of earlier calls are tightened too', () => {
    const first = compress(input, { ...options, budgetStrategy: 'binary-search' });
    const again = compress([...first.messages, message('last', 'ok')], options);
    for (const content of [...contents(compress(input, options)), ...contents(again)]) {
      assert.ok(!/\[summary[^\]]*\[summary/.test(content), content);
    }
    assertRoundTrip(first.messages, { ...again, messages: again.messages.slice(0, -1) });
  });

  test('stops as soon as the budget is met', () => {
    const whole = compress(input, { ...options, tokenBudget: 1e6 }).tokenCount;
    let last = 0;
    for (let budget = whole; budget > 0; budget -= 10) {
      const { fits, tokenCount, compression } = compress(input, { ...options, tokenBudget: budget });
      if (fits) assert.ok(tokenCount <= budget);
      const touched = compression.decisions?.filter(({ reason }) => ['tightened', 'omitted'].includes(reason)).length ?? 0;
      assert.ok(touched >= last, 'a smaller budget touches more');
      last = touched;
    }
    assert.equal(last, 2);
  });

  test('a summarizer is given the messages and summaries themselves, no more of them than needed', async () => {
    const asked = [];
    const summarizer = (text) => {
      asked.push(text);
      return text.slice(0, Math.ceil(text.length / 2));
    };
    const result = await compress(input, { ...options, summarizer });
    assertRoundTrip(input, result);
    assert.ok(asked.length > 1);
    assert.ok(asked.every((text) => !text.includes('[summary')));
    const enough = [];
    await compress(input, {
      ...options,
      tokenBudget: result.tokenCount + 300,
      summarizer: (text) => (enough.push(text), text.slice(0, 99)),
    });
    assert.ok(enough.length < asked.length);
  });
});

describe('entropyScorer', () => {
  const heading = 'A heading with no full stop at the end of it';
  const text = `${heading}\n\n${PROSE}\n\nThe bell rang 9 times. ${PROSE.replace('blue', 'yellow')}`;
  const input = [message('a', text)];
  const options = { recencyWindow: 0, trace: true };

  test('gets every sentence that a summary is chosen from, once', () => {
    const seen = [];
    compress(input, { ...options, entropyScorer: (sentences) => (seen.push(...sentences), sentences.map(() => 1)) });
    assert.equal(seen[0], heading);
    assert.ok(seen.includes('The bell rang 9 times.'));
    assert.equal(seen.length, 1 + 4 + 1 + 4);
  });

  test('negative scores are in order like any others', () => {
    const scorer = (shift) => (sentences) => sentences.map((sentence) => (sentence.includes('9 times') ? 1 : 0) - shift);
    const run = (shift) => compress(input, { ...options, entropyScorer: scorer(shift), entropyScorerMode: 'replace' });
    assert.match(run(0).messages[0].content, /9 times/);
    assert.deepEqual(run(100), run(0));
  });

  test('a bad answer leaves our own scores, is counted, and loses nothing', async () => {
    const { decisions, ...plain } = compress(input, options).compression;
    const fail = () => {
      throw new Error('down');
    };
    const answers = {
      fail,
      short: () => [1],
      'not a list': () => 'high',
      'not numbers': (all) => all.map(String),
      NaN: (all) => all.map(() => NaN),
      nothing: () => undefined,
    };
    const classifier = () => ({ decision: 'compress', confidence: 1, reason: 'c' });
    for (const entropyScorerMode of ['augment', 'replace']) {
      for (const [name, entropyScorer] of Object.entries(answers)) {
        const given = { ...options, entropyScorer, entropyScorerMode };
        const expected = { ...plain, decisions, callback_fallbacks: { entropyScorer: 1 } };
        assert.deepEqual(compress(input, given).compression, expected, name);
        const later = await compress(input, { ...given, classifier, entropyScorer: async (all) => entropyScorer(all) });
        assert.deepEqual(later.compression, { ...expected, messages_llm_classified: 1 }, `${name}, later`);
      }
    }
  });

  test('a promise is an error where nothing is waited for, and what it is rejected with is nobody else’s', async () => {
    const entropyScorer = () => Promise.reject(new Error('too late'));
    assert.throws(() => compress(input, { ...options, entropyScorer }), {
      name: 'Error',
      message: /^compress\(\): options\.entropyScorer .*sync mode/,
    });
    await new Promise(setImmediate);
  });

  test('it is not asked where a summarizer has answered, and is where that has failed', async () => {
    let count = 0;
    const entropyScorer = async (sentences) => (count++, sentences.map(({ length }) => length));
    await compress(input, { ...options, entropyScorer, summarizer: (given) => given.slice(0, 40) });
    assert.equal(count, 0);
    const failed = await compress(input, { ...options, entropyScorer, summarizer: () => '' });
    assert.equal(count, 1);
    const scorer = (sentences) => sentences.map(({ length }) => length);
    assert.deepEqual(contents(failed), contents(compress(input, { ...options, entropyScorer: scorer })));
  });

  test('an aborted signal ends the call', async () => {
    const controller = new AbortController();
    const entropyScorer = () => {
      controller.abort(new Error('enough'));
      return new Promise(() => {});
    };
    const classifier = () => ({ decision: 'compress', confidence: 1, reason: 'c' });
    await assert.rejects(compress(input, { ...options, entropyScorer, classifier, signal: controller.signal }), /enough/);
  });
});
