// The feedback functions: their prompts, the values that they refuse, and that they don't change their arguments.
import assert from 'node:assert/strict';
import test from 'node:test';
import { compress } from 'palimpsest';
import {
  createDistillationPairs,
  createFeedbackCollector,
  refineSummarizer,
  refineSummarizerCandidates,
  tightenSummarizer,
} from 'palimpsest/compress';

const said = (...contents) => contents.map((content, index) => ({ id: `m${index}`, index, role: 'user', content }));

test('the prompt of analyze contains failures with their errors before successes, that of over-preservation only successes', async () => {
  const prompts = [];
  const collector = createFeedbackCollector((prompt) => {
    prompts.push(prompt);
    return '{}';
  });
  collector.add(said('went well', '', 'and on'), said('well'), { success: true });
  collector.add(said('went badly'), said('badly'), { success: false, error: 'the port was gone' });
  await collector.analyze();
  await collector.analyzeOverPreservation();
  const [loss, excess] = prompts;
  assert.ok(
    loss.indexOf('went badly') < loss.indexOf('the port was gone') && loss.indexOf('the port was gone') < loss.indexOf('went well'),
  );
  assert.ok(loss.includes('went well\n---\nand on') && excess.includes('went well\n---\nand on'));
  assert.ok(!excess.includes('badly'));
  for (const key of ['lostPatterns', 'suggestedTerms', 'guidelines']) assert.ok(loss.includes(key));
  for (const key of ['unnecessaryPatterns', 'removableTerms', 'tighteningGuidelines']) assert.ok(excess.includes(key));
});

test('wrong arguments and wrong answers are named', async () => {
  assert.throws(() => createFeedbackCollector(), { name: 'TypeError', message: /callLlm/ });
  const collector = createFeedbackCollector(() => 5);
  assert.throws(() => collector.add('x', [], { success: true }), { name: 'TypeError', message: /original/ });
  assert.throws(() => collector.add([], {}, { success: true }), { name: 'TypeError', message: /compressed/ });
  assert.throws(() => collector.add([], [], null), { name: 'TypeError', message: /outcome/ });
  collector.add([], [], { success: false });
  await assert.rejects(collector.analyze(), { name: 'TypeError', message: /callLlm/ });
});

test('options are copied, never changed', async () => {
  const options = Object.freeze({ preserveTerms: Object.freeze(['a']), systemPrompt: 'p' });
  const feedback = { lostPatterns: [], suggestedTerms: ['b'], guidelines: ['g'] };
  assert.deepEqual(refineSummarizer(options, feedback), { preserveTerms: ['a', 'b'], systemPrompt: 'p\n\n- g' });
  const tightened = tightenSummarizer(options, { unnecessaryPatterns: [], removableTerms: ['a'], tighteningGuidelines: [] });
  assert.deepEqual(tightened, { preserveTerms: [], systemPrompt: 'p' });
  const prompts = [];
  const reply = (prompt) => (prompts.push(prompt), '[{"preserveTerms":["c"]}]');
  assert.deepEqual(await refineSummarizerCandidates(reply, options, feedback), [{ preserveTerms: ['a', 'c'], systemPrompt: 'p' }]);
  for (const part of ['a', 'p', 'b', 'g', '5']) assert.ok(prompts[0].includes(part));
});

test('distillation pairs of a real result', () => {
  const long = 'It rained all day and nobody went out to look at the harbour. '.repeat(10);
  const result = compress(said(long, 'short'), { recencyWindow: 0 });
  const [pair, ...more] = createDistillationPairs(result);
  assert.deepEqual(more, []);
  assert.deepEqual(pair, { input: long, output: result.messages[0].content });
  assert.deepEqual(
    createDistillationPairs({
      messages: [{ id: 'x', content: 'y', metadata: { _cce_original: { ids: ['__proto__', 'toString'] } } }],
      verbatim: {},
    }),
    [],
  );
});
