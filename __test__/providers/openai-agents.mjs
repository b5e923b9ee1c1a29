// Items of OpenAI's Agents SDK: `describeProvider` says what each field is for.
import { IMAGE, both, foundTools, shown, answeredIn, BASH, parameters, many, put, wordsOfItem } from './draw.mjs';

const dataUrl = (data) => `data:image/png;base64,${data}`;

/** Writes a conversation that `dialogue` draws. */
const say = ({ system, turns }) => {
  const part = ({ text, image }) =>
    text === undefined ? { type: 'input_image', image: `data:image/png;base64,${image}` } : { type: 'input_text', text };
  /** A tool may give one output, without a list around it. */
  const only = ({ text, image }) =>
    text === undefined ? { type: 'image', image: { data: image, mediaType: 'image/png' } } : { type: 'text', text };
  const items = system === null ? [] : [{ type: 'message', role: 'system', content: system }];
  let count = 0;
  for (const turn of turns) {
    if (turn.who === 'user') {
      items.push({
        type: 'message',
        role: 'user',
        content: turn.more.length > 0 ? [{ text: turn.text }, ...turn.more].map(part) : turn.text,
      });
      continue;
    }
    if (turn.reasoning) {
      items.push({
        type: 'reasoning',
        id: `rs_${++count}`,
        content: [{ type: 'input_text', text: turn.reasoning.text }],
        providerData: turn.reasoning.signed ? { encrypted_content: 'gAAAA' } : {},
      });
    }
    if (turn.odd) {
      const id = `ws_${++count}`;
      items.push({
        type: 'hosted_tool_call',
        id,
        name: 'web_search_call',
        status: 'completed',
        providerData: { id, type: 'web_search_call', action: { type: 'search', query: 'x' } },
      });
    }
    if (turn.text !== null)
      items.push({
        type: 'message',
        id: `msg_${++count}`,
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: turn.text, providerData: { annotations: [] } }],
        providerData: {},
      });
    for (const { id, name, args } of turn.calls) {
      items.push({
        type: 'function_call',
        id: `fc_${++count}`,
        callId: id,
        name,
        status: 'completed',
        arguments: JSON.stringify(args),
        providerData: {},
      });
    }
    for (const { id, name, result } of answeredIn(turn)) {
      const blocks = typeof result.blocks === 'string' ? [{ text: shown(result) }] : result.blocks;
      const output = turn.odd && blocks.length === 1 ? only(blocks[0]) : blocks.map(part);
      items.push({
        type: 'function_call_result',
        name,
        callId: id,
        status: 'completed',
        output: typeof result.blocks === 'string' && !turn.odd ? shown(result) : output,
      });
    }
  }
  return items;
};

const spoke = (k, said = k.word()) => ({
  type: 'message',
  id: k.id('msg'),
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: said }],
});
const agentUser = (content) => ({ type: 'message', role: 'user', content });
const acts = (make) => (k) => [agentUser(k.word()), ...make(k), spoke(k)];
const agentPair = (call, output) =>
  acts((k) => {
    const callId = k.id('call');
    return [
      { ...call(k), callId },
      { ...output(k), callId },
    ];
  });
const agentCall = (k) => ({ type: 'function_call', id: k.id('fc'), name: 'read', status: 'completed', arguments: k.json() });
const agentResult = (make) =>
  agentPair(agentCall, (k) => ({ type: 'function_call_result', name: 'read', status: 'completed', output: make(k) }));
const hosted = (make) => acts((k) => make(k).map((data) => hostedItem(k, data)));
const hostedItem = (k, { id = k.id('h'), ...data }) => ({
  type: 'hosted_tool_call',
  id,
  name: data.type,
  status: 'completed',
  providerData: data,
});
const agentApproval = (approve) =>
  acts((k) => {
    const request = k.id('mcpr');
    const call = { server_label: 'crm', name: 'get', arguments: JSON.stringify({ query: k.text(20) }) };
    return [
      hostedItem(k, { type: 'mcp_approval_request', id: request, ...call }),
      hostedItem(k, { type: 'mcp_approval_response', approve, approval_request_id: request }),
      ...(approve ? [hostedItem(k, { type: 'mcp_call', ...call, output: k.text(), approval_request_id: request })] : []),
    ];
  });
const agentReasoning = (k) => ({
  type: 'reasoning',
  id: k.id('rs'),
  content: [{ type: 'input_text', text: k.text(40) }],
  providerData: { encrypted_content: k.base64() },
});
const agentTold = (make) => (k) => [agentUser([make(k), { type: 'input_text', text: k.word() }]), spoke(k)];
const agentSearch = agentPair(
  (k) => ({ type: 'tool_search_call', id: k.id('tsc'), execution: 'client', arguments: { query: k.word() }, status: 'completed' }),
  (k) => ({ type: 'tool_search_output', id: k.id('tso'), execution: 'client', status: 'completed', tools: foundTools(k) }),
);
const agentProgram = acts((k) => {
  const [program, callId] = [k.id('call'), k.id('call')];
  const caller = { type: 'program', callerId: program };
  return [
    { type: 'program', id: k.id('prog'), callId: program, code: k.text(60), fingerprint: k.base64(30) },
    { ...agentCall(k), callId, caller },
    { type: 'function_call_result', name: 'read', status: 'completed', callId, output: k.text(), caller },
    { type: 'program_output', id: k.id('po'), callId: program, output: k.text(), status: 'completed' },
  ];
});

/** Audio of the user and pictures of the model are for the SDK's other models: that for the Responses API throws. */
const withoutMedia = (item) =>
  Array.isArray(item.content)
    ? {
        ...item,
        content: item.content.map((part) =>
          part.type === 'audio'
            ? { type: 'input_text', text: 'audio' }
            : part.type === 'image'
              ? { type: 'output_text', text: 'picture' }
              : part,
        ),
      }
    : item;

export const openaiAgents = {
  name: 'openai-agents',
  say,
  async judge(items) {
    const [{ asResponses }, { answerResponses }, { refuse }] = await Promise.all([
      import('../support/agents-items.mjs'),
      import('../support/providers/openai-responses.mjs'),
      import('../support/providers/refusal.mjs'),
    ]);
    let input;
    try {
      input = asResponses(items.map(withoutMedia));
    } catch (error) {
      refuse(error.message);
    }
    answerResponses({ input });
  },
  // What it makes of hosted tools only the SDK knows.
  newer: /built-in tool call type|invalid action|"in_progress"/,
  system: (said) => ({ type: 'message', role: 'system', content: said }),
  plain: (k) => [agentUser(k.word()), spoke(k)],
  user: (k) => agentUser(k.word()),
  wordsOf: wordsOfItem,
  open(k) {
    const callId = k.id('call');
    return {
      messages: [agentUser(k.word()), { ...agentCall(k), callId }],
      close: (messages) => [...messages, { type: 'function_call_result', name: 'read', status: 'completed', callId, output: 'x' }],
    };
  },
  places: { agentsInMessage: ' in a message', agentsInResult: ' in an output' },
  kinds: {
    agents: {
      message: (k) => [agentUser(k.word()), spoke(k, k.text())],
      ...both(
        ['function_call', 'function_call_result'],
        agentResult((k) => k.text()),
      ),
      ...both(
        ['computer_call', 'computer_call_result'],
        agentPair(
          (k) => ({ type: 'computer_call', id: k.id('cu'), status: 'completed', action: { type: 'type', text: k.text(20) } }),
          (k) => ({ type: 'computer_call_result', output: { type: 'computer_screenshot', data: k.pngUrl() } }),
        ),
      ),
      ...both(
        ['shell_call', 'shell_call_output'],
        agentPair(
          (k) => ({ type: 'shell_call', id: k.id('sh'), status: 'completed', action: { commands: ['ls', k.word()] } }),
          (k) => ({ type: 'shell_call_output', output: [{ stdout: k.text(), stderr: '', outcome: { type: 'exit', exitCode: 0 } }] }),
        ),
      ),
      ...both(
        ['apply_patch_call', 'apply_patch_call_output'],
        agentPair(
          (k) => ({
            type: 'apply_patch_call',
            id: k.id('apc'),
            status: 'completed',
            operation: { type: 'update_file', path: 'a.ts', diff: k.text() },
          }),
          (k) => ({ type: 'apply_patch_call_output', status: 'completed', output: k.text(30) }),
        ),
      ),
      ...both(['tool_search_call', 'tool_search_output'], agentSearch),
      ...both(['program', 'program_output'], agentProgram),
      hosted_tool_call: hosted((k) => [{ type: 'web_search_call', action: { type: 'search', query: k.text(30) } }]),
      reasoning: acts((k) => [agentReasoning(k)]),
      compaction: acts((k) => [{ type: 'compaction', id: k.id('cmp'), encrypted_content: k.base64() }]),
      unknown: acts((k) => [{ type: 'unknown', id: k.id('cmp'), providerData: { type: 'compaction', encrypted_content: k.base64() } }]),
    },
    agentsInMessage: {
      input_text: (k) => [agentUser([{ type: 'input_text', text: k.text() }]), spoke(k)],
      input_image: agentTold((k) => ({ type: 'input_image', image: k.pngUrl() })),
      input_file: agentTold((k) => ({ type: 'input_file', file: `data:application/pdf;base64,${k.pdf()}`, filename: 'a.pdf' })),
      audio: agentTold((k) => ({ type: 'audio', audio: k.base64(), format: 'wav', transcript: k.text(20) })),
      output_text: (k) => [agentUser(k.word()), spoke(k, k.text())],
      refusal: (k) => [agentUser(k.word()), { ...spoke(k), content: [{ type: 'refusal', refusal: k.text() }] }],
      image: (k) => [agentUser(k.word()), { ...spoke(k), content: [{ type: 'image', image: k.pngUrl() }] }],
    },
    agentsInResult: {
      input_text: agentResult((k) => [{ type: 'input_text', text: k.text() }]),
      input_image: agentResult((k) => [{ type: 'input_image', image: k.pngUrl() }]),
      input_file: agentResult((k) => [{ type: 'input_file', file: `data:application/pdf;base64,${k.pdf()}`, filename: 'a.pdf' }]),
    },
    more: {
      'one text as output': agentResult((k) => ({ type: 'text', text: k.text() })),
      'one image as output': agentResult((k) => ({ type: 'image', image: k.pngUrl() })),
      'reasoning and two calls': acts((k) => {
        const [one, two] = [k.id('call'), k.id('call')];
        const result = { type: 'function_call_result', name: 'read', status: 'completed' };
        return [
          agentReasoning(k),
          { ...agentCall(k), callId: one },
          { ...agentCall(k), callId: two },
          { ...result, callId: one, output: k.text() },
          { ...result, callId: two, output: k.text() },
        ];
      }),
      'reasoning and a hosted search': acts((k) => [
        agentReasoning(k),
        hostedItem(k, { type: 'web_search_call', action: { type: 'search', query: k.word() } }),
      ]),
      mcp_call: hosted((k) => [{ type: 'mcp_call', server_label: 'crm', name: 'get', arguments: '{}', output: k.text() }]),
      mcp_list_tools: hosted((k) => [
        { type: 'mcp_list_tools', server_label: 'crm', tools: [{ name: 'get', description: k.text(60), input_schema: {} }] },
      ]),
      file_search_call: hosted((k) => [{ type: 'file_search_call', queries: [k.word()], results: [{ file_id: 'f', text: k.text() }] }]),
      code_interpreter_call: hosted((k) => [
        { type: 'code_interpreter_call', code: k.text(), container_id: 'c', outputs: [{ type: 'logs', logs: k.text() }] },
      ]),
      image_generation_call: hosted((k) => [{ type: 'image_generation_call', result: k.png() }]),
      approval: agentApproval(true),
      'approval that is refused': agentApproval(false),
    },
  },
  recognised: [
    { type: 'function_call', callId: 'a', name: 'f', arguments: '{}' },
    { type: 'function_call_result', callId: 'a', name: 'f', status: 'completed', output: 'x' },
    { type: 'hosted_tool_call', name: 'web_search_call' },
    { type: 'reasoning', content: [] },
    { type: 'reasoning', content: [], rawContent: [{ type: 'reasoning_text', text: 'x' }] },
    { type: 'shell_call', callId: 'a', action: { commands: [] } },
    { type: 'computer_call_result', callId: 'a', output: { type: 'computer_screenshot', data: IMAGE } },
    { type: 'compaction', encrypted_content: 'x', providerData: {} },
    { type: 'unknown', providerData: { type: 'item_reference', id: 'r' } },
    { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'x', providerData: {} }] },
    { role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'x' }], providerData: {} },
    { role: 'user', content: [{ type: 'input_image', image: `data:image/png;base64,${IMAGE}` }] },
    { role: 'user', content: [{ type: 'input_file', file: { id: 'f' } }] },
    { role: 'user', content: [{ type: 'audio', audio: IMAGE }] },
  ],
  tools: [
    [{ type: 'function', ...BASH, parameters, strict: true, invoke: () => '' }],
    [{ type: 'hosted_tool', name: 'web_search', providerData: { type: 'web_search' } }],
  ],
  refused: [
    [{ type: 'reasoning', content: 'text' }, 'content must be an array, got string'],
    [{ type: 'function_call', callId: 'a', name: 'f' }, 'arguments must be a string, got undefined'],
    [{ type: 'function_call_result', output: 'x' }, 'callId must be a string, got undefined'],
    [{ type: 'function_call_result', callId: 'a', output: { type: 'text' } }, 'output.text must be a string, got undefined'],
    [{ type: 'function_call_result', callId: 'a', output: null }, 'output must be an array, got null'],
  ],
  valid: () => [
    { type: 'message', role: 'system', content: 'Be brief.' },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'What is in a and b?' }] },
    { type: 'reasoning', id: 'rs_1', content: [], providerData: { encrypted_content: 'gAAA' } },
    { type: 'function_call', id: 'fc_1', callId: 'a', name: 'read', status: 'completed', arguments: '{"path":"a"}', providerData: {} },
    { type: 'function_call', id: 'fc_2', callId: 'b', name: 'read', status: 'completed', arguments: '{"path":"b"}', providerData: {} },
    { type: 'function_call_result', callId: 'b', name: 'read', status: 'completed', output: { type: 'text', text: '' } },
    { type: 'function_call_result', callId: 'a', name: 'read', status: 'completed', output: [{ type: 'input_text', text: 'A' }] },
    { type: 'message', role: 'assistant', id: 'msg_1', status: 'completed', content: [{ type: 'output_text', text: 'A.' }] },
    { role: 'user', content: 'Thanks.' },
  ],
  broken: {
    'function-name': [['[3].name', 'read file']],
    'call-id-length': [
      [
        '[3].callId',
        (m) => {
          m[3].callId = m[6].callId = 'c'.repeat(65);
        },
      ],
    ],
    'message-shape': [
      ['[3]', (m) => m.splice(3, 0, { type: 'function_call_output', call_id: 'a', output: 'A' })],
      ['[3]', (m) => m.splice(3, 0, { type: 'dream', id: 'dr_1' })],
    ],
    'unknown-role': [['[0].role', 'developer']],
    'content-shape': [
      ['[1].content[1].image', (m) => m[1].content.push({ type: 'input_image', image: true })],
      ['[7].content', 'A.'],
      ['[1].content[0].text', null],
    ],
    'duplicate-item': [['[7].id', 'rs_1']],
    'part-role': [
      ['[1].content[0]', put('[1].content[0].type', 'output_text')],
      ['[6].output[0]', put('[6].output[0].type', 'text')],
    ],
    'tool-call-shape': [
      ['[3].name', ''],
      ['[3].callId', (m) => m.splice(3, 0, { type: 'function_call', name: 'read', arguments: '{}' })],
    ],
    'arguments-not-object': [['[3].arguments', '[1]']],
    'duplicate-tool-call': [['[4]', (m) => m.splice(4, 0, { ...m[3], id: 'fc_3' })]],
    'tool-call-without-result': [['[3]', (m) => m.splice(6, 1)]],
    'tool-call-at-end': [['[3]', (m) => m.splice(6)]],
    'tool-result-shape': [
      ['[6].output', { text: 'A' }],
      ['[6].output', undefined],
      ['[5].callId', (m) => m.splice(5, 0, { type: 'function_call_result', output: 'A' })],
    ],
    'tool-result-without-call': [['[1]', (m) => m.splice(1, 0, { type: 'function_call_result', callId: 'x', output: 'X' })]],
    'duplicate-tool-result': [['[8]', (m) => m.splice(8, 0, { ...m[6] })]],
    'no-messages': [['', (m) => m.splice(0)]],
    'reasoning-without-item': [['[9]', (m) => m.push({ type: 'reasoning', id: 'rs_2', content: [] })]],
    'reasoning-summary': [['[2].content', undefined]],
    'too-many-images': [
      ['[1].content[501]', (m) => m[1].content.push(...many(501, (data) => ({ type: 'input_image', image: dataUrl(data) })))],
    ],
  },
  accepted: {
    'results behind a message': (m) => m.splice(5, 0, { role: 'user', content: 'Hurry.' }),
    'a compaction in place of what was before': (m) => m.splice(0, 7, { type: 'compaction', encrypted_content: 'gAAA' }),
    'an image alone as an output, and a message without a status': (m) => {
      m[5].output = { type: 'image', image: { data: 'aGk=', mediaType: 'image/png' } };
      delete m[7].status;
    },
  },
};
