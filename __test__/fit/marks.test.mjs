// Marks are true: each gap has one, its numbers are right, and docs/reference/marks.md lists its form.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { countTokens, fit, prune, restore } from 'palimpsest';
import { CORPORA } from '../support/corpus.mjs';
import { documentedForms, formOf, judge, withoutMessages } from '../support/marks.mjs';
import { cases, IS_WHOLE, SEED, someOf } from '../support/seed.mjs';
import { variantsOf } from '../support/shorter.mjs';
import { closed, lines, resultOf, sentence, Talk } from './talk.mjs';

/** Runs a program, and ends it if it takes too long. */
const run = (args) => spawnSync(process.execPath, args, { timeout: 240_000, encoding: 'utf8', maxBuffer: 1 << 28 });

test('a fit of random mixtures of structures ends, and its marks are right and documented', () => {
  const { status, error, stdout, stderr } = run([fileURLToPath(new URL('mixtures.mjs', import.meta.url)), `${SEED}`, `${cases(1500)}`]);
  const said = stdout.trimEnd().split('\n');
  assert.ok(status === 0, `${error ?? stderr}, case ${said.at(-1)}`);
  const { wrong, forms } = JSON.parse(said.at(-1));
  assert.equal(wrong, 0, stderr);
  const documented = documentedForms();
  assert.deepEqual(
    forms.filter((form) => !documented.has(form)),
    [],
  );
  const common = [
    '[…]',
    '[… N lines]',
    '[… N lines: N–N]',
    '[… N lines: cut here, sent in full]',
    '[… N lines: cut here, sent in full: …]',
    '[… N more like this]',
  ];
  if (IS_WHOLE) for (const form of [...common, '[… N items]', '[… N members]', '[… N members (N)]']) assert.ok(forms.includes(form), form);
});

describe('a text that once sent the engine in a circle', () => {
  const texts = {
    'a log in a fence': 'x\n```\n10:00:00 a\n10:00:01 b\n10:00:02 c\n```',
    'a log behind an open fence': '```text\n<persisted-output>\n level=DEBUG Code"\n level=DEBUG CLI"\n level=DEBUG CLI"\n ',
    'a hunk without a place': 'one line of it\n@@ \ntwo lines of it and more\nthree',
    'a file without a name': 'one of it\n--- \n+++ b/some file\nmore of it and then',
    'a heading without a text': 'one\n## \ntwo of it',
  };
  for (const [name, text] of Object.entries(texts)) {
    test(name, () => {
      const { messages } = closed(new Talk().user('Show it.').call('bash', {}, text));
      const total = countTokens(messages);
      const program = `const { fit } = require('palimpsest');
        for (const less of [1, 3, 6, 10, 20]) fit(${JSON.stringify(messages)}, { limit: ${total} - less });`;
      const { status, error, stderr } = run(['-e', program]);
      assert.equal(status, 0, String(error ?? stderr));
    });
  }
});

test('the headers of one file bring none of another', () => {
  const diff = lines(40, (n) => `--- a/file_${n}.ts\n+++ b/file_${n}.ts\n@@ -${n},2 +${n},2 @@\n+${sentence(n)}\n-${sentence(n + 500)}`);
  const talk = closed(new Talk().user('Go on.').call('Bash', { command: 'diff' }, diff));
  const kept = resultOf(fit(talk.messages, { limit: Math.floor(talk.tokens * 0.3) }).messages);
  const added = kept.split('\n').filter((line) => /^[+-]The/.test(line));
  const headers = kept.split('\n').filter((line) => line.startsWith('+++ '));
  assert.ok(added.length > 5 && headers.length <= added.length, kept);
});

describe('numbers', () => {
  const edit = (text) =>
    closed(new Talk().user('Edit it.').call('Edit', { file_path: 'a.go', old_string: 'x', new_string: text }, 'ok')).messages;
  const textIn = (messages) => JSON.parse(messages.find(({ tool_calls: calls }) => calls).tool_calls[0].function.arguments).new_string;

  test('code that says \\n has no more lines for it', () => {
    const code = lines(30, (n) => `t.Errorf("case ${n}:\\n%s\\\\n", out${n})`);
    const mark = textIn(fit(edit(code), { limit: 240 }).messages);
    assert.match(mark, /^\[… 30 lines: cut here, sent in full:\nt\.Errorf\(/);
    assert.equal(judge(mark, code, { isCall: true }), undefined, mark);
  });

  test('of the rest of a long line no lines are counted', () => {
    const long = Array.from({ length: 30 }, (_, n) => `${sentence(n)} He said "so".`).join(' ');
    for (const end of ['\n', '\r\n']) {
      const text = [long, lines(12), long, lines(3), long].join(end);
      for (const share of [0.8, 0.5, 0.3]) {
        const talk = closed(new Talk().user('Go on.').call('Write', { path: 'a', content: text }, text));
        const { messages } = fit(talk.messages, { limit: Math.floor(talk.tokens * share) });
        assert.equal(judge(resultOf(messages), text), undefined);
        const [call] = talk.messages.flatMap(({ tool_calls: calls }) => calls ?? []);
        const [cut] = messages.flatMap(({ tool_calls: calls }) => calls ?? []);
        assert.equal(judge(cut.function.arguments, call.function.arguments, { isCall: true }), undefined);
      }
    }
  });
});

describe('arguments', () => {
  const content = lines(40);
  const patch = `*** Begin Patch\n*** Update File: a.txt\n@@\n${lines(40, (n) => `+${sentence(n)}`)}\n*** End Patch`;
  const calls = [
    ['Write', { file_path: 'a.txt', content }],
    ['mcp__files__write_file', { path: 'a.txt', content }],
    ['str_replace_based_edit_tool', { command: 'create', path: 'a.txt', file_text: content }],
    ['str_replace_editor', { command: 'str_replace', path: 'a.txt', old_str: content, new_str: lines(41) }],
    ['apply_patch', { input: patch }],
    ['Edit', { file_path: 'a.txt', old_string: content, new_string: lines(41) }],
    ['MultiEdit', { file_path: 'a.txt', edits: [{ old_string: 'x', new_string: content }] }],
    ['Bash', { command: `cat > a.txt <<'END'\n${content}\nEND` }],
    ['save_page', { title: 'A', body: content }],
  ];
  for (const [name, input] of calls) {
    test(`of ${name} are whole, or one mark`, () => {
      const talk = closed(new Talk().user('Go on.').call(name, input, 'ok'));
      const before = talk.messages.find(({ tool_calls: calls }) => calls).tool_calls[0].function.arguments;
      const seen = { cut: 0, quoted: 0 };
      for (const share of [0.9, 0.7, 0.5, 0.3]) {
        const budget = Math.floor(talk.tokens * share);
        const { messages, originals } = fit(talk.messages, { limit: budget });
        const after = messages.flatMap(({ tool_calls: calls }) => calls ?? [])[0]?.function.arguments ?? before;
        seen.cut += after !== before;
        seen.quoted += /cut here, sent in full:.*The /s.test(after);
        assert.equal(judge(after, before, { isCall: true }), undefined, after);
        assert.deepEqual(restore(messages, originals).messages, talk.messages);
        const { messages: kept } = fit(talk.messages, { limit: budget, keep: { arguments: true } });
        for (const call of kept.flatMap(({ tool_calls: calls }) => calls ?? [])) assert.equal(call.function.arguments, before);
      }
      assert.ok(seen.cut > 1 && seen.quoted > 0, JSON.stringify(seen));
    });
  }

  test('of which a third would go stay whole', () => {
    for (let budget = 60; budget < 1400; budget += 20) {
      const talk = closed(new Talk().user('Go on.').call('Edit', { file_path: 'a', old_string: 'x', new_string: content }, 'ok'));
      const [after] = fit(talk.messages, { limit: budget }).messages.flatMap(({ tool_calls: calls }) => calls ?? []);
      const text = JSON.parse(after?.function.arguments ?? '{}').new_string ?? content;
      if (text !== content) assert.ok(text.length < 0.75 * content.length, text);
    }
  });
});

describe('fences', () => {
  test('content dropped behind one is marked', () => {
    const body =
      'See the config.\n\n```yaml\nkey0: value0\nkey1: value1\nkey2: value2\n```\n\nPoint 0 is about thing0 and more.\nSet `HOMEBREW_TAP_TOKEN` to yours.';
    let behind = 0;
    for (let budget = 24; budget < 60; budget++) {
      const { messages } = fit(
        [
          { role: 'user', content: 'Write it.' },
          { role: 'assistant', content: body },
          { role: 'user', content: 'And then?' },
        ],
        { limit: budget },
      );
      const text = messages[1].content;
      if (messages.length < 3 || text === body) continue;
      assert.equal(judge(text, body), undefined, text);
      assert.equal((text.match(/^```/gm) ?? []).length % 2, 0, text);
      behind += /```\n\[…\]$/.test(text) ? 1 : 0;
    }
    assert.ok(behind > 0);
  });

  test('one that is open keeps a diff in it, and what comes behind is no part of the diff', () => {
    const diff = (n) => `diff --git a/f${n}.ts b/f${n}.ts\n@@ -1 +1 @@\n${lines(6, (line) => `+${sentence(100 * n + line)}`)}`;
    const body = Array.from({ length: 6 }, (_, n) => `${sentence(n + 900)}\n\`\`\`diff\n${diff(n)}\n\`\`\`\n${sentence(n + 800)}`).join(
      '\n',
    );
    for (const share of [0.7, 0.5, 0.3]) {
      const talk = closed(new Talk().user('Go on.').assistant(body));
      const { messages } = fit(talk.messages, { limit: Math.floor(talk.tokens * share) });
      const text = messages[2].content;
      let isCode = false;
      for (const line of text.split('\n')) {
        if (line.startsWith('```')) isCode = !isCode;
        else if (line.startsWith('+')) assert.ok(isCode, text);
        else if (line.startsWith('The ')) assert.ok(!isCode, text);
      }
      assert.equal(judge(text, body), undefined, text);
    }
  });
});

describe('a result that is an object', () => {
  const own = { code: 0, rows: Array.from({ length: 60 }, (_, n) => ({ n })), log: lines(40), ['__proto__']: { x: 1 }, '[…]': 1 };
  const formats = {
    'ai-sdk-ui': (value) => [
      { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Go on.' }] },
      { id: 'a', role: 'assistant', parts: [{ type: 'tool-run', toolCallId: 'a', state: 'output-available', input: {}, output: value }] },
      { id: 'v', role: 'user', parts: [{ type: 'text', text: 'More.' }] },
    ],
    'ai-sdk-model': (value) => [
      { role: 'user', content: 'Go on.' },
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'run', input: {} }] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'run', output: { type: 'json', value } }] },
      { role: 'assistant', content: 'So it is.' },
      { role: 'user', content: 'More.' },
    ],
    gemini: (value) => [
      { role: 'user', parts: [{ text: 'Go on.' }] },
      { role: 'model', parts: [{ functionCall: { name: 'run', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'run', response: value } }] },
      { role: 'model', parts: [{ text: 'So it is.' }] },
      { role: 'user', parts: [{ text: 'More.' }] },
    ],
  };
  const valueIn = {
    'ai-sdk-ui': (messages) => messages[1].parts[0].output,
    'ai-sdk-model': (messages) => messages[2].content[0].output.value,
    gemini: (messages) => messages[2].parts[0].functionResponse.response,
  };
  for (const [format, messagesOf] of Object.entries(formats)) {
    test(`stays one with its members: ${format}`, () => {
      const messages = messagesOf(own);
      const total = countTokens(messages, { format });
      for (const share of [0.95, 0.7, 0.5]) {
        const { messages: cut, originals } = fit(messages, { limit: Math.floor(total * share), format });
        const value = valueIn[format](cut);
        assert.deepEqual(Object.keys(value), Object.keys(own));
        assert.ok(value.code === 0 && Array.isArray(value.rows) && typeof value.log === 'string');
        assert.equal(judge(JSON.stringify(value), JSON.stringify(own), { isValue: true }), undefined);
        assert.deepEqual(restore(cut, originals), { messages, missing: [], restored: Object.keys(originals).length });
      }
    });

    test(`of many members some may go: ${format}`, () => {
      const table = Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`key_${n}`, { n, text: sentence(n) }]));
      const messages = messagesOf({ table });
      const { messages: cut } = fit(messages, { limit: Math.floor(countTokens(messages, { format }) * 0.5), format });
      const value = valueIn[format](cut);
      assert.ok(Object.keys(value.table).some((key) => key.startsWith('[…')));
      assert.equal(judge(JSON.stringify(value), JSON.stringify({ table }), { isValue: true }), undefined);
    });

    test(`holds a stub where prune takes it out: ${format}`, () => {
      const [user, call, ...rest] = messagesOf({ same: sentence(1).repeat(40), n: 1 });
      const again = JSON.parse(JSON.stringify([call, ...rest]).replaceAll('"a"', '"b"'));
      const messages = [user, call, ...rest, ...again];
      const { messages: cut, originals } = prune(messages, { format, keep: { recent: 0 } });
      assert.match(valueIn[format](cut).output, /^\[palimpsest:/);
      assert.deepEqual(restore(cut, originals).messages, messages);
    });
  }

  test('a number stays one, whatever went beside it', () => {
    const messages = formats['ai-sdk-ui'](12345.678);
    messages.splice(
      2,
      0,
      ...Array.from({ length: 9 }, (_, n) => [
        { id: `x${n}`, role: 'user', parts: [{ type: 'text', text: 'Well.' }] },
        { id: `y${n}`, role: 'assistant', parts: [{ type: 'text', text: lines(20) }] },
      ]).flat(),
    );
    for (const budget of [80, 200, 1000]) {
      const part = fit(messages, { limit: budget, format: 'ai-sdk-ui' }).messages[1]?.parts?.[0];
      assert.ok(part?.output === undefined || part.output === 12345.678, JSON.stringify(part));
    }
  });
});

test('the judge knows a wrong mark', () => {
  const text = 'one\ntwo\nthree\nfour\nfive\nsix\n';
  const object = '{"a":1,"b":2,"c":3,"d":[1,2,3,4,5,6]}';
  const right = [
    [text, 'one\n[… 4 lines]\nsix\n'],
    [text, 'one\n[… 4 lines: 2–5]\nsix\n'],
    [text, 'one\n[…]\nfive\nsix\n'],
    [text, 'one\n[…]e\nfour\nfive\nsix\n'],
    [object, '{"a":1,"[… 2 members]":null,"d":[1,"[… 5 items]"]}'],
    [object, '{"[… 1 member]":null,"b":2,"[… 1 member (2)]":null,"d":["[…]",4,5,6]}'],
  ];
  const wrong = [
    [text, 'one\n[… 3 lines]\nsix\n'],
    [text, 'one\n[… 4 lines: 1–4]\nsix\n'],
    [text, 'one\n[… 4 lines: 2–6]\nsix\n'],
    [text, 'one\n[…]\nsix\n'],
    [text, 'one\nsix\n'],
    [text, 'one\n[… 5 lines]\n\n'],
    [text, 'one\n[… 4 more like this]\nsix\n'],
    [text, 'one\ntwo\nthree\nfour\nfive\n'],
    [text, 'one\nzwei\n[… 4 lines]\n'],
    [object, '{"a":1,"[… 3 members]":null,"d":[1,"[… 5 items]"]}'],
    [object, '{"a":1,"[… 2 members]":null,"d":[1,"[… 4 items]"]}'],
    [object, '{"[… 1 member]":null,"b":2,"[… 1 member]":null,"d":["[…]",4,5,6]}'],
    [object, '{"a":1,"d":[1,2,3,4,5,6]}'],
    [object, '{"a":1,"b":2,"c":4,"d":[1,2,3,4,5,6]}'],
  ];
  for (const [original, cut] of right) assert.equal(judge(cut, original), undefined, cut);
  for (const [original, cut] of wrong) assert.notEqual(judge(cut, original), undefined, cut);
  const content = `${'a line of it\n'.repeat(40)}the last`;
  const call = JSON.stringify({ path: 'a', content });
  const cutTo = (content) => judge(JSON.stringify({ path: 'a', content }), call, { isCall: true });
  const mark = '[… 41 lines: cut here, sent in full';
  for (const one of [`${mark}]`, `${mark}: a line of it … the last]`, `${mark}: line of]`, `${mark}:\na line of it\nthe last\n]`])
    assert.equal(cutTo(one), undefined, one);
  for (const other of [
    '[… 40 lines: cut here, sent in full]',
    '[… 41 lines]',
    'a line of it\n[… 39 lines]\nthe last',
    'a line of it\n[… 39 lines: cut here, sent in full]\nthe last',
    `a line of it\n${mark}]`,
    `${mark}: the last … a line of it]`,
    `${mark}: a line\nof it]`,
    `${mark}: another line]`,
    `${mark}: ]`,
    `${mark}:\na line of it\n]`,
    `${mark}:\na line of it\nthe last]`,
  ])
    assert.notEqual(cutTo(other), undefined, other);
});

test('lines that a tool numbered keep their numbers; a note below them has none', () => {
  const note = Array.from({ length: 6 }, (_, line) => `Note ${line}: the file was changed since, so ask before you go on.`).join('\n');
  const shown = `    29→func list() error {\n    30→\treturn store.List()\n    31→}\n\n${note}\n`;
  const args = JSON.stringify({ file_path: '/app/list.go', offset: 29, limit: 3 });
  const history = [
    { role: 'user', content: 'Where is the list read?' },
    { role: 'assistant', content: null, tool_calls: [{ id: 'a', type: 'function', function: { name: 'Read', arguments: args } }] },
    { role: 'tool', tool_call_id: 'a', content: shown },
    { role: 'assistant', content: 'In list.go, where the store gives it back, and the caller sorts it by name before it is shown.' },
    { role: 'user', content: 'Thanks. And who sorts it?' },
  ];
  for (let limit = 40; limit < countTokens(history); limit += 5) {
    for (const { content } of fit(history, { limit, margin: 0 }).messages) assert.doesNotMatch(content ?? '', /lines: \d/, `${limit}`);
  }
});

describe('numbers of lines in marks are those of the file, below what the shell says', () => {
  const printed = lines(40);
  const heads = {
    'of Codex': 'Chunk ID: a1b2c3\nWall time: 0.1 seconds\nProcess exited with code 0\nOriginal token count: 800\nOutput:\n',
    'of Codex, older': 'Exit code: 0\nWall time: 0.1 seconds\nOutput:\n',
    none: '',
  };
  /** The numbers that marks name, and those of the lines that are gone. */
  function numbersIn(head, output) {
    const call = { cmd: "sed -n '301,340p' docs/stations.txt", workdir: '/repo' };
    const { messages, tokens } = closed(new Talk().user('Show it.').call('exec_command', call, head + output));
    const named = [];
    for (const share of [0.3, 0.5, 0.7, 0.9]) {
      const left = resultOf(fit(messages, { limit: Math.floor(tokens * share), shorten: false }).messages);
      for (const [, from, to] of left?.matchAll(/lines: (\d+)–(\d+)\]/g) ?? []) {
        const stays = left.split('\n').flatMap((line) => / station_(\d+) /.exec(line)?.[1] ?? []);
        assert.ok(!stays.some((n) => 301 + Number(n) >= from && 301 + Number(n) <= to), left);
        // What is beside the gap stays, and is numbered as in the file.
        const [above, below] = [`station_${from - 302} `, `station_${to - 300} `];
        assert.ok((Number(from) === 301 || left.includes(above)) && (Number(to) === 340 || left.includes(below)), left);
        named.push(from);
      }
    }
    return named;
  }
  for (const [name, head] of Object.entries(heads)) test(name, () => assert.ok(numbersIn(head, printed).length > 0));

  test('nor any where more may be gone than the mark stands for, or who speaks above is not known', () => {
    assert.deepEqual(numbersIn(heads['of Codex'], printed.replace('\n', '\n…120 tokens truncated…\n')), []);
    assert.deepEqual(numbersIn('Done in a moment.\nOutput:\n', printed), []);
  });
});

/**
 * The number that the first line of a result has in the file that its call shows, as the commands in the recordings do: with `sed -n` from a line
 * on, below what Codex writes above the output.
 */
function firstLineOf(call, text) {
  const [, from = 1] = /sed -n '(\d+),\d+p'/.exec(call?.function.arguments ?? '') ?? [];
  const [head = ''] = /^(?:.+\n){1,6}Output:\n/.exec(text) ?? [];
  return Number(from) - head.split('\n').length + 1;
}

for (const { corpus, plain, skip } of CORPORA)
  test(corpus, { skip }, () => {
    const documented = documentedForms();
    const saw = (mark) => assert.ok(documented.has(formOf(mark)), mark);
    let cut = 0;
    let gone = 0;
    for (const [number, { messages }] of someOf(plain()).entries()) {
      if (number % 4 !== 0) continue;
      const total = countTokens(messages, { tokenizer: 'estimate' });
      const callOf = new Map(messages.flatMap(({ tool_calls: calls }) => (calls ?? []).map((call) => [call.id, call])));
      for (const share of [0.6, 0.25]) {
        const { messages: fitted, report } = fit(messages, { limit: Math.floor(total * share), tokenizer: 'estimate', trace: true });
        const places = report.trace.filter(({ action }) => action !== 'remove').map(({ message }) => message);
        assert.equal(places.length, fitted.length);
        let told = 0;
        fitted.forEach((message, at) => {
          const original = messages[places[at]];
          if (message === original) return;
          if (typeof original.content === 'string') {
            cut++;
            const wholes = original.role === 'tool' ? variantsOf(original.content) : [original.content];
            const firstLine = firstLineOf(callOf.get(original.tool_call_id), original.content);
            const found = withoutMessages(message.content).flatMap((text) => wholes.map((whole) => judge(text, whole, { firstLine, saw })));
            assert.ok(found.includes(undefined), `${found[0]}\n${message.content}`);
            for (const text of [/^\[… (\d+) messages?(: [^\n]*)?\]\n/, /\[… (\d+) messages?(: [^\n]*)?\]$/]) {
              const mark = text.exec(message.content);
              if (!mark || original.content.includes(mark[0])) continue;
              const [first, last] = text.source.startsWith('^')
                ? [places[at] - Number(mark[1]), places[at] - 1]
                : [places[at] + 1, places[at] + Number(mark[1])];
              saw(mark[0].trim());
              told += Number(mark[1]);
              // Only a call without text may be between the mark and its messages.
              if (report.trace[first]?.action !== 'remove' || report.trace[last]?.action !== 'remove')
                assert.ok(original.role === 'tool', mark[0]);
              for (const [, name, times] of (mark[2] ?? '').matchAll(/[:,] ([\w.-]+)(?: ×(\d+))?/g)) {
                const calls = messages
                  .slice(first, last + 1)
                  .flatMap(({ tool_calls: calls }) => calls ?? [])
                  .filter((call) => call.function.name === name);
                if (report.trace[first]?.action === 'remove' && report.trace[last]?.action === 'remove')
                  assert.equal(calls.length, Number(times ?? 1), mark[0]);
              }
            }
          }
          (original.tool_calls ?? []).forEach((call, index) => {
            const now = message.tool_calls[index];
            if (now.function.arguments !== call.function.arguments)
              assert.equal(judge(now.function.arguments, call.function.arguments, { isCall: true, saw }), undefined);
          });
        });
        gone += messages.length - fitted.length;
        assert.ok(told <= messages.length - fitted.length);
      }
    }
    if (IS_WHOLE) assert.ok(cut > 50 && gone > 50, `${cut} texts, ${gone} messages`);
  });
