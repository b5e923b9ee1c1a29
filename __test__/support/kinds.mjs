// Everything that a message can hold, in every format: for each kind an exchange, from the user's words to the answer, that has one of it.
//
// The lists are named as in `__test__/types/kinds.mts`, which reads their names from the SDKs' declarations; `more` has what no type names.
// `plain` is an exchange of words alone. `open` and the `opens` wait for something: `close` adds it, for the provider to accept them.
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { Random } from './random.mjs';

const LEXICON =
  'queue worker invoice lock backup retry commit schema latency index cursor migrate tenant shard replica token cache parser socket deploy'.split(
    ' ',
  );

/** What makers draw from: texts, ids and data that no other exchange has. */
export class Draw {
  /**
   * @param {Random} random what chooses
   * @param {number} number of the exchange
   * @param {{ words?: number, bytes?: number }} [sizes] of each text, by default drawn; of what is encrypted and of files
   */
  constructor(random, number, { words, bytes = 300 } = {}) {
    Object.assign(this, { random, number, words, bytes });
    this.ids = 0;
    // Texts draw from their own, so that choices are the same whatever their sizes.
    this.letters = new Random(random.integer(0, 2 ** 31));
    /** The texts that were drawn, and what is no text. */
    this.texts = [];
    this.data = [];
  }

  id(prefix) {
    return `${prefix}_${this.number}_${++this.ids}`;
  }

  drew(list, value) {
    this[list].push(value);
    return value;
  }

  /** Some lines of words. */
  text(most = 240) {
    const drawn = this.random.integer(1, this.random.pick([8, 60, most]));
    const length = this.words ?? drawn;
    const words = Array.from(
      { length },
      (_, at) => `${this.letters.pick(LEXICON)}-${this.letters.integer(0, 997)}${at % 12 === 11 ? '.\n' : ''}`,
    );
    // The last words of a model may not end in a blank.
    return this.drew('texts', `(${this.number}) ${words.join(' ')}`.trimEnd());
  }

  /** A few words of the user's or the model's. */
  word() {
    return `${this.random.pick(['Why', 'Where', 'And', 'Look at', 'Then'])} ${this.random.pick(LEXICON)} ${this.number}.${++this.ids}`;
  }

  json() {
    return JSON.stringify({ path: `src/${this.id('file')}.ts`, content: this.text(80) });
  }

  /** Random bytes: what is encrypted, or a file. */
  base64(length = this.bytes) {
    return this.drew('data', this.random64(length));
  }

  random64(length) {
    let bytes = '';
    while (bytes.length < length) bytes += String.fromCharCode(this.letters.integer(0, 255));
    return Buffer.from(bytes, 'latin1').toString('base64');
  }

  png() {
    const bytes = Buffer.alloc(64);
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(bytes);
    bytes.writeUInt32BE(800, 16);
    bytes.writeUInt32BE(600, 20);
    bytes.writeUInt16BE(0x0806, 24);
    bytes.writeUInt32BE(this.number, 40);
    return this.drew('data', bytes.toString('base64'));
  }

  pngUrl() {
    return `data:image/png;base64,${this.png()}`;
  }

  pdf() {
    return this.drew('data', Buffer.from(`%PDF-1.4\n${this.random64(this.bytes)}\n/Type /Page \n%%EOF`).toString('base64'));
  }
}

const text = (value) => ({ type: 'text', text: value });
/** What a tool gave that ran at Anthropic or Google, as the AI SDK keeps it. */
const hostedOutput = (k) =>
  k.random.pick([
    () => ({ type: 'code_execution_result', stdout: k.text(), stderr: k.random.pick(['', k.text(20)]), return_code: 0, content: [] }),
    () => [text(k.text()), text(k.text(20))],
    () => ({
      type: 'web_fetch_result',
      url: 'https://example.org',
      content: { type: 'document', title: k.word(), source: { type: 'text', mediaType: 'text/plain', data: k.text() } },
    }),
    () => ({ outcome: 'OUTCOME_OK', output: k.text() }),
  ])();
/** An entry for each of several names that come together. */
const both = (names, make) => Object.fromEntries(names.map((name) => [name, make]));

// ---- Anthropic ----------------------------------------------------------------------------------------------------

const user = (content) => ({ role: 'user', content });
const model = (content) => ({ role: 'assistant', content });
/** An exchange with blocks of the assistant's before its last words. */
const claudeSays = (make) => (k) => [user(k.word()), model([...make(k), text(k.word())])];
const claudeIsTold = (make) => (k) => [user([...make(k), text(k.word())]), model([text(k.word())])];
const claudeGets =
  (make, name = 'look') =>
  (k) => {
    const id = k.id('toolu');
    return [
      user(k.word()),
      model([{ type: 'tool_use', id, name, input: { query: k.text(30) } }]),
      user([{ type: 'tool_result', tool_use_id: id, ...make(k) }]),
      model([text(k.word())]),
    ];
  };
const serverTool = (name, type, content, input = (k) => ({ query: k.text(30) })) =>
  claudeSays((k) => {
    const id = k.id('srvtoolu');
    return [
      { type: 'server_tool_use', id, name, input: input(k) },
      { type, tool_use_id: id, content: content(k) },
    ];
  });
const webSearch = serverTool('web_search', 'web_search_tool_result', (k) => [
  { type: 'web_search_result', url: 'https://example.org', title: k.word(), encrypted_content: k.base64(), page_age: null },
]);
const mcp = claudeSays((k) => {
  const id = k.id('mcptoolu');
  return [
    { type: 'mcp_tool_use', id, name: 'get', server_name: 'crm', input: { query: k.text(20) } },
    { type: 'mcp_tool_result', tool_use_id: id, is_error: k.random.chance(0.2), content: [text(k.text())] },
  ];
});
const codeExecution = serverTool(
  'code_execution',
  'code_execution_tool_result',
  (k) => ({ type: 'code_execution_result', stdout: k.text(), stderr: '', return_code: k.random.pick([0, 1]), content: [] }),
  (k) => ({ code: k.text(60) }),
);
const textDocument = (k) => ({ type: 'document', source: { type: 'text', media_type: 'text/plain', data: k.text() }, title: k.word() });
const documentOfBlocks = (k) => ({
  type: 'document',
  source: { type: 'content', content: k.random.pick([[text(k.text()), text(k.text(20))], k.text()]) },
  title: k.word(),
  context: k.text(20),
});
const pdfDocument = (k) => ({
  type: 'document',
  source: { type: 'base64', media_type: 'application/pdf', data: k.pdf() },
  title: null,
});
const claudeImage = (k) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: k.png() } });
const searchResult = (k) => ({ type: 'search_result', source: 'https://example.org', title: k.word(), content: [text(k.text())] });
const systemChange = (type, tool) => (k) => [
  user(k.word()),
  { role: 'system', content: [{ type, tool: { type: 'tool_reference', name: tool } }] },
  model([text(k.word())]),
];

const anthropic = {
  plain: (k) => [user(k.word()), model([text(k.word())])],
  user: (k) => user(k.word()),
  wordsOf: ({ role, content }) =>
    role !== 'user'
      ? []
      : typeof content === 'string'
        ? [content]
        : content.filter((block) => block.type === 'text').map((block) => block.text),
  open(k) {
    const id = k.id('toolu');
    return {
      messages: [user(k.word()), model([{ type: 'tool_use', id, name: 'read', input: {} }])],
      close: (messages) => [...messages, user([{ type: 'tool_result', tool_use_id: id, content: 'x' }])],
    };
  },
  opens: {
    'calls of a program': (k) => {
      const [code, id] = [k.id('srvtoolu'), k.id('toolu')];
      const result = { type: 'code_execution_result', stdout: 'x', stderr: '', return_code: 0, content: [] };
      return {
        messages: [
          user(k.word()),
          model([
            { type: 'server_tool_use', id: code, name: 'code_execution', input: { code: k.text(40) } },
            { type: 'tool_use', id, name: 'query', input: { sql: 'x' }, caller: { type: 'code_execution_20250825', tool_id: code } },
          ]),
        ],
        close: (messages) => [
          ...messages,
          user([{ type: 'tool_result', tool_use_id: id, content: 'x' }]),
          model([{ type: 'code_execution_tool_result', tool_use_id: code, content: result }, text('Done.')]),
        ],
      };
    },
  },
  /** Where the kinds of a list stand, for the docs. */
  places: { anthropicInResult: ' in a result' },
  kinds: {
    anthropic: {
      text: (k) => [user(k.word()), model([text(k.text())])],
      image: claudeIsTold((k) => [claudeImage(k)]),
      document: claudeIsTold((k) => [textDocument(k)]),
      search_result: claudeIsTold((k) => [searchResult(k)]),
      thinking: claudeSays((k) => [{ type: 'thinking', thinking: k.text(), signature: k.base64(60) }]),
      redacted_thinking: claudeSays((k) => [{ type: 'redacted_thinking', data: k.base64() }]),
      ...both(
        ['tool_use', 'tool_result'],
        claudeGets((k) => ({ content: k.text(), ...(k.random.chance(0.2) && { is_error: true }) })),
      ),
      ...both(['server_tool_use', 'web_search_tool_result'], webSearch),
      web_fetch_tool_result: serverTool('web_fetch', 'web_fetch_tool_result', (k) => ({
        type: 'web_fetch_result',
        url: 'https://example.org',
        retrieved_at: null,
        content: textDocument(k),
      })),
      advisor_tool_result: serverTool(
        'advisor',
        'advisor_tool_result',
        (k) => ({ type: 'advisor_result', text: k.text() }),
        () => ({}),
      ),
      code_execution_tool_result: codeExecution,
      bash_code_execution_tool_result: serverTool('bash_code_execution', 'bash_code_execution_tool_result', (k) => ({
        type: 'bash_code_execution_result',
        stdout: k.text(),
        stderr: k.random.pick(['', k.text(20)]),
        return_code: 0,
        content: [{ type: 'bash_code_execution_output', file_id: k.id('file') }],
      })),
      text_editor_code_execution_tool_result: serverTool('text_editor_code_execution', 'text_editor_code_execution_tool_result', (k) => ({
        type: 'text_editor_code_execution_view_result',
        file_type: 'text',
        content: k.text(),
        num_lines: 3,
        start_line: 1,
        total_lines: 3,
      })),
      tool_search_tool_result: serverTool('tool_search_tool_regex', 'tool_search_tool_result', (k) => ({
        type: 'tool_search_tool_search_result',
        tool_references: [{ type: 'tool_reference', tool_name: k.id('tool') }],
      })),
      ...both(['mcp_tool_use', 'mcp_tool_result'], mcp),
      container_upload: claudeIsTold((k) => [{ type: 'container_upload', file_id: k.id('file') }]),
      compaction: claudeSays((k) => [{ type: 'compaction', content: k.text() }]),
      tool_addition: systemChange('tool_addition', 'look'),
      tool_removal: systemChange('tool_removal', 'look'),
      mcp_tool_listing: claudeSays((k) => [
        {
          type: 'mcp_tool_listing',
          mcp_server_name: 'crm',
          tools: [{ name: 'get', description: k.text(40), input_schema: { type: 'object' } }],
        },
      ]),
      fallback: claudeSays((k) => [
        { type: 'thinking', thinking: k.text(40), signature: k.base64(60) },
        { type: 'fallback', from: { model: 'a' }, to: { model: 'b' } },
        { type: 'thinking', thinking: k.text(40), signature: k.base64(60) },
      ]),
    },
    anthropicInResult: {
      text: claudeGets((k) => ({ content: [text(k.text()), text(k.text(30))] })),
      image: claudeGets((k) => ({ content: [claudeImage(k)] })),
      document: claudeGets((k) => ({ content: [textDocument(k)] })),
      search_result: claudeGets((k) => ({ content: [searchResult(k), searchResult(k)] })),
      tool_reference: claudeGets((k) => ({ content: [{ type: 'tool_reference', tool_name: k.id('tool') }] }), 'find_tools'),
      browser_state: claudeGets((k) => ({
        content: [text(k.text()), { type: 'browser_state', tabs: [{ id: 1, title: k.word(), url: 'https://example.org', active: true }] }],
      })),
    },
    more: {
      'failed compaction': claudeSays(() => [{ type: 'compaction', content: null }]),
      'document (PDF)': claudeIsTold((k) => [pdfDocument(k)]),
      'document of blocks': claudeIsTold((k) => [documentOfBlocks(k)]),
      'document with citations': claudeIsTold((k) => [{ ...textDocument(k), citations: { enabled: true } }]),
      'document of blocks in a result': claudeGets((k) => ({ content: [documentOfBlocks(k), text(k.text(20))] })),
      'web_fetch_tool_result (PDF)': serverTool('web_fetch', 'web_fetch_tool_result', (k) => ({
        type: 'web_fetch_result',
        url: 'https://example.org',
        retrieved_at: null,
        content: pdfDocument(k),
      })),
      'programmatic calls': (k) => {
        const [code, id] = [k.id('srvtoolu'), k.id('toolu')];
        return [
          user(k.word()),
          model([
            { type: 'server_tool_use', id: code, name: 'code_execution', input: { code: k.text(40) } },
            { type: 'tool_use', id, name: 'query', input: { sql: k.text(20) }, caller: { type: 'code_execution_20250825', tool_id: code } },
          ]),
          user([{ type: 'tool_result', tool_use_id: id, content: k.text() }]),
          model([
            {
              type: 'code_execution_tool_result',
              tool_use_id: code,
              content: { type: 'code_execution_result', stdout: k.text(), stderr: '', return_code: 0, content: [] },
            },
            text(k.word()),
          ]),
        ];
      },
      'failed search': serverTool('web_search', 'web_search_tool_result', () => ({
        type: 'web_search_tool_result_error',
        error_code: 'max_uses_exceeded',
      })),
      'search beside a call': (k) => {
        const [search, id] = [k.id('srvtoolu'), k.id('toolu')];
        return [
          user(k.word()),
          model([
            { type: 'server_tool_use', id: search, name: 'web_search', input: { query: 'x' } },
            {
              type: 'web_search_tool_result',
              tool_use_id: search,
              content: [
                { type: 'web_search_result', url: 'https://example.org', title: 't', encrypted_content: k.base64(), page_age: null },
              ],
            },
            text(k.word()),
            { type: 'tool_use', id, name: 'read', input: { path: 'a.ts' } },
          ]),
          user([{ type: 'tool_result', tool_use_id: id, content: k.text() }]),
          model([text(k.word())]),
        ];
      },
      'signed thinking and a call': (k) => {
        const id = k.id('toolu');
        return [
          user(k.word()),
          model([
            { type: 'thinking', thinking: k.text(), signature: k.base64(60) },
            { type: 'tool_use', id, name: 'read', input: { path: k.id('path') } },
          ]),
          user([{ type: 'tool_result', tool_use_id: id, content: k.text() }]),
          model([text(k.word())]),
        ];
      },
    },
  },
};

// ---- OpenAI Responses ---------------------------------------------------------------------------------------------

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
const foundTools = (k) =>
  Array.from({ length: k.random.integer(1, 4) }, () => ({
    type: 'function',
    name: k.id('tool'),
    description: k.text(40),
    parameters: { type: 'object', properties: {} },
    strict: false,
  }));
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

const responses = {
  system: (said) => ({ role: 'developer', content: said }),
  plain: (k) => [user(k.word()), answered(k)],
  user: (k) => user(k.word()),
  wordsOf: ({ type, role, content }) =>
    role !== 'user' || (type ?? 'message') !== 'message'
      ? []
      : typeof content === 'string'
        ? [content]
        : content.filter((part) => part.type === 'input_text').map((part) => part.text),
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
};

// ---- OpenAI Agents SDK --------------------------------------------------------------------------------------------

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

const agents = {
  system: (said) => ({ type: 'message', role: 'system', content: said }),
  plain: (k) => [agentUser(k.word()), spoke(k)],
  user: (k) => agentUser(k.word()),
  wordsOf: responses.wordsOf,
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
};

// ---- Chat completions ---------------------------------------------------------------------------------------------

const chats = (make) => (k) => [user(k.word()), ...make(k), model(k.word())];
const chatCall = (k, call, result) => {
  const id = k.id('call');
  return [
    { role: 'assistant', content: null, tool_calls: [{ id, ...call }] },
    { role: 'tool', tool_call_id: id, content: result },
  ];
};
const readCall = (k) => ({ type: 'function', function: { name: 'read', arguments: k.json() } });
const chatTold = (make) => (k) => [user([make(k), text(k.word())]), model(k.word())];
const legacy = chats((k) => [
  { role: 'assistant', content: null, function_call: { name: 'look', arguments: k.json() } },
  { role: 'function', name: 'look', content: k.text() },
]);
const toolTurn = chats((k) => chatCall(k, readCall(k), k.text()));

const chat = {
  system: (said) => ({ role: 'system', content: said }),
  plain: (k) => [user(k.word()), model(k.word())],
  user: (k) => user(k.word()),
  wordsOf: anthropic.wordsOf,
  open(k) {
    const id = k.id('call');
    return {
      messages: [user(k.word()), { role: 'assistant', content: null, tool_calls: [{ id, ...readCall(k) }] }],
      close: (messages) => [...messages, { role: 'tool', tool_call_id: id, content: 'x' }],
    };
  },
  places: { chatRoles: ' message', chatInMessage: ' part', chatCalls: ' call' },
  kinds: {
    chatRoles: {
      user: (k) => [user(k.text()), model(k.word())],
      assistant: (k) => [user(k.word()), model(k.text())],
      tool: toolTurn,
      function: legacy,
      system: (k) => [user(k.word()), { role: 'system', content: k.word() }, model(k.word())],
      developer: (k) => [user(k.word()), { role: 'developer', content: k.word() }, model(k.word())],
    },
    chatInMessage: {
      text: chatTold((k) => text(k.text())),
      image_url: chatTold((k) => ({ type: 'image_url', image_url: { url: k.pngUrl() } })),
      input_audio: chatTold((k) => ({ type: 'input_audio', input_audio: { data: k.base64(), format: 'wav' } })),
      file: chatTold((k) => ({ type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${k.pdf()}` } })),
      refusal: (k) => [user(k.word()), model([{ type: 'refusal', refusal: k.text() }])],
    },
    chatCalls: {
      function: toolTurn,
      custom: chats((k) => chatCall(k, { type: 'custom', custom: { name: 'patch', input: k.text() } }, [text(k.text())])),
    },
    chatOfAssistant: {
      ...both(['role', 'content'], (k) => [user(k.word()), model([text(k.text())])]),
      name: (k) => [user(k.word()), { ...model(k.text()), name: 'helper' }],
      audio: (k) => [user(k.word()), { role: 'assistant', content: null, audio: { id: k.id('audio') } }],
      refusal: (k) => [user(k.word()), { role: 'assistant', content: null, refusal: k.text() }],
      function_call: legacy,
      tool_calls: chats((k) => [
        { role: 'assistant', content: k.text(20), tool_calls: [1, 2].map((n) => ({ id: `${k.number}_${n}`, ...readCall(k) })) },
        ...[1, 2].map((n) => ({ role: 'tool', tool_call_id: `${k.number}_${n}`, content: k.text() })),
      ]),
    },
    more: {
      'thinking of Mistral': (k) => [user(k.word()), model([{ type: 'thinking', thinking: [text(k.text())] }, text(k.text(40))])],
      'thinking of Mistral and a call': chats((k) => {
        const [call, result] = chatCall(k, readCall(k), k.text());
        return [{ ...call, content: [{ type: 'thinking', thinking: [text(k.text())], closed: true }] }, result];
      }),
      reasoning_content: (k) => [user(k.word()), { ...model(k.word()), reasoning_content: k.text() }],
      'signed reasoning_details and a call': chats((k) => {
        const [call, result] = chatCall(k, readCall(k), k.text());
        const details = [{ type: 'reasoning.text', text: k.text(40), signature: k.base64(60), format: 'anthropic-claude-v1' }];
        return [{ ...call, reasoning_details: details }, result];
      }),
      annotations: (k) => [
        user(k.word()),
        { ...model(k.word()), annotations: [{ type: 'url_citation', url_citation: { url: 'https://example.org', title: k.text(20) } }] },
      ],
      images: (k) => [user(k.word()), { ...model(k.word()), images: [{ type: 'image_url', image_url: { url: k.pngUrl() } }] }],
    },
  },
};

// ---- Gemini -------------------------------------------------------------------------------------------------------

const asks = (parts) => ({ role: 'user', parts });
const geminiSays = (make) => (k) => [asks([{ text: k.word() }]), { role: 'model', parts: [...make(k), { text: k.word() }] }];
const geminiTold = (make) => (k) => [asks([make(k), { text: k.word() }]), { role: 'model', parts: [{ text: k.word() }] }];
/** Gemini 3 signs the first call of each step. */
const geminiCall = (response) => (k) => {
  const id = k.id('call');
  const named = k.random.chance(0.5) ? { id } : {};
  return [
    asks([{ text: k.word() }]),
    { role: 'model', parts: [{ functionCall: { ...named, name: 'look', args: { query: k.text(20) } }, ...signed(k) }] },
    asks([{ functionResponse: { ...named, name: 'look', response: response(k) } }]),
    { role: 'model', parts: [{ text: k.word() }] },
  ];
};
const code = (k) => [
  { executableCode: { language: 'PYTHON', code: k.text() } },
  { codeExecutionResult: { outcome: k.random.pick(['OUTCOME_OK', 'OUTCOME_FAILED']), output: k.text() } },
];
const geminiTool = geminiSays((k) => {
  const id = k.id('tool');
  return [
    { toolCall: { toolType: 'GOOGLE_SEARCH_WEB', args: { query: k.word() }, id } },
    { toolResponse: { toolType: 'GOOGLE_SEARCH_WEB', id, response: { results: k.text() } } },
  ];
});
const picture = (k) => ({ inlineData: { mimeType: 'image/png', data: k.png() } });
const video = (k) => ({ fileData: { fileUri: `https://example.org/files/${k.id('video')}`, mimeType: 'video/mp4' } });
const signed = (k) => ({ thoughtSignature: k.base64(60) });

const gemini = {
  system: undefined, // it stands beside the contents
  plain: (k) => [asks([{ text: k.word() }]), { role: 'model', parts: [{ text: k.word() }] }],
  user: (k) => asks([{ text: k.word() }]),
  wordsOf: ({ role, parts }) => (role === 'user' ? parts.map((part) => part.text).filter((said) => said !== undefined) : []),
  open(k) {
    return {
      messages: [asks([{ text: k.word() }]), { role: 'model', parts: [{ functionCall: { name: 'look', args: {} }, ...signed(k) }] }],
      close: (messages) => [...messages, asks([{ functionResponse: { name: 'look', response: { output: 'x' } } }])],
    };
  },
  kinds: {
    gemini: {
      text: (k) => [asks([{ text: k.word() }]), { role: 'model', parts: [{ text: k.text() }] }],
      thought: geminiSays((k) => [{ text: k.text(), thought: true }]),
      thoughtSignature: (k) => [asks([{ text: k.word() }]), { role: 'model', parts: [{ text: k.text(), ...signed(k) }] }],
      ...both(
        ['functionCall', 'functionResponse'],
        geminiCall((k) => k.random.pick([{ output: k.text() }, { rows: [k.text(), 1] }])),
      ),
      inlineData: geminiTold(picture),
      fileData: geminiTold(video),
      videoMetadata: geminiTold((k) => ({ ...video(k), videoMetadata: { startOffset: '1s' } })),
      mediaResolution: geminiTold((k) => ({ ...picture(k), mediaResolution: { level: 'MEDIA_RESOLUTION_LOW' } })),
      mediaProcessing: geminiTold((k) => ({ ...video(k), mediaProcessing: {} })),
      audioTranscription: geminiTold((k) => ({ audioTranscription: { text: k.text(), finished: true } })),
      partMetadata: geminiTold((k) => ({ text: k.text(), partMetadata: { source: 'a' } })),
      speechMetadata: geminiTold((k) => ({ text: k.text(), speechMetadata: { speaker: 'a' } })),
      ...both(['executableCode', 'codeExecutionResult'], geminiSays(code)),
      ...both(['toolCall', 'toolResponse'], geminiTool),
    },
    more: {
      'two calls, one signature': (k) => {
        const parts = ['one', 'two'].map((query, at) => ({ functionCall: { name: 'look', args: { query } }, ...(at === 0 && signed(k)) }));
        return [
          asks([{ text: k.word() }]),
          { role: 'model', parts },
          asks(parts.map(() => ({ functionResponse: { name: 'look', response: { output: k.text() } } }))),
          { role: 'model', parts: [{ text: k.word() }] },
        ];
      },
      'signed image of the model': geminiSays((k) => [{ ...picture(k), ...signed(k) }]),
      'signed code': geminiSays((k) => code(k).map((part) => ({ ...part, ...signed(k) }))),
      'picture in a response': geminiCall((k) => ({ output: k.text(), parts: [picture(k)] })),
    },
  },
};

// ---- AI SDK: model messages ---------------------------------------------------------------------------------------

const aiUser = (k, ...parts) => ({ role: 'user', content: [...parts, text(k.word())] });
const aiSays = (make) => (k) => [aiUser(k), model([...make(k), text(k.word())])];
const aiTold = (make) => (k) => [aiUser(k, make(k)), model([text(k.word())])];
const aiTool =
  (output, call = () => ({})) =>
  (k) => {
    const id = k.id('call');
    return [
      aiUser(k),
      model([{ type: 'tool-call', toolCallId: id, toolName: 'read', input: JSON.parse(k.json()), ...call(k) }]),
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName: 'read', output: output(k) }] },
      model([text(k.word())]),
    ];
  };
const aiContent = (make) => aiTool((k) => ({ type: 'content', value: [make(k), ...k.random.pick([[], [text(k.text(20))]])] }));
const aiApproval = (approved) => (k) => {
  const [id, approvalId] = [k.id('call'), k.id('approval')];
  const output = approved ? { type: 'text', value: k.text() } : { type: 'execution-denied', reason: k.word() };
  return [
    aiUser(k),
    model([
      { type: 'tool-call', toolCallId: id, toolName: 'pay', input: { note: k.text(40) } },
      { type: 'tool-approval-request', approvalId, toolCallId: id },
    ]),
    { role: 'tool', content: [{ type: 'tool-approval-response', approvalId, approved }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName: 'pay', output }] },
    model([text(k.word())]),
  ];
};
const openaiItem = (k, prefix) => ({ providerOptions: { openai: { itemId: k.id(prefix), reasoningEncryptedContent: k.base64() } } });
const media = (k) => ({ mediaType: 'image/png', data: k.png() });

const aiModel = {
  system: (said) => ({ role: 'system', content: said }),
  plain: (k) => [aiUser(k), model([text(k.word())])],
  user: (k) => aiUser(k),
  wordsOf: anthropic.wordsOf,
  open(k) {
    const id = k.id('call');
    const result = { type: 'tool-result', toolCallId: id, toolName: 'read', output: { type: 'text', value: 'x' } };
    return {
      messages: [aiUser(k), model([{ type: 'tool-call', toolCallId: id, toolName: 'read', input: {} }])],
      close: (messages) => [...messages, { role: 'tool', content: [result] }],
    };
  },
  opens: {
    'an approval': (k) => {
      const [id, approvalId] = [k.id('call'), k.id('approval')];
      const response = { role: 'tool', content: [{ type: 'tool-approval-response', approvalId, approved: true }] };
      const isGiven = k.random.chance(0.5);
      const call = { type: 'tool-call', toolCallId: id, toolName: 'pay', input: { note: k.text(20) } };
      return {
        messages: [aiUser(k), model([call, { type: 'tool-approval-request', approvalId, toolCallId: id }]), ...(isGiven ? [response] : [])],
        close: (messages) => (isGiven ? messages : [...messages, response]),
      };
    },
  },
  places: { modelOutputs: ' output', modelInOutput: ' in an output' },
  kinds: {
    modelInMessage: {
      text: (k) => [aiUser(k), model([text(k.text())])],
      image: aiTold((k) => ({ type: 'image', image: k.png(), mediaType: 'image/png' })),
      file: aiTold((k) => ({ type: 'file', mediaType: 'application/pdf', data: k.pdf() })),
      reasoning: aiSays((k) => [{ type: 'reasoning', text: k.text() }]),
      'reasoning-file': aiSays((k) => [{ type: 'reasoning-file', ...media(k) }]),
      custom: aiSays((k) => [{ type: 'custom', kind: 'openai.compaction', providerOptions: { openai: { encryptedContent: k.base64() } } }]),
      ...both(
        ['tool-call', 'tool-result'],
        aiTool((k) => ({ type: 'text', value: k.text() })),
      ),
      ...both(['tool-approval-request', 'tool-approval-response'], aiApproval(true)),
    },
    modelOutputs: {
      text: aiTool((k) => ({ type: 'text', value: k.text() })),
      json: aiTool((k) => ({ type: 'json', value: { rows: [k.text(), 1, null] } })),
      'error-text': aiTool((k) => ({ type: 'error-text', value: k.text() })),
      'error-json': aiTool((k) => ({ type: 'error-json', value: { error: k.text() } })),
      'execution-denied': aiApproval(false),
      content: aiContent((k) => text(k.text())),
    },
    modelInOutput: {
      text: aiContent((k) => text(k.text())),
      file: aiContent((k) => ({ type: 'file', mediaType: 'image/png', data: { type: 'data', data: k.png() } })),
      'file-data': aiContent((k) => ({ type: 'file-data', mediaType: 'application/pdf', data: k.pdf() })),
      'file-url': aiContent((k) => ({ type: 'file-url', url: `https://example.org/${k.id('f')}.pdf` })),
      'file-id': aiContent((k) => ({ type: 'file-id', fileId: k.id('file') })),
      'file-reference': aiContent((k) => ({ type: 'file-reference', providerReference: { openai: k.id('file') } })),
      'image-data': aiContent((k) => ({ type: 'image-data', ...media(k) })),
      'image-url': aiContent((k) => ({ type: 'image-url', url: `https://example.org/${k.id('f')}.png` })),
      'image-file-id': aiContent((k) => ({ type: 'image-file-id', fileId: k.id('file') })),
      'image-file-reference': aiContent((k) => ({ type: 'image-file-reference', providerReference: { openai: k.id('file') } })),
      custom: aiContent((k) => ({ type: 'custom', providerOptions: { anthropic: { type: 'tool-reference', toolName: k.id('tool') } } })),
    },
    more: {
      'Anthropic’s compaction': aiSays((k) => [{ ...text(k.text()), providerOptions: { anthropic: { type: 'compaction' } } }]),
      'run by the provider': aiSays((k) => {
        const id = k.id('srvtoolu');
        return [
          { type: 'tool-call', toolCallId: id, toolName: 'web_search', input: { query: k.word() }, providerExecuted: true },
          {
            type: 'tool-result',
            toolCallId: id,
            toolName: 'web_search',
            output: { type: 'json', value: [{ encryptedContent: k.base64() }] },
          },
        ];
      }),
      'texts of a tool of the provider': aiSays((k) => {
        const call = { toolCallId: k.id('srvtoolu'), toolName: 'run' };
        return [
          { type: 'tool-call', ...call, input: { code: k.word() }, providerExecuted: true },
          { type: 'tool-result', ...call, output: { type: 'json', value: hostedOutput(k) } },
        ];
      }),
      'document of text': aiTold((k) => ({ type: 'file', mediaType: 'text/plain', data: { type: 'text', text: k.text() } })),
      'approval of the provider’s call': (k) => {
        const [id, approvalId] = [k.id('mcp'), k.id('approval')];
        // The SDK knows the call again only where it streamed the request.
        const done = k.random.pick([id, k.id('mcp')]);
        return [
          aiUser(k),
          model([
            { type: 'tool-call', toolCallId: id, toolName: 'mcp.get', input: { query: k.text(20) }, providerExecuted: true },
            { type: 'tool-approval-request', approvalId, toolCallId: id },
          ]),
          { role: 'tool', content: [{ type: 'tool-approval-response', approvalId, approved: true, providerExecuted: true }] },
          model([
            { type: 'tool-call', toolCallId: done, toolName: 'mcp.get', input: { query: 'x' }, providerExecuted: true },
            { type: 'tool-result', toolCallId: done, toolName: 'mcp.get', output: { type: 'json', value: { rows: k.text() } } },
            text(k.word()),
          ]),
        ];
      },
      'items of OpenAI': (k) => [
        aiUser(k),
        model([
          { type: 'reasoning', text: '', ...openaiItem(k, 'rs') },
          { ...text(k.text()), ...openaiItem(k, 'msg') },
        ]),
      ],
      'signed thinking': aiTool(
        (k) => ({ type: 'text', value: k.text() }),
        (k) => ({ providerOptions: { google: { thoughtSignature: k.base64(60) } } }),
      ),
      'file of the model': aiSays((k) => [{ type: 'file', ...media(k) }]),
    },
  },
};

// ---- AI SDK: UI messages ------------------------------------------------------------------------------------------

const uiUser = (k, ...parts) => ({ id: k.id('u'), role: 'user', parts: [...parts, text(k.word())] });
const uiModel = (k, parts) => ({ id: k.id('a'), role: 'assistant', parts: [{ type: 'step-start' }, ...parts] });
const uiSays = (make) => (k) => [uiUser(k), uiModel(k, [...make(k), { ...text(k.word()), state: 'done' }])];
const uiTold = (make) => (k) => [uiUser(k, make(k)), uiModel(k, [text(k.word())])];
/** A step with a tool, and the step after it. */
const uiTool = (state, more = () => ({}), type = 'tool-read') =>
  uiSays((k) => [
    {
      type,
      toolCallId: k.id('call'),
      state,
      input: JSON.parse(k.json()),
      ...(type === 'dynamic-tool' && { toolName: 'read' }),
      ...more(k),
    },
    { type: 'step-start' },
  ]);
const uiFile = (k) => ({ type: 'file', mediaType: 'image/png', url: k.pngUrl() });
const uiApproval = (k, approved) => ({ approval: { id: k.id('approval'), ...(approved !== undefined && { approved }) } });
/** A state in which more is to come: the exchange stands at the end. */
const uiWaits =
  (state, more = () => ({})) =>
  (k) => {
    const toolCallId = k.id('call');
    const part = { type: 'tool-read', toolCallId, state, input: { path: 'a.ts' }, ...more(k) };
    const message = uiModel(k, [part]);
    const done = { type: 'tool-read', toolCallId, state: 'output-available', input: { path: 'a.ts' }, output: 'x' };
    const finish = (one) =>
      one.id === message.id ? { ...one, parts: one.parts.map((each) => (each.toolCallId === toolCallId ? done : each)) } : one;
    return { messages: [uiUser(k), message], close: (messages) => messages.map(finish) };
  };

const aiUi = {
  system: (said) => ({ id: 'system', role: 'system', parts: [text(said)] }),
  plain: (k) => [uiUser(k), uiModel(k, [text(k.word())])],
  user: (k) => uiUser(k),
  wordsOf: ({ role, parts }) => (role === 'user' ? parts.filter(({ type }) => type === 'text').map((part) => part.text) : []),
  open: uiWaits('input-available'),
  opens: {
    'input-available': uiWaits('input-available'),
    'approval-requested': uiWaits('approval-requested', (k) => uiApproval(k)),
    'approval-responded': uiWaits('approval-responded', (k) => uiApproval(k, true)),
  },
  places: { uiStates: ' (state of a tool)' },
  kinds: {
    uiParts: {
      text: (k) => [uiUser(k), uiModel(k, [text(k.text())])],
      custom: uiSays((k) => [
        { type: 'custom', kind: 'openai.compaction', providerMetadata: { openai: { encryptedContent: k.base64() } } },
      ]),
      reasoning: uiSays((k) => [{ type: 'reasoning', text: k.text(), state: 'done' }]),
      'reasoning-file': uiSays((k) => [{ type: 'reasoning-file', mediaType: 'image/png', url: k.pngUrl() }]),
      file: uiTold(uiFile),
      'source-url': uiSays((k) => [{ type: 'source-url', sourceId: k.id('s'), url: 'https://example.org', title: k.text(20) }]),
      'source-document': uiSays((k) => [{ type: 'source-document', sourceId: k.id('s'), mediaType: 'text/plain', title: k.text(20) }]),
      'step-start': uiSays((k) => [text(k.text(20)), { type: 'step-start' }]),
      'steering-message': uiSays((k) => [
        text(k.word()),
        { type: 'step-start' },
        { type: 'steering-message', id: k.id('steer'), parts: [text(k.text(20))] },
      ]),
      'dynamic-tool': uiTool('output-available', (k) => ({ output: { rows: k.text() } }), 'dynamic-tool'),
      'tool-${string}': uiTool('output-available', (k) => ({ output: k.text() })),
      'data-${string}': uiSays((k) => [{ type: 'data-chart', id: k.id('d'), data: { rows: k.text() } }]),
    },
    uiStates: {
      'output-available': uiTool('output-available', (k) => ({ output: [k.text()] })),
      'output-error': uiTool('output-error', (k) => ({ errorText: k.text(40) })),
      'output-denied': uiTool('output-denied', (k) => uiApproval(k, false)),
      'input-streaming': uiTool('input-streaming'),
    },
    more: {
      'Anthropic’s compaction': uiSays((k) => [{ ...text(k.text()), providerMetadata: { anthropic: { type: 'compaction' } } }]),
      'run by the provider': uiTool('output-available', (k) => ({ providerExecuted: true, output: [{ encryptedContent: k.base64() }] })),
      'texts of a tool of the provider': uiTool('output-available', (k) => ({ providerExecuted: true, output: hostedOutput(k) })),
      'approved call': uiTool('output-available', (k) => ({ output: k.text(), ...uiApproval(k, true) })),
      'signed reasoning': uiSays((k) => [
        { type: 'reasoning', text: k.text(), state: 'done', providerMetadata: { anthropic: { signature: k.base64(60) } } },
      ]),
      'signed call': uiTool('output-available', (k) => ({
        output: k.text(),
        callProviderMetadata: { google: { thoughtSignature: k.base64(60) } },
      })),
      'file of the model': uiSays((k) => [uiFile(k)]),
    },
  },
};

// ---- LangChain ----------------------------------------------------------------------------------------------------

const human = (content) => new HumanMessage({ content });
const ai = (content, more = {}) => new AIMessage({ content, ...more });
const lcSays = (make) => (k) => [human(k.word()), ai([...make(k), text(k.word())])];
const lcTold = (make) => (k) => [human([make(k), text(k.word())]), ai(k.word())];
const lcTool = (content, block) => (k) => {
  const call = { id: k.id('call'), name: 'read', args: JSON.parse(k.json()), type: 'tool_call' };
  return [
    human(k.word()),
    ai(block ? block(call) : '', { tool_calls: [call] }),
    new ToolMessage({ tool_call_id: call.id, name: 'read', content: content(k), status: k.random.pick(['success', 'error']) }),
    ai(k.word()),
  ];
};
const lcHosted = (result) =>
  lcSays((k) => {
    const id = k.id('srvtoolu');
    return [{ type: 'server_tool_call', id, name: 'web_search', args: { query: k.word() } }, result(k, id)];
  });
const serverToolCall = lcHosted((k, id) => ({
  type: 'server_tool_call_result',
  toolCallId: id,
  status: 'success',
  output: { encrypted: k.base64() },
}));
const lcData = (type, mimeType) => lcTold((k) => ({ type, mimeType, data: k.base64() }));

const langchain = {
  system: (said) => new SystemMessage(said),
  plain: (k) => [human(k.word()), ai(k.word())],
  user: (k) => human(k.word()),
  wordsOf: ({ type, content }) =>
    type !== 'human'
      ? []
      : typeof content === 'string'
        ? [content]
        : content.filter((block) => block.type === 'text').map((block) => block.text),
  open(k) {
    const id = k.id('call');
    return {
      messages: [human(k.word()), ai('', { tool_calls: [{ id, name: 'read', args: {}, type: 'tool_call' }] })],
      close: (messages) => [...messages, new ToolMessage({ tool_call_id: id, name: 'read', content: 'x' })],
    };
  },
  kinds: {
    langchain: {
      text: (k) => [human(k.word()), ai([text(k.text())])],
      reasoning: lcSays((k) => [{ type: 'reasoning', reasoning: k.text() }]),
      refusal: (k) => [human(k.word()), ai([{ type: 'refusal', refusal: k.text() }])],
      non_standard: lcSays((k) => [{ type: 'non_standard', value: { type: 'compaction', content: k.text() } }]),
      tool_call: lcTool(
        (k) => k.text(),
        (call) => [{ type: 'tool_call', id: call.id, name: call.name, args: call.args }],
      ),
      tool_call_chunk: lcSays((k) => [{ type: 'tool_call_chunk', name: 'read', args: k.text(20), index: 0 }]),
      invalid_tool_call: lcSays((k) => [{ type: 'invalid_tool_call', name: 'read', args: k.text(20), error: 'no JSON' }]),
      ...both(['server_tool_call', 'server_tool_call_result'], serverToolCall),
      server_tool_call_chunk: lcSays((k) => [{ type: 'server_tool_call_chunk', name: 'web_search', args: k.text(20) }]),
      image: lcData('image', 'image/png'),
      audio: lcData('audio', 'audio/wav'),
      video: lcData('video', 'video/mp4'),
      file: lcData('file', 'application/pdf'),
      'text-plain': lcTold((k) => ({ type: 'text-plain', mimeType: 'text/plain', text: k.text() })),
    },
    more: {
      'Anthropic’s compaction': lcSays((k) => [{ type: 'compaction', content: k.text() }]),
      'result of texts': lcTool((k) => [text(k.text()), text(k.text(20))]),
      'cachePoint of Bedrock': lcSays((k) => [text(k.text()), { cachePoint: { type: 'default' } }]),
      'cachePoint of Bedrock in a result': lcTool((k) => [text(k.text()), { cachePoint: { type: 'default' } }]),
      'picture in a result': lcTool((k) => [{ type: 'image_url', image_url: { url: k.pngUrl() } }]),
      'Anthropic’s search': lcSays((k) => {
        const id = k.id('srvtoolu');
        return [
          { type: 'server_tool_use', id, name: 'web_search', input: { query: k.word() } },
          { type: 'web_search_tool_result', tool_use_id: id, content: [{ type: 'web_search_result', encrypted_content: k.base64() }] },
        ];
      }),
      'Anthropic’s code': lcSays((k) => {
        const id = k.id('srvtoolu');
        return [
          { type: 'server_tool_use', id, name: 'bash_code_execution', input: { command: k.word() } },
          {
            type: 'bash_code_execution_tool_result',
            tool_use_id: id,
            content: { type: 'bash_code_execution_result', stdout: k.text(), stderr: '', return_code: 0, content: [] },
          },
        ];
      }),
      'code at the provider': lcHosted((k, id) => ({
        type: 'server_tool_call_result',
        toolCallId: id,
        status: 'success',
        output: { type: 'code_execution_result', stdout: k.text(), stderr: '', return_code: 0, content: [] },
      })),
      'Google’s code': lcSays((k) => [
        { type: 'executableCode', executableCode: { language: 'PYTHON', code: k.word() } },
        { type: 'codeExecutionResult', codeExecutionResult: { outcome: 'OUTCOME_OK', output: k.text() } },
      ]),
      'file of Gemini': lcSays((k) => [{ type: 'inlineData', inlineData: { mimeType: 'image/png', data: k.png() } }]),
      'call as Gemini made it': lcTool(
        (k) => k.text(),
        ({ name, args }) => [{ type: 'functionCall', functionCall: { name, args } }],
      ),
      'Anthropic’s document': lcTold(textDocument),
      'document of version 0': lcTold((k) => ({ type: 'file', source_type: 'text', mime_type: 'text/plain', text: k.text() })),
      'document in a result': lcTool((k) => [textDocument(k)]),
      'signed thinking and a call': (k) => {
        const call = { id: k.id('call'), name: 'read', args: { path: k.id('path') }, type: 'tool_call' };
        return [
          human(k.word()),
          ai(
            [
              { type: 'thinking', thinking: k.text(), signature: k.base64(60) },
              { type: 'tool_use', id: call.id, name: call.name, input: call.args },
            ],
            { tool_calls: [call] },
          ),
          new ToolMessage({ tool_call_id: call.id, name: 'read', content: k.text() }),
          ai(k.word()),
        ];
      },
      'reasoning of the Responses API': (k) => [
        human(k.word()),
        ai([text(k.text())], {
          additional_kwargs: { reasoning: { id: k.id('rs'), type: 'reasoning', encrypted_content: k.base64(), summary: [] } },
        }),
      ],
    },
  },
};

// ---- Mastra -------------------------------------------------------------------------------------------------------

const stored = (k, role, parts) => ({
  id: k.id('m'),
  role,
  createdAt: new Date(1_700_000_000_000 + k.number * 1000),
  threadId: 't',
  content: { format: 2, parts },
});
const mastraUser = (k, ...parts) => stored(k, 'user', [...parts, text(k.word())]);
const mastraSays = (make) => (k) => [mastraUser(k), stored(k, 'assistant', [{ type: 'step-start' }, ...make(k), text(k.word())])];
const mastraTool = (make, state = 'result') =>
  mastraSays((k) => [
    {
      type: 'tool-invocation',
      toolInvocation: { state, toolCallId: k.id('call'), toolName: 'read', args: JSON.parse(k.json()), ...make(k) },
    },
    { type: 'step-start' },
  ]);

const mastra = {
  system: undefined, // it is the agent's
  plain: (k) => [mastraUser(k), stored(k, 'assistant', [text(k.word())])],
  user: (k) => mastraUser(k),
  wordsOf: ({ role, content }) => (role === 'user' ? content.parts.filter(({ type }) => type === 'text').map((part) => part.text) : []),
  open(k) {
    const tool = { state: 'call', toolCallId: k.id('call'), toolName: 'read', args: {} };
    return {
      messages: [mastraUser(k), stored(k, 'assistant', [{ type: 'tool-invocation', toolInvocation: tool }])],
      close: (messages) => messages,
    };
  },
  kinds: {
    mastra: {
      text: (k) => [mastraUser(k), stored(k, 'assistant', [text(k.text())])],
      reasoning: mastraSays((k) => [{ type: 'reasoning', reasoning: k.text(), details: [{ type: 'text', text: k.text(10) }] }]),
      file: (k) => [mastraUser(k, { type: 'file', mimeType: 'image/png', data: k.png() }), stored(k, 'assistant', [text(k.word())])],
      source: mastraSays((k) => [
        { type: 'source', source: { sourceType: 'url', id: k.id('s'), url: 'https://example.org', title: k.text(20) } },
      ]),
      'source-document': mastraSays((k) => [{ type: 'source-document', sourceId: k.id('s'), mediaType: 'text/plain', title: k.text(20) }]),
      'step-start': mastraSays((k) => [text(k.text(20)), { type: 'step-start' }]),
      error: mastraSays((k) => [{ type: 'error', error: { name: 'Error', message: k.text(20) } }]),
      'tool-invocation': mastraTool((k) => ({ result: k.random.pick([k.text(), { rows: [k.text()] }]) })),
      'data-${string}': mastraSays((k) => [{ type: 'data-chart', data: { rows: k.text() } }]),
    },
    more: {
      'Anthropic’s compaction': mastraSays((k) => [{ ...text(k.text()), providerMetadata: { anthropic: { type: 'compaction' } } }]),
      'failed call': mastraTool((k) => ({ result: k.text(), isError: true })),
      'texts of a tool of the provider': mastraSays((k) => [
        {
          type: 'tool-invocation',
          providerExecuted: true,
          toolInvocation: {
            state: 'result',
            toolCallId: k.id('srvtoolu'),
            toolName: 'run',
            args: { code: k.word() },
            result: hostedOutput(k),
          },
        },
        { type: 'step-start' },
      ]),
      'output-error': mastraTool((k) => ({ errorText: k.text(40) }), 'output-error'),
      'output-denied': mastraTool((k) => ({ approval: { id: k.id('approval'), approved: false } }), 'output-denied'),
      'run by the provider': mastraSays((k) => [
        {
          type: 'tool-invocation',
          providerExecuted: true,
          toolInvocation: {
            state: 'result',
            toolCallId: k.id('srvtoolu'),
            toolName: 'web_search',
            args: { query: k.word() },
            result: [{ encryptedContent: k.base64() }],
          },
        },
        { type: 'step-start' },
      ]),
    },
  },
};

// ---- AG-UI --------------------------------------------------------------------------------------------------------

const said = (k, role, content, more = {}) => ({ id: k.id('m'), role, content, ...more });
const agUiSays = (make) => (k) => [said(k, 'user', k.word()), ...make(k), said(k, 'assistant', k.word())];
const agUiTold = (type, source) => (k) => [said(k, 'user', [{ type, source: source(k) }, text(k.word())]), said(k, 'assistant', k.word())];
const agUiCall = (k, more = {}) => ({ id: k.id('call'), type: 'function', function: { name: 'read', arguments: k.json() }, ...more });
const agUiCalls = (result, more = () => ({})) =>
  agUiSays((k) => {
    const call = agUiCall(k, more(k));
    return [said(k, 'assistant', '', { toolCalls: [call] }), said(k, 'tool', result(k), { toolCallId: call.id })];
  });
const agUiData = (k) => ({ type: 'data', value: k.png(), mimeType: 'image/png' });
const agUiUrl = () => ({ type: 'url', value: 'https://example.org/a', mimeType: 'video/mp4' });

const agUi = {
  system: (words) => ({ id: 'system', role: 'system', content: words }),
  plain: (k) => [said(k, 'user', k.word()), said(k, 'assistant', k.word())],
  user: (k) => said(k, 'user', k.word()),
  wordsOf: anthropic.wordsOf,
  open(k) {
    const call = agUiCall(k);
    return {
      messages: [said(k, 'user', k.word()), said(k, 'assistant', '', { toolCalls: [call] })],
      close: (messages) => [...messages, { id: 'end', role: 'tool', toolCallId: call.id, content: 'x' }],
    };
  },
  places: { agUiRoles: ' message', agUiInMessage: ' part', agUiSources: ' source of an image' },
  kinds: {
    agUiRoles: {
      developer: agUiSays((k) => [said(k, 'developer', k.word())]),
      system: agUiSays((k) => [said(k, 'system', k.word())]),
      user: (k) => [said(k, 'user', k.text()), said(k, 'assistant', k.word())],
      assistant: (k) => [said(k, 'user', k.word()), said(k, 'assistant', k.text())],
      tool: agUiCalls((k) => k.text()),
      activity: agUiSays((k) => [{ id: k.id('m'), role: 'activity', activityType: 'progress', content: { steps: [k.text()] } }]),
      reasoning: agUiSays((k) => [said(k, 'reasoning', k.text())]),
    },
    agUiInMessage: {
      text: (k) => [said(k, 'user', [text(k.text()), text(k.word())]), said(k, 'assistant', k.word())],
      image: agUiTold('image', agUiData),
      audio: agUiTold('audio', (k) => ({ type: 'data', value: k.base64(), mimeType: 'audio/wav' })),
      video: agUiTold('video', agUiUrl),
      document: agUiTold('document', (k) => ({ type: 'data', value: k.pdf(), mimeType: 'application/pdf' })),
    },
    agUiSources: {
      data: agUiTold('image', agUiData),
      url: agUiTold('image', agUiUrl),
      file: agUiTold('image', (k) => ({ type: 'file', value: k.id('file'), provider: 'openai' })),
    },
    more: {
      'image in a result': agUiCalls((k) => [text(k.text()), { type: 'image', source: agUiData(k) }]),
      'encrypted reasoning': agUiSays((k) => [said(k, 'reasoning', '', { encryptedValue: k.base64() })]),
      'answer with encrypted reasoning': (k) => [said(k, 'user', k.word()), said(k, 'assistant', k.text(), { encryptedValue: k.base64() })],
      'call with encrypted reasoning': agUiCalls(
        (k) => k.text(),
        (k) => ({ encryptedValue: k.base64() }),
      ),
      'failed call': agUiSays((k) => {
        const call = agUiCall(k);
        return [said(k, 'assistant', '', { toolCalls: [call] }), said(k, 'tool', k.text(), { toolCallId: call.id, error: k.text(30) })];
      }),
      'reasoning, two calls and an activity': agUiSays((k) => {
        const calls = [agUiCall(k), agUiCall(k)];
        return [
          said(k, 'reasoning', k.text()),
          said(k, 'assistant', k.text(20), { toolCalls: calls }),
          { id: k.id('m'), role: 'activity', activityType: 'progress', content: { done: 1 } },
          ...calls.map(({ id }) => said(k, 'tool', k.text(), { toolCallId: id })),
        ];
      }),
    },
  },
};

/** All formats. `message` has what chat completions have, and an id. */
export const KINDS = {
  'openai-chat': chat,
  'openai-responses': responses,
  'openai-agents': agents,
  anthropic,
  'ai-sdk-model': aiModel,
  'ai-sdk-ui': aiUi,
  gemini,
  langchain,
  mastra,
  'ag-ui': agUi,
  message: chat,
};

/** The kinds of a format, as `[list, name, make]`. */
export const kindsOf = (format) =>
  Object.entries(KINDS[format].kinds).flatMap(([list, kinds]) => Object.entries(kinds).map(([name, make]) => [list, name, make]));

/** A history's messages as the format stores them. */
export const inFormat = (format, messages) =>
  format === 'message' ? messages.map((message, index) => ({ id: `m${index}`, index, ...message })) : messages;
