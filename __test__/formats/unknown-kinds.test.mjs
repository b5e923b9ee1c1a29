// Kinds of content that a format doesn't know: kept with their turn, counted by their size, and named once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countTokens, createSession, fit } from 'palimpsest';
import { SEED } from '../support/seed.mjs';
import { Random } from '../support/random.mjs';

const text = (value) => ({ type: 'text', text: value });
const claude = (more) => ({ role: 'assistant', content: [...more, text('There it is.')] });
const model = (more) => ({ role: 'assistant', content: [...more, { type: 'reasoning', text: 'So.' }, text('There it is.')] });
/** What each format makes of an unknown part, and what reports call it. */
const FORMATS = {
  anthropic: { said: (part) => claude([part]), name: 'block of type hologram' },
  'openai-chat': { said: (part) => ({ role: 'assistant', content: [part, text('There it is.')] }), name: 'part of type hologram' },
  'openai-responses': { said: (part) => ({ id: 'h1', ...part }), name: 'item of type hologram' },
  'ai-sdk-model': { said: (part) => model([part]), name: 'part of type hologram' },
  'ai-sdk-ui': { said: (part) => ({ id: 'a', role: 'assistant', parts: [part, text('There it is.')] }), name: 'part of type hologram' },
  gemini: { said: ({ data }) => ({ role: 'model', parts: [{ hologram: data }, { text: 'There it is.' }] }), name: 'part with hologram' },
};
const asked = (format, words) => {
  if (format === 'gemini') return { role: 'user', parts: [{ text: words }] };
  if (format === 'ai-sdk-ui') return { id: words, role: 'user', parts: [text(words)] };
  if (format === 'openai-responses') return { type: 'message', role: 'user', content: words };
  return { role: 'user', content: words };
};

for (const [format, { said, name }] of Object.entries(FORMATS)) {
  test(`${format}: an unknown kind is named once, counted by its size and goes with its turn`, () => {
    const random = new Random(SEED);
    const count = random.integer(1, 5);
    const data = (index) => `${index} ${'light '.repeat(random.integer(100, 400))}`;
    const turns = Array.from({ length: count }, (_, index) => [
      asked(format, `Show me number ${index}.`),
      said({ type: 'hologram', data: data(index) }),
    ]);
    const history = [...turns.flat(), asked(format, 'And now?')];
    const whole = fit(history, { format, limit: 1e6 });
    assert.deepEqual(whole.report.unknownKinds, { [name]: count });
    const small = countTokens([asked(format, 'And now?')], { format });
    assert.ok(whole.tokens.before > small + 80 * count, `${whole.tokens.before}`);
    assert.equal(whole.exact, false);
    const { messages, fits } = fit(history, { format, limit: Math.ceil(whole.tokens.before / 2) });
    const left = JSON.stringify(messages);
    if (count > 2) assert.ok(fits);
    // What is left of it is as it was.
    for (const turn of turns.slice(0, -1)) {
      const part = JSON.stringify(turn[1]).match(/"\d (?:light )+"/)[0];
      assert.ok(left.includes(part) || !left.includes(part.slice(0, 12)), part.slice(0, 12));
    }
    const session = createSession({ format, limit: 1e6 });
    assert.deepEqual(session.next(history.slice(0, 2)).report.unknownKinds, { [name]: 1 });
    assert.equal(session.next(history).report.unknownKinds, undefined);
    // A resumed session has told, too, whatever is changed in front of it.
    const saved = JSON.parse(JSON.stringify(session));
    const changed = [asked(format, 'By the way.'), ...history];
    for (const one of [session, createSession({ format, limit: 1e6 }, saved)]) {
      one.next(history);
      assert.equal(one.next(changed).report.unknownKinds, undefined);
    }
  });
}
