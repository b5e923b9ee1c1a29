// Sessions of several limits that share what they read of the same messages: each chooses what it chooses alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession } from 'palimpsest';
import { readingTogether } from 'palimpsest/internal';
import { CONVERSATIONS } from '../corpus/index.mjs';
import { sayIn } from '../support/transcripts.mjs';
import { someOf } from '../support/seed.mjs';

const LIMITS = [12_000, 2_000, 4_000];

for (const format of someOf(['anthropic', 'openai-chat', 'openai-responses', 'gemini']))
  test(`${format}: sessions that read together choose what each of them chooses alone`, () => {
    let epochs = 0;
    for (const { spoken } of CONVERSATIONS.filter(({ id }) => id.endsWith('-long')).slice(0, 2)) {
      const messages = sayIn(format, spoken);
      const play = (together) =>
        LIMITS.map((limit) => {
          const session = together(createSession({ limit, format, warn: false, now: () => 0 }));
          const steps = [];
          for (let end = 1; end <= messages.length; end += 1 + (end % 3)) {
            const step = session.next(messages.slice(0, end));
            if (step.epoch) epochs++;
            session.observe({ input_tokens: Math.round(1.1 * step.tokens.after) });
            steps.push(structuredClone(step));
          }
          return { steps, state: JSON.stringify(session) };
        });
      assert.deepEqual(
        play(readingTogether()),
        play((session) => session),
      );
    }
    assert.ok(epochs > 10, `${epochs} epochs`);
  });
