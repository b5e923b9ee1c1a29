// Fitting takes time in proportion to a text, whatever stands behind its full stops.
import assert from 'node:assert/strict';
import test from 'node:test';
import { fit } from '../../index.mjs';

const UNITS = [
  ' ',
  '\t',
  '"',
  "'",
  '(',
  ')',
  '[',
  '{',
  '\u00a0',
  '\u3000',
  '”',
  '「',
  '\u0301',
  '\u00ad',
  '.',
  ',',
  '7',
  '`',
  '#',
  '。',
  '\r',
  '…',
];
const LINES = {
  'before a full stop': (run) => `Look.${run}.`,
  'before a sentence': (run) => `Look.${run}And so on`,
  'before a small letter': (run) => `Look.${run}and so on`,
};

/** The least processor time of three fits, in ms: the clock on the wall would measure what else the machine does. */
function fastest(content) {
  const messages = [
    { role: 'user', content: 'Begin.' },
    { role: 'assistant', content },
    { role: 'user', content },
    { role: 'assistant', content: 'Done.' },
  ];
  const times = Array.from({ length: 3 }, () => {
    const start = process.cpuUsage();
    fit(messages, { budget: 300, tokenizer: 'estimate' });
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

for (const [name, line] of Object.entries(LINES)) {
  for (const unit of UNITS) {
    test(`${JSON.stringify(unit)} ${name}`, () => {
      const [quarter, whole] = [4_096, 16_384].map((length) => fastest(line(unit.repeat(length))));
      // Four times the text in four times the time. As much again is granted, and 20 ms for what is too short to measure.
      assert.ok(whole < 8 * quarter + 20, `${quarter.toFixed(1)} ms for a quarter, ${whole.toFixed(1)} ms for the whole`);
    });
  }
}
