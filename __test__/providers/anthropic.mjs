// Anthropic's messages: `describeProvider` says what each field is for.
import { pdf, png } from '../support/files.mjs';
import { IMAGE, text, both, user, model, wordsOf, textDocument, shown, answeredIn, BASH, parameters, many, put } from './draw.mjs';

const imageOf = (data) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } });
const pdfOf = (pages) => ({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: pdf(pages) } });
const CACHED = { cache_control: { type: 'ephemeral' } };

/** Writes a conversation that `dialogue` draws. */
const say = ({ turns }) => {
  const show = ({ text, image }) =>
    text === undefined ? { type: 'image', source: { type: 'base64', media_type: 'image/png', data: image } } : { type: 'text', text };
  const messages = [];
  let breakpoints = 0;
  for (const turn of turns) {
    if (turn.who === 'user') {
      const blocks = turn.more.length > 0 ? [{ text: turn.text }, ...turn.more].map(show) : turn.text;
      // A user's text after an open turn of tool results goes into their message.
      if (messages.at(-1)?.role === 'user')
        messages.at(-1).content.push(...(typeof blocks === 'string' ? [{ type: 'text', text: blocks }] : blocks));
      else messages.push({ role: 'user', content: blocks });
      continue;
    }
    const content = [];
    if (turn.reasoning)
      content.push(
        turn.reasoning.signed
          ? { type: 'thinking', thinking: turn.reasoning.text, signature: 'c2ln' }
          : { type: 'redacted_thinking', data: 'ZGF0YQ==' },
      );
    if (turn.odd) {
      content.push({ type: 'server_tool_use', id: `srv_${messages.length}`, name: 'web_search', input: { query: 'x' } });
      content.push({ type: 'web_search_tool_result', tool_use_id: `srv_${messages.length}`, content: [] });
    }
    if (turn.text !== null) content.push({ type: 'text', text: turn.text });
    for (const { id, name, args } of turn.calls) content.push({ type: 'tool_use', id, name, input: args });
    messages.push({ role: 'assistant', content });
    const results = answeredIn(turn).map(({ id, result }, index) => ({
      type: 'tool_result',
      tool_use_id: id,
      content:
        typeof result.blocks === 'string'
          ? shown(result)
          : result.blocks.map(result.failed ? (one) => ({ type: 'text', text: one.text ?? '[image]' }) : show),
      ...(result.failed && { is_error: true }),
      ...(index === 0 && turn.odd && ++breakpoints <= 3 && { cache_control: { type: 'ephemeral' } }),
    }));
    if (results.length > 0) messages.push({ role: 'user', content: results });
  }
  return messages;
};

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

export const anthropic = {
  name: 'anthropic',
  say,
  judge: async (messages) => (await import('../support/providers/anthropic.mjs')).answerMessages({ messages }),
  newer: /tag 'dream'/,
  plain: (k) => [user(k.word()), model([text(k.word())])],
  user: (k) => user(k.word()),
  wordsOf,
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
  recognised: [
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a' }] },
    { role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: IMAGE } }] },
    { role: 'user', content: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }] },
    { role: 'assistant', content: [{ type: 'web_fetch_tool_result', tool_use_id: 'a', content: {} }] },
    {
      id: 'msg',
      type: 'message',
      role: 'assistant',
      stop_reason: 'tool_use',
      content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }],
    },
  ],
  tools: [
    [{ ...BASH, input_schema: parameters }],
    [{ type: 'bash_20250124', name: 'bash' }],
    [{ type: 'mcp_toolset', mcp_server_name: 'x' }],
  ],
  instructions: [[{ type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral' } }]],
  refused: [
    [{ role: 'user', content: null }, 'content must be a string or an array of blocks, got null; the messages look like openai-chat'],
    [
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'x' },
          { type: 'tool_use', id: 'a', name: 'f', input: '{}' },
        ],
      },
      'content[1].input must be an object, got string',
    ],
    [
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 1 }] }] },
      'content[0].content[0].text must be a string, got number',
    ],
  ],
  unknown: { name: 'block of type hologram', said: (part) => model([part, text('There it is.')]) },
  valid: () => [
    { role: 'user', content: [{ type: 'text', text: 'What is in a and b?', cache_control: { type: 'ephemeral' } }] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: '', signature: 'EqQB' },
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'a', name: 'read', input: { path: 'a' } },
        { type: 'tool_use', id: 'b', name: 'read', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'b', content: '' },
        {
          type: 'tool_result',
          tool_use_id: 'a',
          content: [
            { type: 'text', text: 'A' },
            { type: 'image', source: {} },
          ],
        },
        { type: 'text', text: 'Go on.' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'A' } },
        { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
        { type: 'text', text: 'A.' },
      ],
    },
    { role: 'user', content: 'Thanks.' },
  ],
  broken: {
    'message-shape': [['[4]', 7]],
    'unknown-role': [['[4].role', 'tool']],
    'first-message': [
      ['[0]', (m) => m.unshift({ role: 'assistant', content: 'Hello.' })],
      ['[0]', (m) => m.splice(0, 9, { role: 'system', content: 'Be brief.' })],
    ],
    'system-placement': [
      ['[0]', (m) => m.unshift({ role: 'system', content: 'Be brief.' })],
      ['[4]', (m) => m.splice(4, 0, { role: 'system', content: 'Be brief.' })],
      ['[1]', (m) => m.splice(1, 0, { role: 'system', content: 'Be brief.' }, { role: 'user', content: 'And in c?' })],
      ['[6]', (m) => m.push({ role: 'system', content: 'Be brief.' }, { role: 'system', content: [{ type: 'text', text: 'Be kind.' }] })],
    ],
    'content-shape': [
      ['[4].content', { type: 'text', text: 'Thanks.' }],
      ['[0].content[0].text', 5],
      ['[3].content[2]', { text: 'A.' }],
    ],
    'part-role': [
      [
        '[4].content[0]',
        put('[4].content', [
          { type: 'thinking', thinking: '', signature: 'EqQB' },
          { type: 'text', text: 'x' },
        ]),
      ],
    ],
    'empty-content': [
      ['[4].content', ''],
      ['[3].content', []],
    ],
    'empty-text': [
      ['[1].content[1]', put('[1].content[1].text', '')],
      ['[4].content', ' \n'],
      ['[2].content[1].content[0]', put('[2].content[1].content[0].text', ' ')],
    ],
    'text-after-call': [
      ['[1].content[4]', (m) => m[1].content.push({ type: 'text', text: 'So.' })],
      ['[2].content', (m) => m.splice(2, 0, { role: 'assistant', content: 'So.' })],
    ],
    'cache-control-on-thinking': [['[1].content[0]', (m) => Object.assign(m[1].content[0], CACHED)]],
    'function-name': [
      ['[1].content[2].name', 'läs'],
      ['[1].content[3].name', 'r'.repeat(129)],
    ],
    'trailing-blank': [
      ['[5].content', (m) => m.push({ role: 'assistant', content: 'You are ' })],
      ['[5].content[0]', (m) => m.push({ role: 'assistant', content: [{ type: 'text', text: 'You are\n' }] })],
    ],
    'too-many-cache-controls': [
      [
        '[3].content[2]',
        (m) => {
          Object.assign(m[1].content[3], CACHED);
          Object.assign(m[2].content[1], CACHED);
          Object.assign(m[2].content[1].content[0], CACHED);
          Object.assign(m[3].content[2], CACHED);
        },
      ],
    ],
    'cache-control-order': [
      ['[2].content[1].content[0]', put('[2].content[1].content[0].cache_control', { type: 'ephemeral', ttl: '1h' })],
    ],
    'tool-call-shape': [
      ['[1].content[2].name', undefined],
      ['[3].content[3].id', (m) => m[3].content.push({ type: 'tool_use', name: 'read', input: {} })],
      [
        '[1].content[2].id',
        (m) => {
          m[1].content[2].id = m[2].content[1].tool_use_id = 'functions.read:0';
        },
      ],
    ],
    'arguments-not-object': [['[1].content[3].input', '{}']],
    'duplicate-tool-call': [
      ['[1].content[4]', (m) => m[1].content.push(structuredClone(m[1].content[2]))],
      ['[3].content[3]', (m) => m[3].content.push({ ...m[3].content[0] })],
    ],
    'tool-call-without-result': [
      ['[1].content[2]', (m) => m[2].content.splice(1, 1)],
      [
        '[5].content[0]',
        (m) =>
          m.push(
            { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'read', input: {} }] },
            { role: 'user', content: 'Stop.' },
          ),
      ],
    ],
    'tool-call-at-end': [
      [
        '[1].content[2]',
        (m) => {
          m.splice(2);
          m[1].content.splice(2, 1);
        },
      ],
    ],
    'tool-result-shape': [
      ['[2].content[1].content', { text: 'A' }],
      ['[2].content[1].content[1]', put('[2].content[1].is_error', true)],
      ['[2].content[0].tool_use_id', (m) => m[2].content.unshift({ type: 'tool_result', content: 'A' })],
      ['[2].content[0].is_error', 'no'],
      ['[2].content[1].content[0]', { text: 'A' }],
      ['[2].content[1].content[0]', { type: 'tool_use', id: 'c', name: 'read', input: {} }],
      ['[2].content[1].content[0]', { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1' }],
    ],
    'tool-result-without-call': [
      ['[2].content[1]', (m) => m[1].content.splice(2, 1)],
      ['[4].content[0]', put('[4].content', [{ type: 'tool_result', tool_use_id: 'a', content: 'A' }])],
    ],
    'duplicate-tool-result': [['[2].content[1]', (m) => m[2].content.splice(1, 0, { ...m[2].content[0] })]],
    'tool-result-placement': [
      ['[2].content[1]', (m) => m[2].content.unshift(m[2].content.pop()) && m[2].content.splice(1, 1) && m[1].content.splice(3, 1)],
      [
        '[3].content[0]',
        (m) =>
          m.splice(
            2,
            1,
            { role: 'user', content: [m[2].content[1], { type: 'text', text: 'And b:' }] },
            { role: 'user', content: [m[2].content[0]] },
          ),
      ],
    ],
    'server-call-without-result': [['[3].content[0]', (m) => m[3].content.splice(1, 1)]],
    'server-result-without-call': [['[3].content[0]', (m) => m[3].content.splice(0, 1)]],
    'thinking-signature': [
      ['[1].content[0]', put('[1].content[0].signature')],
      ['[1].content[0]', { type: 'redacted_thinking' }],
    ],
    'thinking-at-end': [
      [
        '[3].content[0]',
        (m) => {
          m[3].content = [{ ...m[1].content[0] }];
        },
      ],
    ],
    'too-many-bytes': [['[0]', put('[0].content[0].text', 'x'.repeat(32e6))]],
    'too-many-media': [
      ['[0].content[101]', (m) => m[0].content.push(...many(102, imageOf))],
      ['[0].content[3]', (m) => m[0].content.push(pdfOf(60), pdfOf(40), imageOf(png(8, 8)))],
    ],
    'image-bytes': [['[0].content[1]', (m) => m[0].content.push(imageOf(png(8, 8, 0, 3_932_161)))]],
    'image-pixels': [['[0].content[1]', (m) => m[0].content.push(imageOf(png(8, 8001)))]],
    'many-image-pixels': [['[0].content[1]', (m) => m[0].content.push(imageOf(png(2001, 8)), ...many(20, imageOf))]],
    'no-messages': [['', (m) => m.splice(0)]],
  },
  accepted: {
    'an empty signature, as other providers write it': put('[1].content[0].signature', ''),
    'the longest name of a call': put('[1].content[2].name', 'r'.repeat(128)),
    'results in messages of their own, one after the other': (m) =>
      m.splice(2, 1, ...m[2].content.map((block) => ({ role: 'user', content: [block] }))),
    'an assistant that has begun to answer': (m) => m.push({ role: 'assistant', content: 'You are' }),
    'an empty answer at the end': (m) => m.push({ role: 'assistant', content: [] }),
    'a server tool that is still at work': (m) => m.push({ role: 'assistant', content: [{ ...m[3].content[0], id: 'srvtoolu_2' }] }),
    'a block of a type to come': (m) => m[3].content.push({ type: 'dream', id: '' }),
    'an instruction between results and the answer': (m) => m.splice(3, 0, { role: 'system', content: 'Be briefer.' }),
    'an instruction at the end': (m) => m.push({ role: 'system', content: 'Be briefer.' }),
    'breakpoints of an hour before one of five minutes': (m) => {
      m[0].content[0].cache_control.ttl = '1h';
      m[2].content[1].cache_control = { type: 'ephemeral', ttl: '1h' };
      m[3].content[2].cache_control = { type: 'ephemeral' };
    },
    'four blocks with cache_control': (m) => m[1].content.slice(1).forEach((block) => Object.assign(block, CACHED)),
    'a result without content': (m) => {
      delete m[2].content[0].content;
      m[2].content[1].content = [];
    },
    'as many images and pages as there may be': (m) => m[0].content.push(pdfOf(40), ...many(59, imageOf, [2000, 2000])),
    'wide images, but not many': (m) => m[0].content.push(...many(19, imageOf, [8000, 2001])),
    'an image as large as one may be': (m) => m[0].content.push(imageOf(png(8, 8, 0, 3_932_160))),
  },
};
