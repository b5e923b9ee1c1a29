// The built-in adapters as functions of one text: nothing is lost between the two halves, and time is in proportion.
import assert from 'node:assert/strict';
import test from 'node:test';
import { CodeAdapter, MarkdownAdapter, StructuredOutputAdapter, XmlAdapter, YamlAdapter } from 'palimpsest/compress';

const prose = 'The belts stretch when the hall is cold and the crew must check them every morning before the first parcel comes in. ';
const ALL = [CodeAdapter, StructuredOutputAdapter, XmlAdapter, YamlAdapter, MarkdownAdapter];

test('each recognises its own format', () => {
  const examples = [
    'Look:\n```js\nlet a = 1\n```\nThat is all.',
    'a.ts:1: unused\na.ts:2: unused\nb.ts:3: unused\nPASS a\nFAIL b\nTests: 4 passed',
    `<?xml version="1.0"?><plant><note>${prose}</note></plant>`,
    'name: sorter\nlimit: 180\nowner: tomas\nempty:\n# note',
    `# Sorter\n\n${prose}\n\n## Start\n${prose}`,
  ];
  ALL.forEach((adapter, position) => assert.ok(adapter.detect(examples[position]), adapter.name));
  ALL.forEach((adapter) => assert.ok(!adapter.detect(prose), adapter.name));
});

test('both halves together hold every word of the text', () => {
  const texts = {
    code: `${prose}\n\`\`\`\ncode()\n\`\`\`\n${prose}`,
    xml: `<plant><note>${prose}</note><n>5</n></plant>`,
    yaml: `name: sorter\nnote: ${prose}\nlist:\n  - a\n  - b`,
    markdown: `# Sorter\n\n${prose}\n\n| a | b |\n|---|---|\n\n## End\n${prose}`,
  };
  for (const adapter of ALL.filter(({ name }) => name in texts)) {
    const text = texts[adapter.name];
    const halves = [...adapter.extractPreserved(text), ...adapter.extractCompressible(text)].join(' ');
    for (const word of text.match(/\w+/g)) assert.ok(halves.includes(word), `${adapter.name}: ${word}`);
  }
});

test('only strings are read', () => {
  for (const adapter of ALL) assert.throws(() => adapter.detect(5), { name: 'TypeError', message: new RegExp(adapter.name) });
});

test('an adapter can be spread into one of your own, and can not be changed', () => {
  const own = { ...YamlAdapter, name: 'own' };
  assert.equal(own.detect('a: 1\nb: 2\nc: 3\nd: 4'), true);
  assert.throws(() => {
    YamlAdapter.name = 'x';
  }, TypeError);
});
