// README.md and the guides keep their word: their snippets run and print what they say, and their tables are those of the code.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { calcPrice } from '@pydantic/genai-prices';
import * as dropIn from '../unbundled/drop-in.js';
import * as palimpsest from '../unbundled/index.js';
import { messageIn, say, withChatServer } from './support/chat-server.mjs';
import { PAGES, readPage, snippets as everySnippet } from './support/pages.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const read = readPage;
const snippets = everySnippet.map((snippet) => ({
  ...snippet,
  modules: [...snippet.code.matchAll(/^import (?!type).* from '([^']+)'/gm)].map(([, module]) => module),
}));
const name = ({ page, line }) => `${page.replace(/\W/g, '-')}-${line}.mts`;

const scratch = mkdtempSync(join(tmpdir(), 'palimpsest-readme-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

const node = (args, env = {}) =>
  promisify(execFile)(process.execPath, args, { cwd: scratch, env: { ...process.env, ...env }, timeout: 600_000 });

before(async () => {
  mkdirSync(join(scratch, 'node_modules'));
  const link = (module, target) => symlinkSync(target, join(scratch, 'node_modules', module), 'junction');
  link('palimpsest', root);
  mkdirSync(join(scratch, 'node_modules/@anthropic-ai'));
  for (const module of ['openai', '@anthropic-ai/sdk']) link(module, join(root, 'node_modules', module));
  for (const snippet of snippets) writeFileSync(join(scratch, name(snippet)), `${snippet.code}\nexport {};\n`);
  // Types are checked against the packed tarball, in packed.slow.test.mjs, where Express and Next.js are installed. Here they only go.
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  const options = ['--ignoreConfig', '--noCheck', '--target', 'es2022', '--module', 'nodenext', '--types', ''];
  await node([tsc, ...options, ...snippets.map(name)]);
});

for (const snippet of snippets.filter(({ modules }) => !modules.includes('express'))) {
  test(`the snippet in ${snippet.page}, line ${snippet.line}, runs and prints what it says`, async () => {
    const script = name(snippet).replace('.mts', '.mjs');
    const { stdout } = await node([script], { OPENAI_API_KEY: 'test' });
    const expected = [...snippet.code.matchAll(/\/\/ → (.*)$/gm)].map(([, text]) => text);
    assert.deepEqual(stdout.split('\n').slice(0, -1), expected);
  });
}

test('the snippet with an LLM summarises and classifies through it', async () => {
  const snippet = snippets.find(({ code }) => code.includes('export function shorten('));
  const prose = (id) => `Message ${id}. ${'We talked about the weather and about nothing else that matters. '.repeat(8)}`;
  const messages = ['a', 'b', 'c', 'd', 'e', 'f'].map((id, index) => ({
    id,
    index,
    role: index % 2 ? 'assistant' : 'user',
    content: prose(id),
  }));
  const respond = (prompt) =>
    say(
      prompt.includes('"decision"')
        ? `{"decision":"${messageIn(prompt).startsWith('Message b') ? 'preserve' : 'compress'}","confidence":1,"reason":"said so"}`
        : 'They talked about the weather.',
    );
  await withChatServer(respond, async ({ client }) => {
    const script = `import { shorten } from './${name(snippet).replace('.mts', '.mjs')}';
      console.log(JSON.stringify(await shorten(${JSON.stringify(messages)})));`;
    const env = { OPENAI_API_KEY: 'test', OPENAI_BASE_URL: client.baseURL };
    const { messages: shorter, verbatim } = JSON.parse((await node(['--input-type=module', '-e', script], env)).stdout);
    assert.match(shorter[0].content, /They talked about the weather\./);
    assert.equal(shorter[1].content, messages[1].content);
    assert.deepEqual(palimpsest.uncompress(shorter, verbatim).messages, messages);
  });
});

test('README.md has at most 200 lines, and one client in each snippet', () => {
  assert.ok(read('README.md').trimEnd().split('\n').length <= 200);
  for (const page of [...PAGES, 'docs/integrations.md']) {
    for (const [, code] of read(page).matchAll(/^```(?:js|ts)\n([\s\S]*?)^```$/gm))
      for (const name of new Set([...code.matchAll(/^const (\w+)/gm)].map(([, one]) => one)))
        assert.equal([...code.matchAll(new RegExp(`^const ${name}\\b`, 'gm'))].length, 1, `${page}: ${name}`);
  }
});

test('every model that the pages name is in the table of models, with the window that stands beside it', () => {
  const { findModel } = createRequire(import.meta.url)('../unbundled/models.js');
  let named = 0;
  for (const page of [...PAGES, 'docs/integrations.md']) {
    for (const [, code] of read(page).matchAll(/^```(?:js|ts)\n([\s\S]*?)^```$/gm)) {
      const models = [...code.matchAll(/model: (?:openai\()?'(?:openai[:/])?([^']+)'/g)].map(([, model]) => model);
      named += models.length;
      const windows = [...code.matchAll(/\bwindow: ([\d_]+)/g)].map(([, digits]) => Number(digits.replaceAll('_', '')));
      for (const model of models) {
        assert.ok(findModel(model), `${page}: ${model}`);
        for (const window of windows) assert.equal(window, findModel(model).window, `${page}: ${model}`);
      }
    }
  }
  assert.ok(named > 15, `${named} models are named`);
});

/** What stands for the model in the loops of the pages: it calls the tool four times, and then it answers. */
const LOG = Array.from({ length: 60 }, (_, line) => `12:00:${line} worker-${line % 7} wrote ${line * 31} rows`).join('\n');
const STEPS = 5;

/** A client whose `create` is asked for the request's messages; each answer is made by `answer`, given whether a call is wanted. */
const stub = (answer) => {
  const sent = [];
  const create = async (request) => answer(sent.push(structuredClone(request.messages)) < STEPS, sent.length);
  return { sent, create };
};

const loops = {
  openai() {
    const tool_calls = (n) => [{ id: `call_${n}`, type: 'function', function: { name: 'bash', arguments: '{"command":"cat log"}' } }];
    const { sent, create } = stub((calls, n) => ({
      choices: [{ message: { role: 'assistant', content: calls ? null : 'Done.', ...(calls ? { tool_calls: tool_calls(n) } : {}) } }],
      usage: { prompt_tokens: 900, completion_tokens: 5, total_tokens: 905 },
    }));
    return { sent, args: [{ chat: { completions: { create } } }, []], said: 'Done.' };
  },
  '@anthropic-ai/sdk'() {
    const { sent, create } = stub((calls, n) => ({
      content: [
        calls ? { type: 'tool_use', id: `toolu_${n}`, name: 'bash', input: { command: 'cat log' } } : { type: 'text', text: 'Done.' },
      ],
      usage: { input_tokens: 900, output_tokens: 5, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
    }));
    return { sent, args: [{ messages: { create } }, 'Be brief.', []], said: [{ type: 'text', text: 'Done.' }] };
  },
};

for (const [module, loop] of Object.entries(loops)) {
  test(`the loop with ${module} sends a longer and longer history, and answers`, async () => {
    const snippet = snippets.find(({ code, modules }) => modules.includes(module) && code.includes('createSession'));
    // Where types are stripped, the tools that the snippet declares are nobody's.
    globalThis.run = async () => LOG;
    const { createAgent } = await import(pathToFileURL(join(scratch, name(snippet).replace('.mts', '.mjs'))));
    const { sent, args, said } = loop();
    const answer = createAgent(...args);
    assert.deepEqual(await answer('Which worker is late?'), said);
    assert.equal(sent.length, STEPS);
    for (let index = 1; index < STEPS; index++) assert.equal(sent[index].length - sent[index - 1].length, 2);
    assert.deepEqual(await answer('And why?'), said);
    assert.equal(sent.at(-1).length - sent.at(-2).length, 2);
    assert.deepEqual(palimpsest.validate(sent.at(-1)), []);
  });
}

const importLoop = (snippet) => import(pathToFileURL(join(scratch, name(snippet).replace('.mts', '.mjs'))));
/** Turns of which each takes some thousand tokens. */
const turns = Array.from({ length: 30 }, (_, turn) => ({
  role: turn % 2 ? 'assistant' : 'user',
  content: Array.from(
    { length: 500 },
    (_, line) => `Job ${turn * 31 + line} of worker-${(turn + line) % 9} wrote ${turn * line} rows.`,
  ).join('\n'),
}));

test('a full history that is fitted in each turn is the same as with originals carried from turn to turn', () => {
  const history = [{ role: 'user', content: 'Hello' }];
  let [sent, originals, cut] = [[{ role: 'user', content: 'Hello' }], {}, 0];
  for (const message of turns) {
    history.push(message);
    const { messages } = palimpsest.fit(history, { limit: 50_000 });
    assert.ok(palimpsest.countTokens(messages) <= 50_000);
    assert.deepEqual(messages.at(-1), message);
    const carried = palimpsest.fit([...sent, message], { limit: 50_000, originals });
    assert.deepEqual(carried.missing, []);
    assert.deepEqual(messages, carried.messages);
    ({ messages: sent, originals } = carried);
    cut += Number(Object.keys(originals).length > 0);
  }
  assert.ok(cut > 5, 'the budget is exceeded');
});

test('the loop over what was sent loses nothing', async () => {
  const loop = await importLoop(snippets.find(({ code }) => /^export function next/m.test(code)));
  const said = [];
  let cuts = 0;
  for (const message of turns) {
    said.push(message);
    const before = loop.originals;
    assert.ok(palimpsest.countTokens(loop.next(message)) <= 100_000);
    cuts += Number(loop.originals !== before);
    const back = palimpsest.restore(loop.history, loop.originals);
    assert.deepEqual([back.messages, back.missing], [said, []]);
  }
  assert.ok(cuts > 1, `cut ${cuts} times`);
});

/** The options that `index.d.ts` describes: name → default, as its comment says it. */
function documentedOptions() {
  const [, body] = read('index.d.ts').match(/^export interface CompressOptions[^\n]*\n([\s\S]*?)^}/m);
  const options = [...body.matchAll(/\/\*\*([\s\S]*?)\*\/\s*(\w+)\?:/g)];
  return options.map(([, comment, option]) => {
    const text = comment.replace(/\s*\n\s*\*/g, ' ');
    const value = text.match(/Default (?:`([^`]+)`|\{@link (\w+)\}|([\w.]*\w))/);
    assert.ok(value, `the comment on ${option} names no default`);
    return [option, value[1] ?? value[2] ?? value[3]];
  });
}

test('docs/sessions.md has the prices and presets that sessions decide by', () => {
  const docs = read('docs/sessions.md');
  const { CACHES } = createRequire(import.meta.url)('../unbundled/options/presets.js');
  const units = { minute: 60_000, minutes: 60_000, hour: 3_600_000 };
  const priced = [...docs.matchAll(/^\| `'([\w-]+)'` \| ([\d.]+) \| ([\d.]+) \| (?:(\d+) (\w+))? ?\| (?:([\d,]+) tokens)? ?\|$/gm)];
  assert.deepEqual(
    priced.map(([, cache]) => cache),
    Object.keys(CACHES),
  );
  for (const [, cache, read, write, lives, unit, minimum] of priced) {
    const told = {
      read: Number(read),
      write: Number(write),
      ttl: lives ? lives * units[unit] : Infinity,
      minimum: Number((minimum ?? '0').replace(',', '')),
    };
    const { ends, ...prices } = CACHES[cache];
    assert.deepEqual(told, prices, cache);
  }
  // An epoch that is forced says what it aims at, and so does one after a pause.
  const history = Array.from({ length: 60 }, (_, index) => ({
    role: index % 2 ? 'assistant' : 'user',
    content: `Job ${index} waited ${index * 7} s for backup-${index * 3}. `.repeat(4),
  }));
  const presets = [...docs.matchAll(/`(careful|balanced|thrifty)` ([\d.]+) and ([\d.]+)/g)];
  assert.equal(presets.length, 3);
  for (const [, preset, low, coldLow] of presets) {
    let time = 0;
    const open = (limit) => palimpsest.createSession({ limit, preset, cache: 'anthropic', now: () => time });
    // What belongs to no message is part of the limit, and no part of the choice.
    const tokensOf = (messages) => palimpsest.countTokens(messages, { format: 'anthropic' });
    const besides = tokensOf(history) - history.reduce((sum, message) => sum + tokensOf([message]), 0);
    const fixed = besides / (1 - history.length);
    const isTarget = (target, limit, share) => assert.ok(Math.abs(target - fixed - share * (limit - fixed)) < 1e-6, `${target}, ${fixed}`);
    isTarget(open(2000).next(history).epoch.target, 2000, low);
    const idle = open(3000);
    idle.next(history.slice(0, 2));
    time += 300_001;
    const { epoch } = idle.next(history.slice(0, 54));
    assert.equal(epoch.reason, 'cold');
    isTarget(epoch.target, 3000, coldLow);
  }
});

test('docs/reference/cache-prices.md has the prices of the list that the command line uses, and what to give for each', () => {
  const providers = {
    Anthropic: 'anthropic',
    Bedrock: 'aws',
    Vertex: 'google',
    OpenAI: 'openai',
    Gemini: 'google',
    DeepSeek: 'deepseek',
    xAI: 'x-ai',
    Moonshot: 'moonshotai',
    Zhipu: 'zhipuai',
  };
  const { CACHES } = createRequire(import.meta.url)('../unbundled/options/presets.js');
  const { cacheOf } = createRequire(import.meta.url)('../unbundled/session/cache.js');
  const { findCache, findModel, MODELS } = createRequire(import.meta.url)('../unbundled/models.js');
  const named = new Set();
  const rows = [
    ...read('docs/reference/cache-prices.md').matchAll(/^\| (\w+)[^:|]*: (.+) \| ([\d.]+) \| ([\d.]+) \| .+ \| .+ \| `(.+)` \|$/gm),
  ];
  assert.deepEqual([...new Set(rows.map(([, provider]) => provider))].sort(), Object.keys(providers).sort());
  for (const [row, provider, models, cached, written, given] of rows) {
    const cache = new Function(`return ${given}`)();
    palimpsest.createSession({ limit: 1000, cache });
    const { read: readPrice, write = 1, ttl } = typeof cache === 'string' ? CACHES[cache] : cache;
    assert.deepEqual([readPrice, write], [Number(cached), Number(written)], row);
    const lives = row.match(/\| (\d+) (minute|hour)s?\b/);
    if (lives) assert.equal(ttl, lives[1] * { minute: 60_000, hour: 3_600_000 }[lives[2]], row);
    for (const [, model] of models.matchAll(/`([^` ]+)`/g)) {
      // A session that is told the model alone has the same cache as one that is told the cache.
      const known = findModel(model);
      if (known !== undefined && written !== '2') {
        const { minimum, ...own } = cacheOf(undefined, { ...known, cache: findCache(model) }, {});
        const { minimum: most, ...told } = cacheOf(cache, undefined, {});
        assert.deepEqual(own, told, `${model}: ${row}`);
        const least = row.split(' | ')[4];
        if (least !== '–') assert.deepEqual([minimum, most], Array(2).fill(Number(least.replace(',', ''))), `${model}: ${row}`);
        named.add(model);
      }
      const options = { providerId: providers[provider], timestamp: new Date('2026-11-27') };
      const { model_price: price } = calcPrice({ input_tokens: 1, output_tokens: 1 }, model, options);
      const base = (one) => one?.base ?? one;
      const input = base(price.input_mtok);
      assert.ok(Math.abs(base(price.cache_read_mtok) / input - cached) < 0.002, `${row}: ${JSON.stringify(price)}`);
      assert.ok(Math.abs((base(price.cache_write_mtok) ?? input) / input - written) < 0.002, `${row}: ${JSON.stringify(price)}`);
    }
  }
  // No cache of a model is missing on the page, but for models without a price.
  const missing = MODELS.flatMap(([names]) => names.split(' ')).filter((name) => findCache(name) && !named.has(name));
  assert.deepEqual(missing, ['gpt-6.2-astra', 'gpt-5.6-cyber']);
});

test('an option that is given its default changes nothing', () => {
  assert.ok(documentedOptions().length >= 20);
  const text = (topic, count) => `We talked about the ${topic}. `.repeat(count);
  const lines = Array.from({ length: 20 }, (_, line) => `line ${line} of the log`);
  const messages = [
    { id: 'rules', index: 0, role: 'system', content: text('rules', 20) },
    ...['roof', 'door', 'wall', 'roof', 'yard', 'tree'].map((topic, index) => ({
      id: `m${index}`,
      index: index + 1,
      role: index % 2 ? 'assistant' : 'user',
      content: text(topic, 20),
    })),
    { id: 'log', index: 7, role: 'tool', content: lines.join('\n') },
    { id: 'again', index: 8, role: 'tool', content: [...lines.slice(1), 'one line is new'].join('\n') },
    ...Array.from({ length: 4 }, (_, index) => ({ id: `end${index}`, index: index + 9, role: 'user', content: text('end', 20 + index) })),
  ];
  const none = (value) =>
    value === 'none' ? undefined : value === 'defaultTokenCounter' ? dropIn.defaultTokenCounter : JSON.parse(value.replaceAll("'", '"'));
  for (const base of [{}, { fuzzyDedup: true, trace: true }, { tokenBudget: 700, forceConverge: true }]) {
    for (const [option, value] of documentedOptions()) {
      if (option in base) continue;
      assert.deepEqual(palimpsest.compress(messages, { ...base, [option]: none(value) }), palimpsest.compress(messages, base), option);
    }
  }
  // And the conversation is one in which the defaults matter.
  const { compression } = palimpsest.compress(messages, { fuzzyDedup: true });
  assert.ok(compression.messages_deduped > 0 && compression.messages_fuzzy_deduped > 0 && compression.messages_compressed > 0);
});

test('everything that the pages name exists', () => {
  const text = PAGES.map(read).join('\n');
  const { scripts } = JSON.parse(read('package.json'));
  const exported = { palimpsest, 'palimpsest/compress': dropIn };
  for (const [, names, module] of text.matchAll(/import \{([^}]*)\} from '(palimpsest(?:\/compress)?)'/g)) {
    for (const one of names
      .split(',')
      .map((part) => part.trim())
      .filter((part) => !part.startsWith('type ')))
      assert.ok(one in exported[module], one);
  }
  // `npm run bench` comes with the benchmark.
  const commands = [...text.matchAll(/npm run (\w+)/g)].map(([, script]) => script);
  for (const script of commands) assert.ok(scripts[script], `npm run ${script}`);
});

test('the files and folders that ARCHITECTURE.md and CONTRIBUTING.md name exist', () => {
  // What may lie beside the checkout, such as `../shared`, need not.
  const named = ['ARCHITECTURE.md', 'CONTRIBUTING.md'].flatMap((page) => [...read(page).matchAll(/`((?!\.\.\/)[\w.-]+\/[\w./-]*)`/g)]);
  assert.ok(named.length > 50);
  assert.deepEqual(
    [...new Set(named.map(([, path]) => path))].filter((path) => !existsSync(join(root, path))),
    [],
  );
});

test('types list every reason and action of the trace', () => {
  const names = [
    ...read('crates/drop-in/src/compress/decisions.rs').matchAll(
      /(?:Action|Reason)::\w+(?:\(\w+\))? => (?:return write!\(formatter, )?"(\w+)/g,
    ),
  ];
  assert.ok(names.length >= 26, 'decisions.rs is not read rightly');
  for (const [, one] of names) {
    assert.match(read('index.d.ts') + read('drop-in.d.ts'), new RegExp(`[\`']${one}\\b`));
  }
});
