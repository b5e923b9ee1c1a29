// Signed thinking is valid only after exactly the content that it was signed over: `prune` leaves that content unchanged, or removes the thinking.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import fc from 'fast-check';
import { countTokens, prune, restore, validate } from '../../unbundled/index.js';
import { withProviders } from '../support/providers/server.mjs';
import { cases, IS_WHOLE } from '../support/seed.mjs';
import { sayIn } from '../support/transcripts.mjs';
import { working } from './working.mjs';

const require = createRequire(import.meta.url);
const { formatOf } = require('../../unbundled/providers/index.js');
const { planPrune } = require('../../unbundled/agent/prune.js');
const { applyEdits } = require('../../unbundled/agent/edits.js');

const modes = fc.constantFrom('stub', 'remove');
const all = { keep: { recent: 0 } };

test('a provider that checks what stands before thinking accepts both, and would refuse the edits alone', () =>
  withProviders(async (_, preserved) => {
    const seen = { kept: 0, stripped: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(working, modes, async (spoken, mode) => {
        const messages = preserved.issue(sayIn('anthropic', spoken));
        if ((await preserved.send(messages)) !== null) return;
        const kept = prune(messages, { ...all, mode });
        assert.equal(await preserved.send(kept.messages), null);
        assert.equal(kept.report.strippedThinking, 0);
        if (Object.keys(kept.originals).length > 0) seen.kept++;
        const stripped = prune(messages, { ...all, mode, thinking: 'strip' });
        assert.equal(await preserved.send(stripped.messages), null);
        if (stripped.report.strippedThinking > 0) seen.stripped++;
        for (const { messages: pruned, originals } of [kept, stripped]) assert.deepEqual(restore(pruned, originals).messages, messages);
        // The same edits, made without regard to signatures.
        const format = formatOf(messages, 'anthropic');
        const parts = format.read(messages);
        const { edits } = planPrune(messages, parts, { ...all, mode, thinking: 'strip' }, 'anthropic');
        if ((await preserved.send(applyEdits(messages, format, edits).messages)) !== null) seen.refused++;
      }),
      { numRuns: cases(200), includeErrorInReport: true },
    );
    if (IS_WHOLE) for (const [what, count] of Object.entries(seen)) assert.ok(count > 10, `${what}: ${count}`);
  }));

for (const name of ['openai-chat', 'message', 'anthropic', 'ai-sdk-model', 'ai-sdk-ui', 'langchain']) {
  test(`${name}: before signed thinking that stays nothing has changed, and the report counts what went`, () => {
    const seen = { signed: 0, stripped: 0 };
    fc.assert(
      fc.property(working, modes, fc.constantFrom('keep', 'strip'), (spoken, mode, thinking) => {
        const messages = sayIn(name, spoken);
        const { messages: pruned, report, originals } = prune(messages, { ...all, format: name, mode, thinking, trace: true });
        const [before, after] = [messages, pruned].map((list) =>
          formatOf(list, name)
            .read(list)
            .map(({ kind, role, text, name: tool, callId, signed = false }) => ({ kind, role, text, tool, callId, signed })),
        );
        const signed = (parts) => parts.filter((part) => part.signed).length;
        const last = after.findLastIndex((part) => part.signed);
        assert.deepEqual(after.slice(0, last + 1), before.slice(0, last + 1));
        if (thinking === 'keep') assert.equal(signed(after), signed(before));
        // Thinking that was removed with its call holds nothing else.
        if (mode === 'stub') assert.equal(signed(before) - signed(after), report.strippedThinking);
        const traced = report.trace.filter(({ reason }) => reason === 'strippedThinking');
        assert.equal(traced.length, report.strippedThinking);
        for (const { action, charsAfter } of traced) assert.deepEqual([action, charsAfter], ['remove', 0]);
        assert.deepEqual(restore(pruned, originals).messages, messages);
        seen.signed += signed(before);
        seen.stripped += report.strippedThinking;
      }),
      { numRuns: cases(150) },
    );
    if (IS_WHOLE) assert.ok(seen.signed > 50 && seen.stripped > 20, JSON.stringify(seen));
  });
}

// ---- By hand ------------------------------------------------------------------------------------------------------

const file = (text) => Array.from({ length: 30 }, (_, line) => `${line + 1}\tlet ${text}${line} = ${line};`).join('\n');
const think = (signature) => ({ type: 'thinking', thinking: `About ${signature}.`, signature });
const use = (id, name, input) => ({ type: 'tool_use', id, name, input });
const answer = (id, content) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] });
const ask = { role: 'user', content: 'Change a.ts.' };
const agent = [
  ask,
  { role: 'assistant', content: [think('first'), use('a', 'Read', { file_path: '/a.ts' })] },
  answer('a', file('x')),
  {
    role: 'assistant',
    content: [think('second'), { type: 'text', text: 'I write it.' }, use('b', 'Write', { file_path: '/a.ts', content: file('y') })],
  },
  answer('b', 'done'),
  { role: 'assistant', content: [{ type: 'redacted_thinking', data: 'third' }, use('c', 'Read', { file_path: '/a.ts' })] },
  answer('c', file('y')),
];

describe('an agent at work', () => {
  test('keep is the default, and leaves alone what stands before the last signed thinking', () => {
    const { messages, originals, report } = prune(agent, all);
    messages.forEach((message, index) => assert.equal(message, agent[index]));
    assert.deepEqual(originals, {});
    assert.equal(report.strippedThinking, 0);
    assert.doesNotMatch(report.summary, /thinking/);
    // Otherwise the read would be stale.
    assert.equal(prune(agent.toSpliced(5), { ...all, thinking: 'strip' }).report.staleReads, 1);
  });

  test('keep edits what stands behind it', () => {
    const talk = [
      agent[0],
      ...agent.slice(1, 3),
      { role: 'assistant', content: [use('b', 'Write', { file_path: '/a.ts', content: file('y') })] },
      agent[4],
    ];
    const { messages, report } = prune(talk, all);
    assert.equal(messages[1], talk[1]);
    assert.match(messages[2].content[0].content, /^\[palimpsest:\w+ stale read/);
    assert.equal(report.staleReads, 1);
  });

  test('strip takes out the thinking behind the first edit, and no other', () => {
    const { messages, originals, report } = prune(agent, { ...all, thinking: 'strip', trace: true });
    assert.deepEqual(messages[1], agent[1], 'it stands before the edit');
    assert.deepEqual(
      messages[3].content.map(({ type }) => type),
      ['text', 'tool_use'],
    );
    assert.deepEqual(messages[5].content, [agent[5].content[1]]);
    assert.equal(report.strippedThinking, 2);
    assert.match(report.summary, /, 0 failed, 2 thinking blocks stripped$/);
    const trace = report.trace.filter(({ reason }) => reason === 'strippedThinking');
    assert.deepEqual(trace, [
      {
        message: 3,
        path: ['content', 0],
        reason: 'strippedThinking',
        action: 'remove',
        charsBefore: 'About second.'.length,
        charsAfter: 0,
      },
      { message: 5, path: ['content', 0], reason: 'strippedThinking', action: 'remove', charsBefore: 0, charsAfter: 0 },
    ]);
    assert.deepEqual(report.tokens, { before: countTokens(agent), after: countTokens(messages) });
    assert.deepEqual(validate(messages), []);
    const [stored, kept] = [messages, originals].map((value) => JSON.parse(JSON.stringify(value)));
    assert.equal(JSON.stringify(restore([...stored, ask], kept).messages), JSON.stringify([...agent, ask]));
  });

  test('a message that held nothing else goes, and what stood around it is one turn', () => {
    const talk = [
      ...agent.slice(0, 5),
      { role: 'assistant', content: [think('alone')] },
      { role: 'user', content: 'Go on.' },
      { role: 'assistant', content: 'Done.' },
    ];
    const { messages, originals, report } = prune(talk, { ...all, thinking: 'strip' });
    assert.equal(report.strippedThinking, 2);
    assert.deepEqual(messages.at(-2), { role: 'user', content: [...talk[4].content, { type: 'text', text: 'Go on.' }] });
    assert.deepEqual(validate(messages), []);
    assert.deepEqual(restore(messages, originals).messages, talk);
  });

  test('a message keeps all of its thinking or none', () => {
    const write = (id, name) => use(id, 'Write', { file_path: '/a.ts', content: file(name) });
    const both = { role: 'user', content: ['a', 'b'].flatMap((id) => answer(id, 'done').content) };
    const talk = [
      ask,
      { role: 'assistant', content: [think('one'), write('a', 'x'), think('two'), use('b', 'Read', { file_path: '/b.ts' })] },
      both,
      { role: 'assistant', content: [write('c', 'y')] },
      answer('c', 'done'),
    ];
    const { messages, report } = prune(talk, { ...all, thinking: 'strip' });
    assert.deepEqual(
      messages[1].content.map(({ type }) => type),
      ['tool_use', 'tool_use'],
      'the first one stands before the edit',
    );
    assert.deepEqual([report.staleEdits, report.strippedThinking], [1, 2]);
  });

  test('thinking that came in a message of its own goes with the call that it led to', () => {
    const split = agent.flatMap(({ role, content }) =>
      role === 'assistant' ? content.map((block) => ({ role, content: [block] })) : [{ role, content }],
    );
    for (const thinking of ['keep', 'strip']) {
      const { messages, originals } = prune(split, { ...all, mode: 'remove', thinking });
      assert.deepEqual(validate(messages), []);
      assert.deepEqual(restore(messages, originals).messages, split);
    }
    const { messages } = prune(split, { ...all, mode: 'remove', thinking: 'strip' });
    assert.deepEqual(messages[1], { role: 'assistant', content: [{ type: 'text', text: 'I write it.' }] });
  });
});

// ---- Signed content -----------------------------------------------------------------------------------------------

describe('what counts as signed', () => {
  const isSigned = (format, message) =>
    formatOf([message], format)
      .read([message])
      .some(({ signed }) => signed);
  const assistant = (...content) => ({ role: 'assistant', content });
  const ui = (...parts) => ({ id: 'm', role: 'assistant', parts });
  const reasoning = (more) => ({ type: 'reasoning', text: 'Hm.', ...more });
  const ai = (block) => new AIMessage({ content: [block, { type: 'text', text: 'ok' }] });
  const cases = [
    ['anthropic', assistant(think('s')), true],
    ['anthropic', assistant({ type: 'redacted_thinking', data: 'd' }), true],
    ['anthropic', assistant({ type: 'thinking', thinking: 'Hm.', signature: '' }), false],
    ['openai-chat', { role: 'assistant', content: 'ok', reasoning_content: 'Hm.' }, false],
    [
      'openai-chat',
      { role: 'assistant', content: 'ok', reasoning_details: [{ type: 'reasoning.text', text: 'Hm.', signature: 's' }] },
      true,
    ],
    [
      'openai-chat',
      { role: 'assistant', content: 'ok', reasoning_details: [{ type: 'reasoning.encrypted', data: 'd', format: 'anthropic-claude-v1' }] },
      true,
    ],
    [
      'openai-chat',
      { role: 'assistant', content: 'ok', reasoning_details: [{ type: 'reasoning.encrypted', data: 'd', format: 'openai-responses-v1' }] },
      false,
    ],
    ['openai-chat', { role: 'assistant', content: 'ok', reasoning_details: [{ type: 'reasoning.summary', summary: 'Hm.' }] }, false],
    ['openai-chat', { role: 'assistant', content: 'ok', thinking_blocks: [think('s')] }, true],
    ['openai-responses', { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'gAAA' }, false],
    ['openai-agents', { type: 'reasoning', id: 'rs', content: [], providerData: { encryptedContent: 'gAAA' } }, false],
    ['ai-sdk-model', assistant(reasoning()), false],
    ['ai-sdk-model', assistant(reasoning({ providerOptions: { anthropic: { signature: 's' } } })), true],
    ['ai-sdk-model', assistant(reasoning({ providerOptions: { anthropic: { redactedData: 'd' } } })), true],
    ['ai-sdk-model', assistant(reasoning({ providerOptions: { bedrock: { signature: 's' } } })), true],
    [
      'ai-sdk-model',
      assistant(reasoning({ providerOptions: { openrouter: { reasoning_details: [{ type: 'reasoning.text', signature: 's' }] } } })),
      true,
    ],
    ['ai-sdk-model', assistant(reasoning({ providerOptions: { openai: { itemId: 'rs', reasoningEncryptedContent: 'gAAA' } } })), false],
    ['ai-sdk-model', assistant(reasoning({ providerOptions: { google: { thoughtSignature: 's' } } })), false],
    ['ai-sdk-model', assistant(reasoning({ signature: 's' })), true], // version 4
    ['ai-sdk-model', assistant({ type: 'redacted-reasoning', data: 'd' }), true], // version 4
    ['ai-sdk-ui', ui(reasoning({ providerMetadata: { anthropic: { signature: 's' } } })), true],
    ['ai-sdk-ui', ui(reasoning({ providerMetadata: { google: { thoughtSignature: 's' } } })), false],
    ['ai-sdk-ui', ui({ type: 'reasoning', reasoning: 'Hm.', details: [{ type: 'text', text: 'Hm.', signature: 's' }] }), true], // version 4
    ['ai-sdk-ui', ui({ type: 'reasoning', reasoning: '', details: [{ type: 'redacted', data: 'd' }] }), true], // version 4
    ['gemini', { role: 'model', parts: [{ text: 'Hm.', thought: true, thoughtSignature: 's' }] }, false],
    [
      'mastra',
      {
        role: 'assistant',
        content: { format: 2, parts: [{ ...reasoning({ providerMetadata: { anthropic: { signature: 's' } } }), reasoning: 'Hm.' }] },
      },
      true,
    ],
    ['langchain', ai(think('s')), true],
    ['langchain', ai({ type: 'redacted_thinking', data: 'd' }), true],
    ['langchain', ai({ type: 'reasoning', reasoning: 'Hm.', signature: 's' }), true],
    ['langchain', ai({ type: 'reasoning', reasoning: 'Hm.' }), false],
    ['langchain', ai({ type: 'non_standard', value: { type: 'redacted_thinking', data: 'd' } }), true],
    ['langchain', ai({ type: 'reasoning_content', reasoningText: { text: 'Hm.', signature: 's' } }), true],
    [
      'langchain',
      new AIMessage({ content: 'ok', additional_kwargs: { reasoning_details: [{ type: 'reasoning.text', text: 'Hm.', signature: 's' }] } }),
      true,
    ],
  ];
  for (const [format, message, expected] of cases) {
    test(`${format}: ${JSON.stringify(message.toDict?.().data ?? message)} is ${expected ? '' : 'not '}signed`, () =>
      assert.equal(isSigned(format, message), expected));
  }

  test('the reasoning that OpenRouter sends through LangChain can be taken out and put back', () => {
    const details = [{ type: 'reasoning.text', text: 'Hm.', signature: 's' }];
    const talk = [
      new HumanMessage('Go.'),
      new AIMessage({ content: '', tool_calls: [{ id: 'a', name: 'Read', args: { file_path: '/a' } }] }),
      new ToolMessage({ content: file('x'), tool_call_id: 'a' }),
      new AIMessage({
        content: '',
        tool_calls: [{ id: 'b', name: 'Write', args: { file_path: '/a', content: 'y' } }],
        additional_kwargs: { reasoning_details: details, other: 1 },
      }),
      new ToolMessage({ content: 'done', tool_call_id: 'b' }),
    ];
    const { messages, originals, report } = prune(talk, { ...all, thinking: 'strip' });
    assert.deepEqual([report.staleReads, report.strippedThinking], [1, 1]);
    assert.deepEqual(messages[3].additional_kwargs, { other: 1 });
    assert.deepEqual(talk[3].additional_kwargs.reasoning_details, details);
    assert.deepEqual(restore(messages, originals).messages, talk);
  });

  test('in LangChain a call stands where its block does: before the thinking behind it', () => {
    const talk = [
      new HumanMessage('Go.'),
      new AIMessage({
        content: [use('a', 'Write', { file_path: '/a', content: file('x') }), think('s'), use('b', 'Read', { file_path: '/b' })],
        tool_calls: [
          { id: 'a', name: 'Write', args: { file_path: '/a', content: file('x') } },
          { id: 'b', name: 'Read', args: { file_path: '/b' } },
        ],
      }),
      ...['a', 'b'].map((id) => new ToolMessage({ content: 'done', tool_call_id: id })),
      new AIMessage({ content: '', tool_calls: [{ id: 'c', name: 'Write', args: { file_path: '/a', content: file('y') } }] }),
      new ToolMessage({ content: 'done', tool_call_id: 'c' }),
    ];
    assert.equal(prune(talk, all).report.staleEdits, 0);
    const { report } = prune(talk, { ...all, thinking: 'strip' });
    assert.deepEqual([report.staleEdits, report.strippedThinking], [1, 1]);
  });
});
