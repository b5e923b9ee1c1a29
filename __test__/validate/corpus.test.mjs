// Real conversations, which were all sent to a provider once: valid, or broken in a way that was looked at by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CORPORA } from '../support/corpus.mjs';
import { validate } from 'palimpsest';
import { withProviders } from '../support/providers/server.mjs';
import { someOf } from '../support/seed.mjs';

/** A log that ends where the agent had called tools. */
const openCalls = (index, count) =>
  Array.from({ length: count }, (_, call) => ({ rule: 'tool-call-at-end', path: `messages[${index}].tool_calls[${call}]` }));
/** Logs keep what the agent that wrote them left out when it sent them. */
const broken = {
  // The user interrupted the model while it was thinking, and only the thinking was written down.
  'cc-6113e919': [{ rule: 'thinking-at-end', path: 'messages[307].content[0]' }],
  // The first text block of an answer is "\n\n".
  'cc-8c00ac51': [{ rule: 'empty-text', path: 'messages[1].content[0]' }],
  // A sample for a viewer of transcripts, whose one thinking block was written by hand, without a signature.
  'simonw-sample': [{ rule: 'thinking-signature', path: 'messages[1].content[0]' }],
  'agv-codex-db259027c5': openCalls(313, 1),
  'agv-codex-9512a065da': openCalls(506, 2),
  'agv-codex-b8a30657c9': openCalls(255, 1),
  'agv-codex-98363d10f4': openCalls(35, 2),
};

for (const { corpus, native, skip } of CORPORA)
  test(`${corpus}: all are valid, and the strict provider thinks so too`, { skip }, () =>
    withProviders(async (providers) => {
      for (const { id, format, messages } of someOf(native())) {
        const problems = validate(messages, { format }).map(({ rule, path }) => ({ rule, path }));
        assert.deepEqual(problems, broken[id] ?? [], id);
        assert.equal((await providers[format](messages)) === null, !(id in broken), id);
      }
    }),
  );
