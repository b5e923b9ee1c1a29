// With `thinking: 'strip'`, no more is removed than necessary, at every budget from the smallest to the whole: first
// signed thinking, from the end backwards, then other content.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { countTokens, fit, fitAsync, restore, validate } from '../../unbundled/index.js';
import { working } from '../prune/working.mjs';
import { CORPORA } from '../support/corpus.mjs';
import { PreservedThinking } from '../support/providers/preserved-thinking.mjs';
import { cases, IS_WHOLE, someOf } from '../support/seed.mjs';
import { sayIn } from '../support/transcripts.mjs';

const require = createRequire(import.meta.url);
const { formatOf } = require('../../unbundled/providers/index.js');
const { write } = require('../../unbundled/providers/shared/write.js');

const strip = (messages, format, budget) => fit(messages, { format, limit: budget, margin: 0, thinking: 'strip' });
const read = (messages, format) => formatOf(messages, format).read(messages);
const shown = ({ kind, role, text, name, callId, signed = false }) => ({ kind, role, text, name, callId, signed });
const isSigned = (part) => part.signed === true;
/** The conversation without its signed thinking from message `from` on. */
const without = (messages, format, from = 0) => {
  const parts = read(messages, format).filter((part) => isSigned(part) && part.message >= from);
  return write(
    formatOf(messages, format),
    messages,
    parts.map((part) => ({ part, remove: true })),
  ).messages;
};
/** Budgets from the smallest that can be met to one token less than the whole; close to the whole, every one. */
function budgetsOf(minimum, total, steps) {
  const near = [1, 2, 5, 20, 50, 100, 200].map((less) => total - less);
  const far = Array.from({ length: steps }, (_, step) => Math.round(minimum + ((total - minimum) * step) / steps));
  return [...new Set([...far, ...near])].filter((budget) => budget >= minimum && budget < total).sort((a, b) => a - b);
}

/** Number of what looks like marks, of which a result that is only shorter has as many as before. */
const marksIn = (messages) => JSON.stringify(messages).split(/\[…(?! \d+ (?:items, a row each|more times|earlier states)\])/).length;

/** Asserts the properties of a result for a budget between the smallest and the whole. `refusal` gives the provider's reason to refuse it. */
function assertInProportion(messages, format, budget, refusal) {
  const { messages: fitted, originals, fits, tokens } = strip(messages, format, budget);
  const told = `${budget} of ${tokens.before}: ${tokens.after}`;
  assert.ok(fits && tokens.after <= budget, told);
  assert.equal(countTokens(fitted, { format }), tokens.after);
  assert.equal(refusal(fitted), null, told);
  const [before, after] = [messages, fitted].map((list) => read(list, format));
  const kept = after.findLastIndex(isSigned) + 1;
  assert.deepEqual(after.slice(0, kept).map(shown), before.slice(0, kept).map(shown), 'what stays stands behind what it was made from');
  const bare = without(messages, format);
  const isOnlyThinking = countTokens(bare, { format }) <= budget;
  if (isOnlyThinking) {
    assert.deepEqual(without(fitted, format), bare, 'nothing else goes');
    const gone = before.filter(isSigned)[after.filter(isSigned).length];
    const later = before.find((part) => isSigned(part) && part.message > gone.message);
    const more = later === undefined ? messages : without(messages, format, later.message);
    assert.ok(countTokens(more, { format }) > budget, `${told}: the thinking of message ${gone.message} has to go`);
  }
  assert.deepEqual(restore(fitted, originals).messages, messages);
  return { after: tokens.after, isOnlyThinking, isWhole: marksIn(fitted) === marksIn(messages) };
}

// ---- Generated ----------------------------------------------------------------------------------------------------

for (const format of ['anthropic', 'openai-chat', 'ai-sdk-model', 'ai-sdk-ui', 'langchain', 'message']) {
  test(`${format}: at every budget`, () => {
    const seen = { thinking: 0, content: 0 };
    const kept = { after: 0, same: 0 };
    const provider = new PreservedThinking();
    fc.assert(
      fc.property(working, (spoken) => {
        const said = sayIn(format, spoken);
        const messages = format === 'anthropic' ? provider.issue(said) : said;
        if (!read(messages, format).some(isSigned)) return;
        const broken = new Set(validate(messages, { format }).map(({ rule }) => rule));
        const refusal = (fitted) => {
          if (format === 'anthropic') provider.check({ messages: fitted });
          return validate(fitted, { format }).find(({ rule }) => !broken.has(rule)) ?? null;
        };
        const total = countTokens(messages, { format });
        const { tokens } = strip(messages, format, 0);
        const bare = without(messages, format);
        const texts = read(bare, format).map(({ text }) => [{ role: 'user', content: text }]);
        const largest = Math.max(...texts.map((one) => countTokens(one, { format: 'openai-chat' })));
        for (const budget of budgetsOf(tokens.minimum, total, 12)) {
          const { after, isOnlyThinking } = assertInProportion(messages, format, budget, refusal);
          seen[isOnlyThinking ? 'thinking' : 'content']++;
          if (isOnlyThinking) continue;
          // As much is kept as of a conversation without thinking, but for what just fits there: one text that stays whole or goes.
          const same = fit(bare, { format, limit: Math.floor(0.97 * budget) - 10, margin: 0 }).tokens.after;
          assert.ok(after >= Math.min(0.9 * same, same - largest), `${after} of ${budget}, and ${same} without thinking`);
          kept.after += after;
          kept.same += same;
        }
      }),
      { numRuns: cases(80) },
    );
    if (IS_WHOLE) assert.ok(seen.thinking > 50 && seen.content > 100, JSON.stringify(seen));
    assert.ok(kept.after >= kept.same, JSON.stringify(kept));
  });
}

// ---- By hand ------------------------------------------------------------------------------------------------------

describe('an agent that thinks before each call', () => {
  const log = Array.from({ length: 300 }, (_, line) => `line ${line} value ${(line * 7919) % 1000}`).join('\n');
  const messages = [{ role: 'user', content: 'Find out why.' }];
  for (let step = 0; step < 5; step++) {
    const thinking = {
      type: 'thinking',
      thinking: 'Let me look at the log once more, and then at the job that wrote it.',
      signature: `${'s'.repeat(300)}${step}`,
    };
    messages.push(
      { role: 'assistant', content: [thinking, { type: 'tool_use', id: `t${step}`, name: 'Bash', input: { command: `cat ${step}` } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${step}`, content: log }] },
    );
  }
  messages.push({ role: 'assistant', content: 'The lock is held by the backup.' }, { role: 'user', content: 'Then move it.' });
  const total = countTokens(messages);
  const thoughts = (list) => read(list, 'anthropic').filter(isSigned).length;

  test('one token under, the last thought goes; all of them before anything else', () => {
    assert.equal(thoughts(strip(messages, 'anthropic', total - 1).messages), 4);
    const bare = countTokens(without(messages, 'anthropic'));
    assert.deepEqual(strip(messages, 'anthropic', bare).messages, without(messages, 'anthropic'));
    const one = countTokens(without(messages, 'anthropic', 3));
    assert.equal(thoughts(strip(messages, 'anthropic', one).messages), 1);
    assert.equal(thoughts(strip(messages, 'anthropic', one - 1).messages), 0);
  });

  test('the budget is used, and a larger one keeps no less', () => {
    const { tokens } = strip(messages, 'anthropic', 0);
    const thought = (total - countTokens(without(messages, 'anthropic'))) / 5;
    let last = 0;
    // Below, the first message with the marks of its exchange is all or nothing.
    for (let budget = tokens.minimum + 200; budget < total; budget += 37) {
      const { after } = strip(messages, 'anthropic', budget).tokens;
      assert.ok(after >= Math.min(0.97 * budget, budget - thought), `${after} of ${budget}`);
      assert.ok(after >= 0.97 * last, `${after} of ${budget}, and ${last} of less`);
      last = after;
    }
  });

  test('a counter of the caller decides', () => {
    const tokenCounter = (message) => JSON.stringify(message).length / 3;
    const total = messages.reduce((sum, message) => sum + tokenCounter(message), 0);
    for (let less = 1; less < 1200; less += 50) {
      const { tokens } = fit(messages, { limit: total - less, thinking: 'strip', tokenCounter });
      assert.ok(tokens.after <= total - less && tokens.after > total - less - 200, `${less} less: ${tokens.after} of ${total - less}`);
    }
  });

  test('keep leaves what stands before the last thought as it is', () => {
    const { messages: fitted } = fit(messages, { limit: total - 1, thinking: 'keep' });
    assert.deepEqual(fitted.slice(0, 10), messages.slice(0, 10));
  });

  test('nobody is asked to sum up where thinking is all that goes', async () => {
    let asked = 0;
    const options = { thinking: 'strip', summarizer: () => `${asked++}` };
    const { report } = await fitAsync(messages, { ...options, limit: total - 1 });
    assert.deepEqual([asked, report.summaries.used], [0, 0]);
  });

  test('the trace says that a message of nothing but thinking went for the budget', () => {
    const thought = { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 's' } } };
    const alone = [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: [thought] },
      { role: 'user', content: 'Go on.' },
    ];
    const format = 'ai-sdk-model';
    const { report } = fit(alone, { format, limit: countTokens(alone, { format }) - 1, thinking: 'strip', trace: true });
    assert.deepEqual(
      report.trace.map(({ action, why }) => [action, why]),
      [
        ['keep', 'worth'],
        ['remove', 'limit'],
        ['keep', 'worth'],
      ],
    );
  });
});

// ---- Real sessions ------------------------------------------------------------------------------------------------

for (const { corpus, native, skip } of CORPORA)
  test(corpus, { skip }, () => {
    const provider = new PreservedThinking();
    let checked = 0;
    for (const { id, messages: recorded } of someOf(native().filter(({ format }) => format === 'anthropic'))) {
      const messages = provider.issue(recorded);
      const signed = read(messages, 'anthropic').filter(isSigned);
      if (signed.length === 0) continue;
      const total = countTokens(messages);
      const { minimum } = strip(messages, 'anthropic', 0).tokens;
      const refusal = (fitted) => provider.check({ messages: fitted }) ?? null;
      const bare = countTokens(without(messages, 'anthropic'));
      for (const budget of budgetsOf(minimum, total, 8)) {
        const { after, isOnlyThinking, isWhole } = assertInProportion(messages, 'anthropic', budget, refusal);
        if (!isOnlyThinking && !isWhole && budget > 20_000 && budget > 2 * minimum)
          assert.ok(after >= 0.97 * budget, `${id}: ${after} of ${budget}`);
        if (isOnlyThinking) assert.ok(after >= bare, `${id}: ${after} of ${budget}`);
        checked++;
      }
    }
    assert.ok(checked > 40, `${checked}`);
  });
