// Items of OpenAI's Responses API: `describeProvider` says what each field is for.
import { both, user, foundTools, shown, BASH, parameters, many, put, wordsOfItem } from './draw.mjs';

const dataUrl = (data) => `data:image/png;base64,${data}`;

/** Writes a conversation that `dialogue` draws. */
const say = ({ system, turns }) => {
  const part =
    (kind) =>
    ({ text, image }) =>
      text === undefined ? { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${image}` } : { type: kind, text };
  const items = system === null ? [] : [{ role: 'developer', content: system }];
  let count = 0;
  for (const turn of turns) {
    if (turn.who === 'user') {
      items.push({
        type: 'message',
        role: 'user',
        content: turn.more.length > 0 ? [{ text: turn.text }, ...turn.more].map(part('input_text')) : turn.text,
      });
      continue;
    }
    if (turn.reasoning) {
      items.push({
        type: 'reasoning',
        id: `rs_${++count}`,
        summary: [{ type: 'summary_text', text: turn.reasoning.text }],
        ...(turn.reasoning.signed && { encrypted_content: 'gAAAA' }),
      });
    }
    if (turn.odd) items.push({ type: 'web_search_call', id: `ws_${++count}`, status: 'completed', action: { type: 'search', query: 'x' } });
    if (turn.text !== null)
      items.push({
        type: 'message',
        id: `msg_${++count}`,
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: turn.text, annotations: [] }],
      });
    turn.calls.forEach(({ id, name, args }, index) =>
      items.push(
        turn.odd && index === 1
          ? { type: 'custom_tool_call', call_id: id, name, input: 'free form' }
          : { type: 'function_call', call_id: id, name, arguments: JSON.stringify(args) },
      ),
    );
    turn.calls.forEach(({ id, result, answered: done }, index) => {
      const output = typeof result.blocks === 'string' ? shown(result) : result.blocks.map(part('input_text'));
      if (done) items.push({ type: turn.odd && index === 1 ? 'custom_tool_call_output' : 'function_call_output', call_id: id, output });
    });
  }
  return items;
};

const answered = (k, said = k.word()) => ({
  type: 'message',
  id: k.id('msg'),
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: said, annotations: [] }],
});
const items = (make) => (k) => [user(k.word()), ...make(k), answered(k)];
const told = (make) => (k) => [{ type: 'message', role: 'user', content: [make(k), { type: 'input_text', text: k.word() }] }, answered(k)];
const pairOf = (call, output) =>
  items((k) => {
    const id = k.id('call');
    return [
      { ...call(k), call_id: id },
      { ...output(k), call_id: id },
    ];
  });
const functionCall = (k) => ({ type: 'function_call', id: k.id('fc'), name: 'read', arguments: k.json(), status: 'completed' });
const functionOutput = (make) => pairOf(functionCall, (k) => ({ type: 'function_call_output', output: make(k) }));
const reasoning = (k) => ({
  type: 'reasoning',
  id: k.id('rs'),
  summary: [{ type: 'summary_text', text: k.text(40) }],
  encrypted_content: k.base64(),
});
const computer = pairOf(
  (k) => ({
    type: 'computer_call',
    id: k.id('cu'),
    action: { type: 'type', text: k.text(20) },
    pending_safety_checks: [],
    status: 'completed',
  }),
  (k) => ({ type: 'computer_call_output', output: { type: 'computer_screenshot', image_url: k.pngUrl() } }),
);
const localShell = items((k) => {
  const [id, call_id] = [k.id('ls'), k.id('call')];
  return [
    { type: 'local_shell_call', id, call_id, action: { type: 'exec', command: ['cat', k.word()], env: {} }, status: 'completed' },
    { type: 'local_shell_call_output', ...k.random.pick([{ id: call_id }, { id: k.id('lso'), call_id }]), output: k.text() },
  ];
});
const shell = pairOf(
  (k) => ({ type: 'shell_call', id: k.id('sh'), action: { commands: ['ls', k.word()] }, status: 'completed' }),
  (k) => ({
    type: 'shell_call_output',
    output: [{ stdout: k.random.pick([k.text(), '']), stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
  }),
);
const patch = pairOf(
  (k) => ({
    type: 'apply_patch_call',
    id: k.id('apc'),
    operation: { type: 'update_file', path: 'a.ts', diff: k.text() },
    status: 'completed',
  }),
  (k) => ({ type: 'apply_patch_call_output', status: 'completed', output: k.text(30) }),
);
const toolSearch = pairOf(
  (k) => ({ type: 'tool_search_call', id: k.id('tsc'), execution: 'client', arguments: { query: k.word() }, status: 'completed' }),
  (k) => ({ type: 'tool_search_output', execution: 'client', status: 'completed', tools: foundTools(k) }),
);
const mcpCall = (k, more = {}) => ({
  type: 'mcp_call',
  id: k.id('mcp'),
  server_label: 'crm',
  name: 'get',
  status: 'completed',
  arguments: JSON.stringify({ query: k.text(20) }),
  output: k.text(),
  ...more,
});
const approval = (approve) => (k) => {
  const request = k.id('mcpr');
  return [
    user(k.word()),
    { type: 'mcp_approval_request', id: request, server_label: 'crm', name: 'get', arguments: JSON.stringify({ query: k.text(20) }) },
    { type: 'mcp_approval_response', approval_request_id: request, approve },
    ...(approve ? [mcpCall(k, { approval_request_id: request })] : []),
    answered(k),
  ];
};
const program = items((k) => {
  const [id, call_id] = [k.id('call'), k.id('call')];
  const caller = { type: 'program', caller_id: id };
  return [
    { type: 'program', id: k.id('prog'), call_id: id, code: k.text(60), fingerprint: k.base64(30) },
    { ...functionCall(k), call_id, caller },
    { type: 'function_call_output', call_id, output: k.text(), caller },
    { type: 'program_output', id: k.id('po'), call_id: id, result: k.text(), status: 'completed' },
  ];
});
const image = (k) => ({ type: 'input_image', detail: 'auto', image_url: k.pngUrl() });
const file = (k) => ({ type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${k.pdf()}` });

export const openaiResponses = {
  name: 'openai-responses',
  say,
  judge: async (input) => (await import('../support/providers/openai-responses.mjs')).answerResponses({ input }),
  newer: /'(dream|summary_text|search)'|action\.command/,
  system: (said) => ({ role: 'developer', content: said }),
  plain: (k) => [user(k.word()), answered(k)],
  user: (k) => user(k.word()),
  wordsOf: wordsOfItem,
  open(k) {
    const call_id = k.id('call');
    return {
      messages: [user(k.word()), { ...functionCall(k), call_id }],
      close: (messages) => [...messages, { type: 'function_call_output', call_id, output: 'x' }],
    };
  },
  opens: {
    'an approval': (k) => {
      const request = k.id('mcpr');
      return {
        messages: [user(k.word()), { type: 'mcp_approval_request', id: request, server_label: 'crm', name: 'get', arguments: '{}' }],
        close: (messages) => [...messages, { type: 'mcp_approval_response', approval_request_id: request, approve: true }],
      };
    },
    'a computer': (k) => {
      const call_id = k.id('call');
      const call = {
        type: 'computer_call',
        id: k.id('cu'),
        call_id,
        action: { type: 'screenshot' },
        pending_safety_checks: [],
        status: 'completed',
      };
      const output = { type: 'computer_screenshot', image_url: k.pngUrl() };
      return {
        messages: [user(k.word()), reasoning(k), call],
        close: (messages) => [...messages, { type: 'computer_call_output', call_id, output }],
      };
    },
    'calls of a program': (k) => {
      const [id, call_id] = [k.id('call'), k.id('call')];
      const caller = { type: 'program', caller_id: id };
      return {
        messages: [
          user(k.word()),
          { type: 'program', id: k.id('prog'), call_id: id, code: k.text(60), fingerprint: k.base64(30) },
          { ...functionCall(k), call_id, caller },
        ],
        close: (messages) => [
          ...messages,
          { type: 'function_call_output', call_id, output: 'x', caller },
          { type: 'program_output', id: 'po', call_id: id, result: 'x', status: 'completed' },
        ],
      };
    },
  },
  places: { responsesInMessage: ' in a message', responsesInOutput: ' in an output' },
  kinds: {
    responses: {
      message: (k) => [user(k.word()), answered(k, k.text())],
      ...both(
        ['function_call', 'function_call_output'],
        functionOutput((k) => k.text()),
      ),
      ...both(
        ['custom_tool_call', 'custom_tool_call_output'],
        pairOf(
          (k) => ({ type: 'custom_tool_call', id: k.id('ctc'), name: 'patch', input: k.text() }),
          (k) => ({ type: 'custom_tool_call_output', output: k.text() }),
        ),
      ),
      ...both(['computer_call', 'computer_call_output'], computer),
      ...both(['local_shell_call', 'local_shell_call_output'], localShell),
      ...both(['shell_call', 'shell_call_output'], shell),
      ...both(['apply_patch_call', 'apply_patch_call_output'], patch),
      ...both(['tool_search_call', 'tool_search_output'], toolSearch),
      ...both(['mcp_approval_request', 'mcp_approval_response'], approval(true)),
      mcp_call: items((k) => [mcpCall(k)]),
      mcp_list_tools: items((k) => [
        {
          type: 'mcp_list_tools',
          id: k.id('mcpl'),
          server_label: 'crm',
          tools: [{ name: 'get', description: k.text(60), input_schema: {} }],
        },
      ]),
      web_search_call: items((k) => [
        { type: 'web_search_call', id: k.id('ws'), status: 'completed', action: { type: 'search', query: k.text(30) } },
      ]),
      file_search_call: items((k) => [
        {
          type: 'file_search_call',
          id: k.id('fs'),
          status: 'completed',
          queries: [k.word()],
          results: k.random.pick([[{ file_id: 'f', filename: 'a.md', score: 1, text: k.text(), attributes: {} }], null]),
        },
      ]),
      code_interpreter_call: items((k) => [
        {
          type: 'code_interpreter_call',
          id: k.id('ci'),
          container_id: 'c',
          status: 'completed',
          code: k.text(),
          outputs: k.random.pick([[{ type: 'logs', logs: k.text() }], [{ type: 'image', url: 'https://example.org/a.png' }], [], null]),
        },
      ]),
      image_generation_call: items((k) => [{ type: 'image_generation_call', id: k.id('ig'), status: 'completed', result: k.png() }]),
      reasoning: items((k) => [reasoning(k)]),
      compaction: items((k) => [{ type: 'compaction', id: k.id('cmp'), encrypted_content: k.base64() }]),
      compaction_trigger: items(() => [{ type: 'compaction_trigger' }]),
      configuration_update: items(() => [{ type: 'configuration_update', reasoning: { effort: 'high' } }]),
      item_reference: items((k) => [{ type: 'item_reference', id: k.id('msg') }]),
      ...both(['program', 'program_output'], program),
      additional_tools: items((k) => [{ type: 'additional_tools', role: 'developer', tools: foundTools(k) }]),
    },
    responsesInMessage: {
      input_text: (k) => [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: k.text() }] }, answered(k)],
      input_image: told(image),
      input_file: told(file),
      output_text: (k) => [user(k.word()), answered(k, k.text())],
      refusal: (k) => [
        user(k.word()),
        { type: 'message', id: k.id('msg'), role: 'assistant', status: 'completed', content: [{ type: 'refusal', refusal: k.text() }] },
      ],
    },
    responsesInOutput: {
      input_text: functionOutput((k) => [{ type: 'input_text', text: k.text() }]),
      input_image: functionOutput((k) => [image(k), { type: 'input_text', text: k.text() }]),
      input_file: functionOutput((k) => [file(k)]),
    },
    more: {
      'reasoning and a call': items((k) => {
        const call_id = k.id('call');
        return [reasoning(k), { ...functionCall(k), call_id }, { type: 'function_call_output', call_id, output: k.text() }];
      }),
      'reasoning and two calls': items((k) => {
        const [one, two] = [k.id('call'), k.id('call')];
        return [
          reasoning(k),
          { ...functionCall(k), call_id: one },
          { ...functionCall(k), call_id: two },
          { type: 'function_call_output', call_id: one, output: k.text() },
          { type: 'function_call_output', call_id: two, output: k.text() },
        ];
      }),
      'reasoning and a search': items((k) => [
        reasoning(k),
        { type: 'web_search_call', id: k.id('ws'), status: 'completed', action: { type: 'search', query: k.word() } },
      ]),
      'reasoning between searches': items((k) => [
        reasoning(k),
        { type: 'web_search_call', id: k.id('ws'), status: 'completed', action: { type: 'search', query: k.word() } },
        reasoning(k),
        mcpCall(k),
        reasoning(k),
      ]),
      'approval that is refused': approval(false),
      'search for tools by the provider': items((k) => [
        {
          type: 'tool_search_call',
          id: k.id('tsc'),
          execution: 'server',
          call_id: null,
          arguments: { paths: ['crm'] },
          status: 'completed',
        },
        { type: 'tool_search_output', id: k.id('tso'), execution: 'server', call_id: null, status: 'completed', tools: foundTools(k) },
      ]),
      'failed mcp_call': items((k) => [mcpCall(k, { output: null, error: { type: 'mcp_tool_execution_error', content: [] } })]),
    },
  },
  recognised: [
    { type: 'message', role: 'user', content: 'x' },
    { role: 'user', content: [{ type: 'input_text', text: 'x' }] },
    { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
    { type: 'function_call_output', call_id: 'a', output: 'x' },
    { type: 'reasoning', id: 'r', summary: [] },
    { type: 'item_reference', id: 'r' },
    { type: 'compaction', encrypted_content: 'x' },
    { type: 'local_shell_call', call_id: 'a' },
    { type: 'shell_call', call_id: 'a', action: { commands: [] } },
    { type: 'web_search_call', id: 'ws', status: 'completed' },
    { type: 'message', role: 'developer', content: 'x' },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'x', annotations: [] }] },
    { role: 'user', content: [{ type: 'input_image', image_url: 'https://example.org/a.png' }] },
    { role: 'user', content: [{ type: 'input_file', file_id: 'f' }] },
  ],
  tools: [[{ type: 'function', ...BASH, parameters, strict: true }], [{ type: 'web_search' }], [{ type: 'custom', ...BASH }]],
  instructions: [[{ type: 'input_text', text: 'Be kind.' }]],
  refused: [
    [{ type: 'reasoning', id: 'rs', summary: 'text' }, 'summary must be an array, got string'],
    [{ type: 'function_call', call_id: 'a', name: 'f' }, 'arguments must be a string, got undefined'],
    [{ type: 'function_call_output', output: 'x' }, 'call_id must be a string, got undefined'],
    [{ role: 'user', content: [{ type: 'input_text', text: null }] }, 'content[0].text must be a string, got null'],
  ],
  unknown: { name: 'item of type hologram', said: (part) => ({ id: 'h1', ...part }) },
  valid: () => [
    { role: 'developer', content: 'Be brief.' },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'What is in a and b?' }] },
    { type: 'reasoning', id: 'rs_1', summary: [] },
    { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'read', arguments: '{"path":"a"}' },
    { type: 'custom_tool_call', call_id: 'b', name: 'patch', input: '***' },
    { type: 'custom_tool_call_output', call_id: 'b', output: '' },
    { type: 'function_call_output', call_id: 'a', output: [{ type: 'input_text', text: 'A' }] },
    { type: 'message', role: 'assistant', id: 'msg_1', content: [{ type: 'output_text', text: 'A.', annotations: [] }] },
    { role: 'user', content: 'Thanks.' },
  ],
  broken: {
    'message-shape': [
      ['[1]', 'What?'],
      ['[1]', { type: 'text', text: 'What?' }],
    ],
    'unknown-role': [['[8].role', 'tool']],
    'duplicate-item': [['[7].id', 'rs_1']],
    'content-shape': [
      ['[8].content', undefined],
      ['[1].content[0]', 'What?'],
      ['[7].content[0].text', null],
    ],
    'part-role': [['[7].content[0]', put('[7].content[0].type', 'input_text')]],
    'function-name': [
      ['[3].name', 'read file'],
      ['[4].name', 'p'.repeat(65)],
    ],
    'call-id-length': [
      [
        '[3].call_id',
        (m) => {
          m[3].call_id = m[6].call_id = 'c'.repeat(65);
        },
      ],
    ],
    'tool-call-shape': [
      ['[3].name', ''],
      ['[3].call_id', (m) => m.splice(3, 0, { type: 'function_call', name: 'read', arguments: '{}' })],
      ['[4].input', undefined],
    ],
    'arguments-not-object': [['[3].arguments', '[1]']],
    'duplicate-tool-call': [['[4]', (m) => m.splice(4, 0, { ...m[3], id: 'fc_2' })]],
    'tool-call-without-result': [['[3]', (m) => m.splice(6, 1)]],
    'tool-call-at-end': [['[3]', (m) => m.splice(6)]],
    'tool-result-shape': [
      ['[6].output', { text: 'A' }],
      ['[5].call_id', (m) => m.splice(5, 0, { type: 'function_call_output', output: 'A' })],
    ],
    'tool-result-without-call': [['[1]', (m) => m.splice(1, 0, { type: 'function_call_output', call_id: 'x', output: 'X' })]],
    'duplicate-tool-result': [['[8]', (m) => m.splice(8, 0, { ...m[6] })]],
    'reasoning-without-item': [
      ['[9]', (m) => m.push({ type: 'reasoning', id: 'rs_2', summary: [] })],
      ['[7]', (m) => m.splice(7, 1, { type: 'reasoning', id: 'rs_2', summary: [] })],
      ['[2]', (m) => m.splice(3, 0, { type: 'mcp_approval_response', approval_request_id: 'q', approve: true })],
    ],
    'reasoning-summary': [['[2].summary', undefined]],
    'too-many-images': [
      [
        '[1].content[501]',
        (m) => m[1].content.push(...many(501, (data) => ({ type: 'input_image', detail: 'auto', image_url: dataUrl(data) }))),
      ],
    ],
    'no-messages': [['', (m) => m.splice(0)]],
  },
  accepted: {
    'reasoning that the user interrupted': (m) =>
      m.push({ type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'gAAA' }, { role: 'user', content: '<turn_aborted>' }),
    'the longest id and name of a call': (m) => {
      m[3].call_id = m[6].call_id = 'c'.repeat(64);
      m[3].name = 'n'.repeat(64);
    },
    'results behind a message': (m) => m.splice(5, 0, { role: 'user', content: 'Hurry.' }),
    'a reasoning item that led to another': (m) =>
      m.splice(3, 0, { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'gAAA' }),
    'a compaction in place of what was before': (m) => m.splice(0, 7, { type: 'compaction', encrypted_content: 'gAAA' }),
    'an item of a type to come': (m) => m.splice(3, 0, { type: 'dream', id: 'dr_1' }),
    'a local shell call, which its output names by id': (m) =>
      m.splice(
        7,
        0,
        { type: 'local_shell_call', id: 'lsh_1', call_id: 'sh', action: {} },
        { type: 'local_shell_call_output', id: 'sh', output: '' },
      ),
  },
};
