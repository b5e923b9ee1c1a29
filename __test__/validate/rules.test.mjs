// What rules there are, and limits that the caller sets. Each rule has examples in the providers' descriptions (`__test__/providers/`).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import palimpsest from '../../unbundled/index.js';
import { pdf, png } from '../support/files.mjs';

const { validate } = palimpsest;
const { rules } = createRequire(import.meta.url)('../../unbundled/providers/shared/rules.js');

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
