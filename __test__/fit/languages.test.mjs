// Texts in any script: cut between sentences and characters, never inside one.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { fit, restore } from 'palimpsest';
import { cases } from '../support/seed.mjs';
import { closed, resultOf, Talk } from './talk.mjs';

/** Sentences that each name something else, and the characters that end them. */
const LANGUAGES = {
  Chinese: {
    say: (n) => `第${n}号灯塔在黄昏之前修好了灯笼，然后灯台守沿着海岸走回村子里去，在路上遇到了${n + 3}个渔夫和他们的孩子，编号STA_${n}。`,
    gap: '',
  },
  Japanese: {
    say: (n) =>
      `${n}番の灯台は夕方までに修理されて、灯台守は海岸沿いの道を歩いて村へ帰り、途中で${n + 3}人の漁師に会いました、番号はSTA_${n}です。`,
    gap: '',
  },
  Arabic: { say: (n) => `تم إصلاح المنارة رقم ${n} قبل المساء وعاد الحارس إلى القرية على طول الساحل ورقمها STA_${n} في السجل؟`, gap: ' ' },
  German: {
    say: (n) =>
      `Der Leuchtturm Nummer ${n} wurde vor der Dämmerung repariert, und der Wärter ging über die Küstenstraße zurück ins Dorf, Kennung STA_${n}.`,
    gap: ' ',
  },
  Hindi: { say: (n) => `प्रकाशस्तंभ संख्या ${n} की मरम्मत शाम से पहले कर दी गई और रखवाला तट के किनारे गाँव लौट आया, कोड STA_${n} है।`, gap: ' ' },
  Thai: { say: (n) => `ประภาคารหมายเลข ${n} ได้รับการซ่อมแซมก่อนค่ำแล้วคนเฝ้าก็เดินกลับหมู่บ้านตามชายฝั่งทะเล รหัส STA_${n} อยู่ในสมุด!`, gap: ' ' },
  emoji: {
    say: (n) => `Number ${n} is fine 👩‍👩‍👧‍👦🎉 and so is the crew 👍🏽 of STA_${n}, who have sailed for ${n + 3} days 🚢 without a storm!`,
    gap: ' ',
  },
};

const cut = (text, share) => {
  const talk = closed(new Talk().user('Read it.').call('Read', { path: 'a' }, text));
  const { messages, originals, tokens } = fit(talk.messages, { limit: talk.tokens * share });
  assert.ok(tokens.after <= tokens.limit && tokens.after > 0.9 * tokens.limit, JSON.stringify(tokens));
  assert.deepEqual(restore(messages, originals).messages, talk.messages);
  return resultOf(messages);
};
/** The texts between marks. */
const piecesOf = (text) => text.split(/\[…(?: \d+ [a-z ]+(?:: \d+–\d+)?)?\]\n?/).filter((piece) => piece.trim() !== '');

for (const [name, { say, gap }] of Object.entries(LANGUAGES)) {
  describe(name, () => {
    const sentences = Array.from({ length: 80 }, (_, n) => say(n));

    test('a line is cut between sentences, whose facts stay with them', () => {
      const text = sentences.join(gap);
      for (const share of [0.6, 0.3]) {
        const pieces = piecesOf(cut(text, share));
        assert.ok(pieces.length > 1);
        for (const piece of pieces) {
          const at = text.indexOf(piece);
          assert.ok(at >= 0, 'as it was written');
          const [first, last] = [piece.trim(), piece.trim()];
          assert.ok(
            sentences.some((sentence) => first.startsWith(sentence)),
            `begins inside: ${first.slice(0, 60)}`,
          );
          assert.ok(
            sentences.some((sentence) => last.endsWith(sentence)),
            `ends inside: ${last.slice(-60)}`,
          );
        }
      }
    });

    test('lines stay as they were', () => {
      const kept = cut(sentences.join('\n'), 0.4)
        .split('\n')
        .filter((line) => !line.startsWith('[…'));
      assert.ok(kept.length > 10);
      for (const line of kept) assert.ok(sentences.includes(line), line);
    });
  });
}

/** Splits a text into characters, with whole surrogate pairs and marks. */
const CHARACTERS = ['😀', '👩‍👩‍👧‍👦', '👍🏽', '🇩🇪', 'e\u0301', 'ที่', 'क्षि', 'ü', '한', '漢', 'a'];

test('no cut is inside a character, even in texts without blanks or sentences', () => {
  for (const character of CHARACTERS.filter((one) => one.length > 1)) {
    const whole = character.repeat(4000);
    for (const piece of piecesOf(cut(whole, 0.3))) assert.equal(piece.replaceAll(character, ''), '', character);
  }
});

test('generated texts are cut between characters, too', () => {
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...CHARACTERS, ' ', '。', '. ', '\n'), { minLength: 1500, maxLength: 3000 }), (characters) => {
      const text = characters.join('');
      const ends = new Set([0, text.length]);
      for (const { index } of segmenter.segment(text)) ends.add(index);
      const kept = cut(text, 0.5);
      let from = 0;
      for (const piece of piecesOf(kept)) {
        assert.ok(piece.isWellFormed?.() ?? true, 'no half of a pair');
        const at = text.indexOf(piece, from);
        assert.ok(at >= 0);
        from = at + piece.length;
        if (piece.length > 20)
          assert.ok(ends.has(at) && ends.has(from), JSON.stringify([text.slice(at - 4, at + 4), text.slice(from - 4, from + 4)]));
      }
    }),
    { numRuns: cases(30), includeErrorInReport: true },
  );
});

test('a lone surrogate stays as it is', () => {
  const text = Array.from({ length: 200 }, (_, n) => `line_${n} has \ud83d and \ude00 in it, and says nothing else of use`).join('\n');
  for (const line of cut(text, 0.4)
    .split('\n')
    .filter((one) => !one.startsWith('[…')))
    assert.ok(text.includes(line), line);
});
