// Languages lose no more than English does: research/languages.md has what is measured, and these tests the bounds.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { LANGUAGES, planOf, sayIn } from '../benches/quality/languages/talks.mjs';
import { measureAsked, measureNames, talksIn } from '../benches/quality/languages.mjs';
import { readSection } from '../benches/quality/pages.mjs';
import { languagesTable } from '../benches/quality/tables.mjs';
import { countTokens, fit, recall, restore } from 'palimpsest';
import { cases } from './support/seed.mjs';

/** Number of conversations: enough for more than a hundred names. */
const COUNT = 6;
/** By so much at most another language keeps less than English. */
const GAP = 0.075;
const SHARE = 0.25;

test('research/languages.md has the table as it is recorded', () => {
  const { languages } = JSON.parse(readFileSync(new URL('../benches/quality/recorded.json', import.meta.url), 'utf8'));
  assert.equal(readSection('languages'), languagesTable(languages));
  const grounded = (row) => row.grounded.find(({ rho, engine }) => rho === SHARE && engine === 'fit').grounded;
  const english = grounded(languages.parallel.find(({ language }) => language === 'en'));
  for (const row of languages.parallel) assert.ok(grounded(row) > english - GAP, `${row.language}: ${grounded(row)}, English ${english}`);
});

describe('fit and recall in other languages', () => {
  const english = measureNames(talksIn('en', COUNT), 'en').share(SHARE, 'fit');
  for (const code of ['zh', 'ja', 'ko', 'ar']) {
    const talks = talksIn(code, COUNT);

    test(`${code}: names stay as they do in English, and are seen`, () => {
      const { names, share } = measureNames(talks, code);
      const [kept, newest] = [share(SHARE, 'fit'), share(SHARE, 'trim')];
      assert.ok(names > 100, `${names}`);
      assert.ok(kept > english - GAP, `${kept}, English ${english}`);
      // Without words to tell them apart, no message is worth more than another. What the user demands stays, names or not.
      assert.ok(kept > newest + 0.13, `${kept}, the newest ${newest}`);
    });

    test(`${code}: a question keeps its answer`, () => {
      assert.ok(measureAsked(talks, code, SHARE) >= 0.95);
    });
  }

  test('one line is cut between sentences, restored exactly, and within the budget, in every language', () => {
    const plans = fc.record({
      code: fc.constantFrom(...Object.keys(LANGUAGES)),
      seed: fc.nat(10_000),
      share: fc.double({ min: 0.2, max: 0.8, noNaN: true }),
    });
    fc.assert(
      fc.property(plans, ({ code, seed, share }) => {
        const said = sayIn(code, planOf(seed).slice(0, 60)).map(({ message }) => message.content);
        const messages = [
          { role: 'user', content: 'Read it.' },
          { role: 'assistant', content: said.join(LANGUAGES[code].gap) },
          { role: 'user', content: 'Thanks. What is next?' },
        ];
        const budget = Math.floor(countTokens(messages) * share);
        const { messages: cut, originals, tokens } = fit(messages, { limit: budget });
        assert.ok(tokens.after <= budget, JSON.stringify(tokens));
        assert.deepEqual(restore(cut, originals).messages, messages);
        const { content } = messages[1];
        for (const piece of cut[1].content.split('[…]').slice(0, -1)) {
          assert.ok(content.includes(piece), 'as it was written');
          if (piece.trim() !== '') assert.match(piece, /[.?。？؟!]\s*$/u, 'a whole sentence');
        }
      }),
      { numRuns: cases(60) },
    );
  });
});

describe('recall finds what is asked for in every script', () => {
  const ASKED = {
    Japanese: ['リハーサルは四階の会議室に変わりました。', 'リハーサルはどこですか'],
    Chinese: ['排练改到四楼的会议室了。', '排练在哪里？'],
    Korean: ['리허설은 사층 회의실로 바뀌었어요.', '리허설이 어디예요?'],
    Arabic: ['نقل التدريب إلى القاعة في الطابق الرابع.', 'أين تدريب اليوم؟'],
    Russian: ['Репетиция перенесена в зал на четвёртом этаже.', 'Где будет репетицию смотреть?'],
    Hindi: ['पूर्वाभ्यास चौथी मंज़िल के कमरे में होगा।', 'पूर्वाभ्यास कहाँ है?'],
  };
  for (const [name, [line, query]] of Object.entries(ASKED))
    test(name, () => {
      const language = { Japanese: 'ja', Chinese: 'zh', Korean: 'ko', Arabic: 'ar', Russian: 'ru' }[name] ?? 'en';
      const asides = sayIn(language, planOf(3)).map(({ message }) => message.content);
      const history = [
        { role: 'user', content: 'Begin.' },
        { role: 'assistant', content: [...asides.slice(0, 60), line, ...asides.slice(60, 120)].join(' ') },
        { role: 'user', content: 'Go on.' },
      ];
      const { passages } = recall(history, [history[0], history[2]], query, { limit: 300 });
      assert.ok(passages[0]?.text.includes(line), passages[0]?.text);
    });
});
