// Results in fewer tokens before anything is cut: what goes is what `support/shorter.mjs`, written apart, says; all comes back; edits find what they quote.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { countTokens, createSession, fit, fitRequest, restore, validate } from 'palimpsest';
import { CORPORA } from '../support/corpus.mjs';
import { Random } from '../support/random.mjs';
import { cases, IS_WHOLE, SEED, someOf } from '../support/seed.mjs';
import { isSameOrShorter, shorterOf, variantsOf, withTables } from '../support/shorter.mjs';
import { FORMATS, sayIn } from '../support/transcripts.mjs';
import { closed, lines, resultOf, sentence, Talk } from './talk.mjs';

const numbered = (from, count, arrow = '→') =>
  lines(count, (n) => `${String(from + n).padStart(6)}${arrow}${n % 5 === 0 ? '' : '  '}${sentence(n)}`);
const rows = (count) => Array.from({ length: count }, (_, n) => ({ id: n, full_name: sentence(n), is_active: n % 2 === 0, at: { x: n } }));
const coloured = lines(20, (n) => `\u001b[3${n % 8}m${sentence(n)}\u001b[0m`);
const progress = `${Array.from({ length: 50 }, (_, n) => `Downloading ${String(n * 2).padStart(3)}%`).join('\r')}\n${lines(10)}`;
const waiting = `${'waiting for the lock of the database\n'.repeat(30)}${lines(10)}`;

/** Fits a conversation with one result into as many tokens as it has without blanks and all that, and some less than it has. */
function shortened(name, args, output, options = {}) {
  const { messages, tokens } = closed(new Talk().user('Go on.').call(name, args, output));
  const fitted = fit(messages, { limit: tokens - 1, ...options });
  assert.ok(fitted.fits);
  assert.deepEqual(restore(fitted.messages, fitted.originals).messages, messages);
  return { text: resultOf(fitted.messages), ...fitted };
}

/** What the trace says, by what a result is. The call is behind the instructions and what the user says. */
const EVIDENCE = {
  numbered: (tool) => `message 2, ${tool} writes the numbers of lines itself`,
  terminal: (tool, { command }) => `message 2, ${tool} "${command}" prints no lines of files`,
  other: (tool) => `message 2, ${tool} and what it was asked for name no file`,
};

describe('a result is written shorter', () => {
  const cases = {
    'blanks before line numbers': ['Read', { file_path: 'a.ts' }, numbered(95, 12), 'numbered', 'lineNumbers'],
    colours: ['Bash', { command: 'make' }, coloured, 'terminal', 'escapes'],
    'states of a line': ['Bash', { command: 'make' }, progress, 'terminal', 'escapes'],
    'indented JSON': ['get_user', { id: 1 }, JSON.stringify({ a: rows(2), b: '1.0' }, null, 2), 'other', 'json'],
    'a table': ['list_users', {}, JSON.stringify({ users: rows(12), next: null }), 'other', 'tables'],
    'equal lines': ['Bash', { command: 'make' }, waiting, 'terminal', 'repeats'],
  };
  for (const [name, [tool, args, output, content, kind]] of Object.entries(cases)) {
    test(name, () => {
      const { text, report, tokens } = shortened(tool, args, output, { trace: true });
      assert.equal(text, shorterOf(output, content));
      const traced = report.trace.flatMap(({ message, shortened = [] }) => shortened.map((trace) => ({ in: message, ...trace })));
      assert.deepEqual(
        traced.map(({ in: index, message, by, evidence }) => ({ index, message, by, evidence })),
        [{ index: 3, message: 3, by: [kind], evidence: EVIDENCE[content](tool, args) }],
      );
      assert.ok(text.length < output.length);
      assert.deepEqual(report.shortened, { [kind]: tokens.before - tokens.after });
      assert.equal(report.shortened[kind], countTokens(output) - countTokens(text));
    });
  }

  test('unless the option says no, `keep` names it, or all fits', () => {
    const [tool, args, output] = cases['a table'];
    assert.notEqual(shortened(tool, args, output).text, output);
    for (const options of [{ shorten: false }, { keep: { tools: [tool] } }, { keep: { patterns: [/"id":3,/] } }]) {
      const { report } = shortened(tool, args, output, options.keep ? { ...options, limit: 1e6 } : options);
      assert.equal(report.shortened, undefined);
    }
    const { messages, tokens } = closed(new Talk().user('Go on.').call(tool, args, output));
    const { messages: same, report } = fit(messages, { limit: tokens });
    assert.ok(same.every((message, index) => message === messages[index]));
    assert.equal(report.shortened, undefined);
  });

  test('in the format of a request, and by a counter of the caller', () => {
    const { messages } = closed(new Talk().user('Go on.').call('list_users', {}, JSON.stringify(rows(20), null, 2)));
    const limit = countTokens(messages) - 1;
    const { request, report } = fitRequest({ model: 'gpt-5.5', messages }, { limit });
    assert.deepEqual(Object.keys(report.shortened), ['json', 'tables']);
    assert.equal(report.shortened.json + report.shortened.tables, countTokens(messages) - countTokens(request.messages));
    const tokenCounter = ({ content }) => (content ?? '').length;
    const counted = fit(messages, { limit: messages.reduce((sum, message) => sum + tokenCounter(message), -1), tokenCounter });
    assert.equal(
      counted.tokens.after,
      counted.messages.reduce((sum, message) => sum + tokenCounter(message), 0),
    );
    assert.equal(counted.tokens.before - counted.tokens.after, counted.report.shortened.json + counted.report.shortened.tables);
  });
});

describe('what an edit quotes stays', () => {
  const json = JSON.stringify({ name: 'palimpsest', files: rows(6) }, null, 2);
  const texts = [json, `${waiting}${coloured}`, `on:\n  1: a\n  2: b\n  3: c\n   7\tx\n${lines(30)}`];
  const calls = [
    ['Read', { file_path: 'a.json' }],
    ['Bash', { command: 'cat a.json' }],
    ['Bash', { command: 'git show HEAD:a.json' }],
    ['bash', { command: 'sed -n 1,90p a.json' }],
    ['mcp__files__read_file', { path: 'a.json' }],
    ['str_replace_based_edit_tool', { command: 'view', path: 'a.json' }],
    ['Edit', { file_path: 'a.json', old_string: 'a', new_string: 'b' }],
  ];
  for (const [name, args] of calls)
    test(`in a result of ${name} ${Object.values(args)[0]}`, () => {
      for (const text of texts) {
        const { messages, tokens } = closed(new Talk().user('Go on.').call(name, args, text));
        const { report, messages: fitted } = fit(messages, { limit: tokens - 1 });
        assert.equal(report.shortened, undefined);
        for (const line of resultOf(fitted).split('\n')) assert.ok(line.includes('[…') || text.includes(line), line);
      }
    });

  test('each line of a numbered file is there, number and text', () => {
    const text = numbered(1, 40);
    const { text: made } = shortened('Read', { file_path: 'a.ts' }, text);
    assert.deepEqual(
      made.split('\n'),
      text.split('\n').map((line) => line.trimStart()),
    );
  });

  test('nor words of the user, in whatever they are', () => {
    const said = `The user answered: ${coloured}`;
    const rejected = `The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\n${waiting}`;
    for (const messages of [
      closed(
        new Talk()
          .user(JSON.stringify(rows(20), null, 2))
          .assistant(waiting)
          .user(said),
      ).messages,
      closed(new Talk().user('Go on.').call('Bash', { command: 'x' }, rejected)).messages,
    ])
      assert.equal(fit(messages, { limit: countTokens(messages) - 1 }).report.shortened, undefined);
  });
});

/** A text that a tool might give. */
function textOf(random) {
  const some = (make) => Array.from({ length: random.integer(1, 12) }, (_, n) => make(n)).join(random.pick(['\n', '\n', '\r\n']));
  const value = (depth) => {
    const kind = random.integer(0, depth > 0 ? 6 : 3);
    if (kind < 3)
      return random.pick([null, true, 1.5, 12345678901234567000, '', 'a "quoted" → text', ' blanks  ', sentence(random.integer(0, 99))]);
    if (kind === 3) return random.integer(0, 1e6);
    if (kind === 4) return Array.from({ length: random.integer(0, 5) }, () => value(depth - 1));
    const names = ['id', 'name', 'a long name of it', '__proto__', 'é"'].slice(0, random.integer(1, 5));
    const object = () => JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:${JSON.stringify(value(depth - 1))}`).join()}}`);
    return kind === 5 ? object() : Array.from({ length: random.integer(1, 8) }, object);
  };
  const makers = [
    () => some((n) => `${' '.repeat(random.integer(0, 6))}${random.integer(1, 3) + n}${random.pick(['→', '\t', ':', ' '])}${sentence(n)}`),
    () => numbered(random.pick([1, 95, 998, 99_998]), random.integer(1, 9), random.pick(['→', '\t'])),
    () => JSON.stringify(value(3), null, random.pick([0, 1, 2, '\t'])),
    () => JSON.stringify(value(2)).replaceAll(',', ' ,\r\n').replaceAll(':', ' : '),
    () =>
      some((n) =>
        random.pick([
          sentence(n),
          '\u001b[1mbold\u001b[0m',
          '\u001b]0;title\u0007x',
          ...(random.chance(0.1) ? ['\u001b', '\u001b[31'] : []),
        ]),
      ),
    () =>
      some((n) =>
        random.pick([`Downloading ${n}%\rDownloading ${n + 1}%`, `${sentence(n)}\rshort`, 'gone\r\u001b[Know', 'gone\r\u001b[K'.repeat(6)]),
      ),
    () => some(() => `${random.pick(['same line of the log', '  }', '', sentence(1)])}\n`.repeat(random.integer(1, 6)).trimEnd()),
    () => `${sentence(1)}\u001b]8;;https://example.org\u001b\\link\u001b]8;;\u001b\\`,
  ];
  return Array.from({ length: random.integer(1, 3) }, () => random.pick(makers)()).join('\n');
}
/** A turn of the model with a call and its result: a text, or an object. */
const called = (id, [name, args], output) => ({
  who: 'assistant',
  reasoning: null,
  text: null,
  calls: [{ id, name, args, result: resultFrom(output), answered: true }],
  odd: false,
});
const resultFrom = (output) => ({
  blocks: typeof output === 'string' ? output : JSON.stringify(output),
  json: typeof output === 'string' ? null : output,
  failed: false,
});
/** Formats that take an object as a result. */
const TYPED = ['ai-sdk-model', 'ai-sdk-ui', 'gemini', 'mastra'];

describe('the texts in an object', () => {
  const log = `${waiting}\n${coloured}\n${JSON.stringify(rows(5), null, 2)}`;
  const indented = JSON.stringify(rows(9), null, 2);
  const mcp = (...texts) => ({ content: texts.map((text) => ({ type: 'text', text })), isError: false });
  const cases = {
    'what a command printed': [{ stdout: log, stderr: '', exit_code: 0 }, log],
    'the content of an MCP tool': [mcp(waiting, coloured), waiting, coloured],
    'JSON in the content of an MCP tool': [mcp(indented), indented],
    'a text that is deep inside': [{ stdout: '', data: { 'a "b"': [1, { output: waiting }], more: null } }, waiting],
  };
  for (const [name, [object, ...texts]] of Object.entries(cases))
    test(`${name}: are shorter in every format, as they would be alone`, () => {
      const saved = [];
      for (const format of FORMATS) {
        const say = (output) =>
          sayIn(format, {
            system: null,
            turns: [
              { who: 'user', text: 'Go on.', more: [] },
              called('call_1', ['Bash', { command: 'make' }], output),
              { who: 'assistant', reasoning: null, text: 'So it is.', calls: [], odd: false },
              { who: 'user', text: 'And now?', more: [] },
            ],
          });
        const messages = say(object);
        const limit = countTokens(messages, { format }) - 1;
        const { messages: fitted, originals, tokens } = fit(messages, { limit, format, margin: 0 });
        assert.deepEqual(fitted, say(shorterIn(format, object, 'terminal')), format);
        assert.deepEqual(restore(fitted, originals).messages, messages, format);
        assert.deepEqual(validate(fitted, { format }), validate(messages, { format }), format);
        saved.push(tokens.before - tokens.after);
        const { messages: sent } = createSession({ limit: 1e6, format }).next(messages);
        assert.deepEqual(sent, fitted, format);
      }
      const alone = texts.reduce((sum, text) => sum + countTokens(text) - countTokens(shorterOf(text, 'terminal')), 0);
      // In JSON an escape has more tokens.
      assert.ok(Math.min(...saved) >= alone - 2 && Math.max(...saved) - Math.min(...saved) <= 2, `${saved} for ${alone}`);
    });

  test('keep the shape that a program gave them, and files their text', () => {
    const tool = (format, call, output) => {
      const messages = sayIn(format, {
        system: null,
        turns: [{ who: 'user', text: 'Go on.', more: [] }, called('call_1', call, output), { who: 'user', text: 'And now?', more: [] }],
      });
      return { messages, ...fit(messages, { limit: countTokens(messages, { format }) - 1, format, margin: 0 }).report };
    };
    for (const format of TYPED) assert.equal(tool(format, ['list_users', {}], { users: rows(9) }).shortened, undefined, format);
    for (const format of TYPED)
      assert.deepEqual(Object.keys(tool(format, ['Read', { file_path: 'a.ts' }], { text: numbered(1, 20) }).shortened), ['lineNumbers']);
    for (const text of [numbered(1, 20), waiting])
      assert.equal(tool('openai-chat', ['Read', { file_path: 'a.json' }], JSON.stringify({ text })).shortened, undefined);
  });
});

/** What a tool might give: a text, or an object with one. */
function outputOf(random) {
  const text = textOf(random);
  return random.pick([text, text, { stdout: text, exit_code: 0 }, { content: [{ type: 'text', text }] }]);
}
/** What a result becomes: formats that take no object get its JSON. */
const shorterIn = (format, output, content) =>
  shorterOf(TYPED.includes(format) || typeof output === 'string' ? output : JSON.stringify(output), content);
const TOOLS = [
  ['Read', { file_path: 'a.ts' }, 'numbered'],
  ['Grep', { pattern: 'a' }, 'file'],
  ['Bash', { command: 'make' }, 'terminal'],
  ['list_users', { page: 1 }, 'other'],
];

test('any result becomes what it should, in every format, and comes back byte for byte', () => {
  const seen = Object.fromEntries(FORMATS.map((format) => [format, 0]));
  const random = new Random(SEED);
  for (let round = 0; round < cases(400); round++) {
    const format = FORMATS[round % FORMATS.length];
    const made = Array.from({ length: random.integer(1, 4) }, () => ({ tool: random.pick(TOOLS), output: outputOf(random) }));
    const turns = made.map(({ tool, output }, index) => called(`call_${index}`, tool, output));
    const spoken = {
      system: null,
      turns: [{ who: 'user', text: 'Go on.', more: [] }, ...turns, { who: 'user', text: 'And now?', more: [] }],
    };
    const messages = sayIn(format, spoken);
    const total = countTokens(messages, { format });
    const result = fit(messages, { limit: total - 1, format, margin: 0 });
    assert.equal(result.tokens.before, total);
    assert.equal(result.tokens.after, countTokens(result.messages, { format }));
    assert.deepEqual(restore(result.messages, result.originals).messages, messages);
    if (result.report.shortened === undefined || JSON.stringify(result.messages).includes('cut here')) continue;
    // Where nothing else went, each text is what it should be.
    const expected = made.map(({ tool: [, , content], output }) => shorterIn(format, output, content));
    const whole = sayIn(format, { ...spoken, turns: spoken.turns.map(withResults(expected)) });
    if (result.report.messages.removed > 0 || result.tokens.after !== countTokens(whole, { format })) continue;
    assert.equal(JSON.stringify(result.messages), JSON.stringify(whole));
    seen[format]++;
  }
  const counts = Object.values(seen);
  assert.ok(counts.reduce((sum, count) => sum + count) > cases(60), JSON.stringify(seen));
  // A few rounds may leave a format out.
  if (IS_WHOLE) assert.ok(Math.min(...counts) > 0, JSON.stringify(seen));
});

const withResults = (outputs) => (turn, index) =>
  turn.who === 'user' ? turn : { ...turn, calls: turn.calls.map((call) => ({ ...call, result: resultFrom(outputs[index - 1]) })) };

test('a table says what the objects said', () => {
  const random = new Random(SEED);
  let tables = 0;
  const unfolded = (value) => {
    if (value === null || typeof value !== 'object') return value;
    if (!Array.isArray(value)) return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, unfolded(inner)]));
    const [mark] = Object.keys(value[0] ?? {});
    if (!/^\[… \d+ items, a row each\]$/.test(mark ?? '')) return value.map(unfolded);
    tables++;
    const names = value[0][mark];
    assert.equal(Number(mark.match(/\d+/)[0]), value.length - 1);
    return value.slice(1).map((row) => Object.fromEntries(row.map((inner, column) => [names[column], inner])));
  };
  for (let round = 0; round < cases(60); round++) {
    const value = { rows: rows(random.integer(3, 30)), more: [{ deep: rows(random.integer(1, 9)) }] };
    const { text } = shortened('list_users', {}, JSON.stringify(value, null, random.pick([0, 2])));
    assert.equal(text, withTables(JSON.stringify(value)));
    assert.deepEqual(unfolded(JSON.parse(text)), value);
  }
  assert.ok(tables > cases(60));
});

describe('a session', () => {
  /** Sends a history message by message, as an agent does, and resumes at times. Returns the last step and what is saved in the end. */
  function live(messages, options, each = () => {}) {
    let session = createSession(options);
    let last = [];
    let step;
    for (let count = 1; count <= messages.length; count++) {
      if (messages[count - 1].role === 'assistant') continue;
      if (count % 5 === 0) session = createSession(options, JSON.parse(JSON.stringify(session)));
      const given = messages.slice(0, count);
      step = session.next(count % 3 === 0 ? structuredClone(given) : given);
      if (!step.epoch) {
        assert.deepEqual(step.messages.slice(0, last.length), last, 'the prefix holds');
        assert.equal(step.report.messages.reused, last.length);
      }
      assert.equal(step.tokens.before, countTokens(given, { format: options.format }));
      assert.equal(step.tokens.after, countTokens(step.messages, { format: options.format }));
      each(step, given);
      last = structuredClone(step.messages);
    }
    return { step, report: session.report };
  }

  const talk = new Talk().user('Go on.');
  for (let n = 0; n < 8; n++) {
    talk.call('Read', { file_path: `f${n}.ts` }, numbered(1 + n, 30));
    talk.call('list_users', { page: n }, JSON.stringify(rows(10), null, 2));
    talk.call('Bash', { command: `make ${n}` }, waiting);
  }
  const { messages } = talk.assistant('So it is.').user('And now?');
  const format = 'openai-chat';

  test('sends results shorter from the first time on, and counts what that saved', () => {
    const { step, report } = live(messages, { limit: 1e6, format }, ({ messages: sent }, given) => {
      const results = new Set(given.flatMap(({ role, content }) => (role === 'tool' ? content : [])));
      assert.ok(isSameOrShorter(sent, given, (text) => results.has(text)));
    });
    const saved = Object.values(report.shortened).reduce((sum, tokens) => sum + tokens);
    assert.deepEqual(Object.keys(report.shortened), ['lineNumbers', 'json', 'tables', 'repeats']);
    assert.equal(saved, step.tokens.before - step.tokens.after);
  });

  test('chooses from the shorter texts at an epoch', () => {
    const { report } = live(messages, { limit: 6000, format });
    assert.ok(Object.values(report.epochs).reduce((sum, count) => sum + count) > 0);
  });

  test('sends all as it is with `shorten: false`', () => {
    const { report } = live(messages, { limit: 1e6, format, shorten: false }, (step, given) => assert.deepEqual(step.messages, given));
    assert.equal(report.shortened, undefined);
  });

  test('goes on as it was where the option changed', () => {
    const [before, after] = [messages.slice(0, 25), messages];
    const json = (options) => {
      const session = createSession({ limit: 1e6, format, ...options });
      return { sent: session.next(before).messages, saved: JSON.parse(JSON.stringify(session)) };
    };
    const on = json({});
    const off = json({ shorten: false });
    for (const [{ sent, saved }, shorten] of [
      [on, false],
      [off, true],
    ]) {
      const resumed = createSession({ limit: 1e6, format, shorten }, JSON.parse(JSON.stringify(saved))).next(after);
      assert.deepEqual(resumed.messages.slice(0, sent.length), sent);
      const isShorter = resumed.messages
        .slice(sent.length)
        .some((message, index) => message.content !== after[sent.length + index].content);
      assert.equal(isShorter, shorten);
    }
  });

  test('moves a breakpoint of the caller to and from a shorter result', () => {
    const said = sayIn('anthropic', {
      system: null,
      turns: [
        { who: 'user', text: 'Go on.', more: [] },
        ...[0, 1, 2].map((index) => called(`call_${index}`, ['Read', { file_path: 'a.ts' }], numbered(1, 20))),
      ],
    });
    const session = createSession({ limit: 1e6, format: 'anthropic' });
    const at = said
      .map(({ role, content }, index) => (role === 'user' && Array.isArray(content) ? index : -1))
      .filter((index) => index > 0);
    for (const place of at) {
      const marked = structuredClone(said.slice(0, place + 1));
      marked[place].content.at(-1).cache_control = { type: 'ephemeral' };
      const { messages: sent, report } = session.next(marked);
      assert.deepEqual(sent[place].content.at(-1).cache_control, { type: 'ephemeral' });
      assert.equal(JSON.stringify(sent).split('cache_control').length, 2);
      assert.doesNotMatch(JSON.stringify(sent), / {2}\d+→/);
      assert.equal(report.messages.reused, place === at[0] ? 0 : place - 1);
    }
  });

  test('leaves whole what the model signed its thinking behind before the session saw it', () => {
    const thinking = (text) => ({ type: 'thinking', thinking: text, signature: 'EqoBCkgIARABGAIiQL8a' });
    const round = (id, output) => [
      { role: 'assistant', content: [thinking('So.'), { type: 'tool_use', id, name: 'Read', input: { file_path: `${id}.ts` } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: output }] },
    ];
    const history = [{ role: 'user', content: 'Go on.' }, ...round('a', numbered(1, 9)), ...round('b', numbered(1, 9))];
    const { messages: sent } = createSession({ limit: 1e6, format: 'anthropic' }).next(history);
    assert.deepEqual(sent.slice(0, 4), history.slice(0, 4));
    assert.equal(sent[4].content[0].content, shorterOf(numbered(1, 9), 'numbered'));
  });

  test('writes that shorter, too, where a request has no room for it and the thinking is gone', () => {
    const output = JSON.stringify(rows(40), null, 2);
    const history = [
      { role: 'user', content: 'Go on.' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'list_users', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: output }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'So.', signature: 'EqoBCkgIARABGAIiQL8a' },
          { type: 'text', text: 'Read.' },
        ],
      },
    ];
    const next = [...history, { role: 'user', content: 'And now?' }];
    const shorter = shorterOf(output, 'other');
    const tokens = countTokens(next, { format: 'anthropic' }) - (countTokens(output) - countTokens(shorter)) / 2;
    const options = { limit: Math.ceil(tokens), format: 'anthropic', keep: { recent: 4 } };
    const session = createSession(options);
    const step = session.next(history);
    assert.ok(step.fits && step.tokens.after === countTokens(step.messages, { format: 'anthropic' }));
    assert.equal(step.messages[2].content[0].content, shorter);
    assert.deepEqual(step.messages[3].content, [{ type: 'text', text: 'Read.' }]);
    assert.deepEqual(Object.keys(session.report.shortened), ['json', 'tables']);
    const resumed = createSession(options, JSON.parse(JSON.stringify(session)));
    for (const one of [session, resumed]) {
      const { messages: sent, tokens, report } = one.next(next);
      assert.deepEqual(sent, [...step.messages, next.at(-1)]);
      assert.equal(report.messages.reused, step.messages.length);
      assert.equal(tokens.before, countTokens(next, { format: 'anthropic' }));
    }
    assert.deepEqual(resumed.report.shortened, session.report.shortened);
    // Thinking that has to stay is valid only behind the result as it was.
    for (const change of [{ thinking: 'keep' }, { shorten: false }]) {
      const { fits, messages: sent } = createSession({ ...options, ...change }).next(history);
      assert.ok(!fits && sent[2].content[0].content === output);
    }
  });

  test('says that a history is what it sent', () => {
    const session = createSession({ limit: 1e6, format });
    const first = session.next(messages.slice(0, 4));
    session.next([...first.messages, ...messages.slice(4, 6)]);
    assert.ok(session.report.mistakes.some(({ kind }) => kind === 'history-is-request'));
  });
});

for (const { corpus, native, skip } of CORPORA)
  test(`${corpus}: all come back, and what is only shorter is what it should be`, { skip }, () => {
    let shorter = 0;
    // The small one has no result that certainly shows no file.
    const { messages: made } = closed(new Talk().user('Go on.').call('Bash', { command: 'make' }, waiting).user('And now?'));
    for (const { messages, format } of [...someOf(native()), { messages: made, format: 'openai-chat' }]) {
      const total = countTokens(messages, { format });
      for (const share of [0.98, 0.6]) {
        const {
          messages: fitted,
          originals,
          report,
        } = fit(messages, { limit: Math.floor(total * share), format, margin: 0, thinking: 'leave' });
        assert.deepEqual(restore(fitted, originals).messages, messages);
        shorter += Object.keys(report.shortened ?? {}).length;
        if (fitted.length < messages.length || JSON.stringify(fitted).split('[…').length > JSON.stringify(messages).split('[…').length)
          continue;
        assert.ok(isSameOrShorter(fitted, messages, (text) => variantsOf(text).length > 1));
      }
    }
    assert.ok(shorter > (corpus.includes('small') ? 1 : 10), `${shorter}`);
  });
