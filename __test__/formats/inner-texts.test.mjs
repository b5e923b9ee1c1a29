// Texts of documents, and of what ran at the provider: each verb treats them as results of the caller's tools, and leaves what is beside them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { countTokens, fit, prune, recall, restore } from 'palimpsest';
import { objectionTo } from '../support/providers/formats.mjs';

const lines = (needle) =>
  Array.from({ length: 90 }, (_, at) =>
    at === 40 ? `The port of ${needle} is 4711.` : `row ${at} of table ${(at * 37) % 91} is unchanged since ${1900 + at}`,
  ).join('\n');
const text = (value) => ({ type: 'text', text: value });
const user = (content) => ({ role: 'user', content });
const model = (content) => ({ role: 'assistant', content });
const page = (data, more) => ({ type: 'document', title: 'Ports', source: { type: 'text', media_type: 'text/plain', data }, ...more });
const hosted = (id, output) => [
  { type: 'tool-call', toolCallId: id, toolName: 'fetch', input: { url: 'https://e.org' }, providerExecuted: true },
  { type: 'tool-result', toolCallId: id, toolName: 'fetch', output: { type: 'json', value: output } },
];
const anthropicHosted = (id, name, type, content) => [
  { type: 'server_tool_use', id, name, input: { url: 'https://e.org' } },
  { type, tool_use_id: id, content },
];
const claude = (make) => ({
  format: 'anthropic',
  plain: (n) => [user(`q${n}`), model([text(`a${n}`)])],
  exchange: (id, said) => [user(`Look ${id}.`), model([...make(id, said), text('ok')])],
});
const aiSdk = (make) => ({
  format: 'ai-sdk-model',
  plain: (n) => [user(`q${n}`), model([text(`a${n}`)])],
  exchange: (id, said) => [user(`Look ${id}.`), model([...hosted(id, make(said)), text('ok')])],
});

/** `exchange` makes messages with a text in them; `beside` stays wherever the text is cut. `isResult`: of a call, which `prune` knows. */
const CASES = {
  'a page that Anthropic fetched': {
    ...claude((id, said) =>
      anthropicHosted(id, 'web_fetch', 'web_fetch_tool_result', { type: 'web_fetch_result', url: 'https://e.org', content: page(said) }),
    ),
    beside: ['"title":"Ports"', '"media_type":"text/plain"'],
    isResult: true,
  },
  'a result of MCP': {
    ...claude((id, said) => [
      { type: 'mcp_tool_use', id, name: 'get', server_name: 'crm', input: { q: 'x' } },
      { type: 'mcp_tool_result', tool_use_id: id, is_error: false, content: [text(said)] },
    ]),
    beside: ['"is_error":false'],
    isResult: true,
  },
  'a document of Anthropic': {
    ...claude(() => []),
    exchange: (id, said) => [user([page(said), text(`Look ${id}.`)]), model([text('ok')])],
    beside: ['"title":"Ports"', '"media_type":"text/plain"'],
  },
  'a document of blocks': {
    ...claude(() => []),
    exchange: (id, said) => [
      user([page('', { source: { type: 'content', content: [text(said)] } }), text(`Look ${id}.`)]),
      model([text('ok')]),
    ],
    beside: ['"title":"Ports"', '"type":"content"'],
  },
  'a page that Anthropic fetched for the AI SDK': {
    ...aiSdk((said) => ({
      type: 'web_fetch_result',
      url: 'https://e.org',
      content: { type: 'document', title: 'Ports', source: { type: 'text', mediaType: 'text/plain', data: said } },
    })),
    beside: ['"title":"Ports"', '"mediaType":"text/plain"'],
    isResult: true,
  },
  'code at Anthropic for the AI SDK': {
    ...aiSdk((said) => ({ type: 'code_execution_result', stdout: said, stderr: '', return_code: 0, content: [] })),
    beside: ['"return_code":0'],
    isResult: true,
  },
  'MCP at Anthropic for the AI SDK': { ...aiSdk((said) => [text(said)]), beside: ['"type":"json"'], isResult: true },
  'a document of text of the AI SDK': {
    ...aiSdk(() => undefined),
    exchange: (id, said) => [
      user([{ type: 'file', mediaType: 'text/plain', filename: 'a.txt', data: { type: 'text', text: said } }, text(`Look ${id}.`)]),
      model([text('ok')]),
    ],
    beside: ['"filename":"a.txt"'],
  },
  'code at Google': {
    format: 'gemini',
    plain: (n) => [
      { role: 'user', parts: [{ text: `q${n}` }] },
      { role: 'model', parts: [{ text: `a${n}` }] },
    ],
    exchange: (id, said) => [
      { role: 'user', parts: [{ text: `Look ${id}.` }] },
      {
        role: 'model',
        parts: [
          { executableCode: { language: 'PYTHON', code: 'print(ports)' } },
          { codeExecutionResult: { outcome: 'OUTCOME_OK', output: said } },
          { text: 'ok' },
        ],
      },
    ],
    beside: ['"outcome":"OUTCOME_OK"', 'print(ports)'],
    isResult: true,
  },
  'a search in files of the Agents SDK': {
    format: 'openai-agents',
    plain: (n) => [
      { type: 'message', role: 'user', content: `q${n}` },
      { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: `a${n}` }] },
    ],
    exchange: (id, said) => [
      { type: 'message', role: 'user', content: `Look ${id}.` },
      {
        type: 'hosted_tool_call',
        id,
        name: 'file_search_call',
        status: 'completed',
        providerData: { type: 'file_search_call', queries: ['ports'], results: [{ file_id: 'f', filename: 'a.md', score: 1, text: said }] },
      },
      { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'ok' }] },
    ],
    beside: ['"filename":"a.md"', '"queries":["ports"]'],
    isResult: true,
  },
  'code at Anthropic for LangChain': {
    format: 'langchain',
    plain: (n) => [new HumanMessage(`q${n}`), new AIMessage(`a${n}`)],
    exchange: (id, said) => [
      new HumanMessage(`Look ${id}.`),
      new AIMessage({
        content: [
          ...anthropicHosted(id, 'bash_code_execution', 'bash_code_execution_tool_result', {
            type: 'bash_code_execution_result',
            stdout: said,
            stderr: '',
            return_code: 0,
            content: [],
          }),
          text('ok'),
        ],
      }),
    ],
    beside: ['"return_code":0'],
    // What its adapters make of hosted calls is no call of one form.
  },
  'a plain text of LangChain': {
    format: 'langchain',
    plain: (n) => [new HumanMessage(`q${n}`), new AIMessage(`a${n}`)],
    exchange: (id, said) => [
      new HumanMessage({ content: [{ type: 'text-plain', mimeType: 'text/plain', text: said }, text(`Look ${id}.`)] }),
      new AIMessage('ok'),
    ],
    beside: ['"mimeType":"text/plain"'],
  },
};

const json = JSON.stringify;

for (const [name, { format, plain, exchange, beside, isResult }] of Object.entries(CASES)) {
  const rest = [1, 2, 3, 4].flatMap(plain);
  const last = plain(5).slice(0, 1);
  const assertBack = async (result, history) => {
    assert.equal(await objectionTo(format, result.messages), null);
    const back = restore(result.messages, result.originals);
    assert.equal(json(back.messages), json(history));
    assert.deepEqual(back.missing, []);
  };

  test(`${name}: fit shortens the text, and recall finds what is gone`, async () => {
    const history = [...exchange('one', lines('the proxy')), ...rest, ...last];
    const total = countTokens(history, { format });
    const results = [0.85, 0.75, 0.65, 0.55].map((share) => fit(history, { format, limit: Math.round(total * share), margin: 0 }));
    const isThere = ({ messages }) => beside.every((one) => json(messages).includes(one));
    const result = results.findLast(isThere);
    assert.ok(result?.fits, json(results.at(-1).messages));
    const cut = json(result.messages);
    for (const one of results) await assertBack(one, history);
    const rows = Array.from({ length: 90 }, (_, at) => at).filter((at) => at !== 40);
    const gone = rows.find((at) => !cut.includes(`row ${at} of`));
    assert.ok(gone !== undefined && rows.some((at) => cut.includes(`row ${at} of`)), cut);
    const found = recall(history, result.messages, `"since ${1900 + gone}"`, { format });
    assert.ok(found.text.includes(`since ${1900 + gone}`), found.text);
  });

  if (isResult) {
    test(`${name}: prune knows that it comes again`, async () => {
      const history = [...exchange('one', lines('the proxy')), ...plain(6), ...exchange('two', lines('the proxy')), ...rest, ...last];
      for (const mode of ['stub', 'remove']) {
        // What fetches a page is the caller's to say.
        const toolMap = { web_fetch: { kind: 'read', path: 'url' }, fetch: { kind: 'read', path: 'url' } };
        const result = prune(history, { format, mode, toolMap });
        const needles = json(result.messages).split('4711').length - 1;
        assert.equal(needles, 1, `${mode}: ${json(result.messages)}`);
        await assertBack(result, history);
      }
    });
  }
}

test('documents that answers cite by characters stay as they are', () => {
  const cited = page(lines('the proxy'), { citations: { enabled: true } });
  const location = {
    type: 'char_location',
    cited_text: 'The port',
    document_index: 0,
    document_title: 'Ports',
    start_char_index: 0,
    end_char_index: 8,
  };
  const history = [
    user([cited, text('Which port?')]),
    model([{ type: 'text', text: '4711', citations: [location] }]),
    user('And now?'),
    model([text('Nothing.')]),
    user('Thanks.'),
  ];
  const total = countTokens(history);
  for (let limit = 10; limit < total; limit += 50) {
    const { messages } = fit(history, { limit, margin: 0 });
    const document = messages.flatMap(({ content }) => content).find(({ type }) => type === 'document');
    if (document !== undefined) assert.deepEqual(document, cited);
  }
});

test('a document is none of the words of the user, wherever it stands', () => {
  const history = [
    user('Hello.'),
    model([text('Hi.')]),
    user([text('Which of these ports is the one of the proxy that we talked about yesterday?'), page(lines('the proxy'))]),
  ];
  const { messages, report } = fit(history, { limit: 160, margin: 0 });
  assert.ok(json(messages).includes('Which of these ports is the one of the proxy'), json(messages));
  assert.ok(!report.cutLastWords);
});

test('a title and a context of a document count', () => {
  const count = (more) => countTokens([user([page('x', more), text('?')])]);
  assert.ok(count({ title: lines('a') }) > count({}) + 500);
  assert.ok(count({ context: lines('a') }) > count({}) + 500);
});
