import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { anthropic } from './anthropic.mjs';
import { describeProvider } from './describe-provider.mjs';

const { formatOf } = createRequire(import.meta.url)('../../unbundled/providers/index.js');

describeProvider(anthropic);

test('an edit that would break a message is refused, without partial changes', () => {
  const messages = [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'x', signature: 's' },
        { type: 'tool_use', id: 'a', name: 'f', input: {} },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }] },
  ];
  const format = formatOf(messages);
  const [thinking, call] = format.read(messages);
  assert.throws(
    () => format.write(messages, [{ part: thinking, text: 'y' }]),
    /^Error: messages\[0\]\.content\[0\] may not be edited: reasoning$/,
  );
  for (const text of ['', 'text', '[]', 'null', '"x"']) {
    assert.throws(() => format.write(messages, [{ part: call, text }]), {
      name: 'TypeError',
      message: 'new arguments for messages[0].content[1].input must be a JSON object',
    });
  }
});
