// Every rule of every format: an example that breaks it and nothing else, and conversations beside it that break nothing.
// Where there is a strict provider, it has to see them in the same way.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import palimpsest from '../../unbundled/index.js';
import { pdf, png } from '../support/files.mjs';
import { geminiRefusal } from '../support/providers/gemini.mjs';
import { withProviders } from '../support/providers/server.mjs';
import { accepted, broken, valid } from './examples.mjs';

const { validate } = palimpsest;
const { rules } = createRequire(import.meta.url)('../../unbundled/providers/shared/rules.js');

function edited(format, edit) {
  const messages = valid[format]();
  edit(messages);
  return messages;
}

test('each rule has an example in each of its formats, and each example is of a rule', () => {
  const claimed = Object.entries(rules).flatMap(([rule, { formats }]) => formats.map((format) => `${rule} ${format}`));
  const shown = new Set(broken.map(([rule, format]) => `${rule} ${format}`));
  assert.deepEqual([...shown].sort(), claimed.sort());
});

for (const format of Object.keys(valid)) {
  test(`${format}: the valid example has no problem`, () => assert.deepEqual(validate(valid[format](), { format }), []));
}

for (const [rule, format, path, edit] of broken) {
  test(`${format}: ${rule} at ${path}, and nothing else`, () => {
    const problems = validate(edited(format, edit), { format });
    assert.deepEqual(
      problems.map((problem) => ({ rule: problem.rule, path: problem.path })),
      [{ rule, path }],
    );
    assert.ok(problems[0].message.endsWith(rules[rule].why));
  });
}

for (const [format, what, edit] of accepted) {
  test(`${format}: no problem with ${what}`, () => assert.deepEqual(validate(edited(format, edit), { format }), []));
}

test('limits of the caller hold in any format, and those of the provider whose model is named', () => {
  const image = { type: 'image', image: png(9000, 8) };
  const file = { type: 'file', mediaType: 'application/pdf', data: pdf(3) };
  const messages = [{ role: 'user', content: [image, file, file, { type: 'text', text: 'Well?' }] }];
  const found = (options) => validate(messages, { format: 'ai-sdk-model', ...options }).map(({ rule, path }) => `${rule} ${path}`);
  assert.deepEqual(found({}), []);
  assert.deepEqual(found({ model: 'claude-opus-5' }), ['image-pixels messages[0].content[0]']);
  assert.deepEqual(found({ model: 'claude-opus-5', requestLimits: false }), []);
  assert.deepEqual(found({ model: 'gpt-5.5' }), []);
  assert.deepEqual(found({ requestLimits: { documents: 1, pages: 5, media: 6 } }), [
    'too-many-media messages[0].content[2]',
    'too-many-documents messages[0].content[2]',
    'too-many-pages messages[0].content[2]',
  ]);
  const [{ message }] = validate(messages, { format: 'ai-sdk-model', requestLimits: { documents: 1 } });
  assert.match(message, /^all messages have 2 documents, and 1 is the limit: .*requestLimits\.documents changes the limit$/);
});

test('a call without a signature is a problem where the model that is named signs its calls', () => {
  const call = { role: 'model', parts: [{ functionCall: { name: 'read', args: {} } }] };
  const response = { role: 'user', parts: [{ functionResponse: { name: 'read', response: {} } }] };
  const asked = { role: 'user', parts: [{ text: 'What is in a?' }] };
  const histories = [
    [asked, call, response],
    [asked, call, response, call, response],
    // Only the current turn counts.
    [asked, call, response, { role: 'model', parts: [{ text: 'A.' }] }, asked],
  ];
  for (const model of ['gemini-3-pro', 'gemini-3.6-flash', 'gemini-2.5-pro', undefined])
    for (const messages of histories) {
      const found = validate(messages, { format: 'gemini', model }).map(({ rule }) => rule);
      assert.equal(found.length > 0, geminiRefusal(messages, model) !== null, `${model}: ${found}`);
      assert.ok(found.every((rule) => rule === 'thought-signature'));
    }
  const named = (model) => validate(histories[1], { format: 'gemini', model }).map(({ path }) => path);
  assert.deepEqual(named('models/gemini-3.1-pro'), ['messages[1].parts[0]', 'messages[3].parts[0]']);
  assert.deepEqual(named('google/gemini-3.8-flash'), ['messages[1].parts[0]', 'messages[3].parts[0]']);
});

test('the strict providers refuse what is broken and take what is valid', () =>
  withProviders(async (providers) => {
    // What the providers don't know they refuse; validate takes it for newer than itself, and a shell the provider doesn't have.
    const unknown = /to come|local shell/;
    for (const [format, send] of Object.entries(providers)) {
      assert.equal(await send(valid[format]()), null, format);
      for (const [rule, of, path, edit] of broken) {
        if (of === format) assert.notEqual(await send(edited(format, edit)), null, `${format}: ${rule} at ${path}`);
      }
      for (const [of, what, edit] of accepted) {
        if (of === format && !unknown.test(what)) assert.equal(await send(edited(format, edit)), null, `${format}: ${what}`);
      }
    }
  }));

test('docs/reference/message-formats.md shows the rules as they are, and research/formats.md their sources', () => {
  const page = readFileSync(new URL('../../docs/reference/message-formats.md', import.meta.url), 'utf8');
  const section = page.slice(page.indexOf('\n## Validating\n'));
  const shown = [...section.matchAll(/^\| `([\w-]+)` \| ([^|]*) \| ([^|]*) \|$/gm)];
  const log = readFileSync(new URL('../../research/formats.md', import.meta.url), 'utf8');
  const sources = new Map([...log.matchAll(/^\| `([\w-]+)` \| ([^|]*) \|$/gm)].map(([, rule, source]) => [rule, source]));
  const everyProvider = rules['no-messages'].formats;
  const all = [...everyProvider, 'message'];
  const formatsOf = (text) =>
    text.startsWith('with')
      ? []
      : text.startsWith('all')
        ? all.filter((format) => !text.includes(`\`${format}\``))
        : text.replaceAll('`', '').split(', ');
  assert.deepEqual(
    shown.map(([, rule, formats, why]) => ({ rule, formats: formatsOf(formats), why: why.replaceAll('`', ''), source: sources.get(rule) })),
    Object.entries(rules).map(([rule, { formats, why, source }]) => ({ rule, formats, why: why.replaceAll('`', ''), source })),
  );
  assert.equal(sources.size, shown.length);
  const listed = [...log.matchAll(/^\| ([CRAG]\d) \|/gm)].map(([, code]) => code);
  const named = Object.values(rules).flatMap(({ source }) => source.match(/\b[CRAG]\d\b/g) ?? []);
  assert.deepEqual(listed.sort(), [...new Set(named)].sort());
});
