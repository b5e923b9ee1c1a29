// What `shorten` makes of the output of programs that drive a terminal, judged by an emulator: in terminals of any size, what the text that is sent shows is
// what the output showed. `crates/world/tests/screen` does so with two other emulators. What isn't certain stays as it was.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { createSession } from 'palimpsest';
import { displayed, SIZES, withoutMarks } from '../support/emulator.mjs';
import { Random } from '../support/random.mjs';
import { sentence, Talk } from './talk.mjs';
import { SEED } from '../support/seed.mjs';

const ESC = '\u001b';

/** What is sent of the outputs of a command, one for each. */
function sentOf(outputs, name = '') {
  const talk = new Talk().user(`Go on. ${name}`);
  for (const output of outputs) talk.call('Bash', { command: 'make' }, output);
  const { messages } = talk.assistant('So it is.').user('And now?');
  // A session sends results shorter from the first time on, and cuts nothing that fits.
  const step = createSession({ limit: 1e8, format: 'openai-chat' }).next(messages);
  return step.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
}

/** A piece of an output, of the whole repertoire of programs. */
function piece(random, level) {
  const count = random.pick(['', '', 0, 1, 1, 2, 3, random.integer(4, 90), random.pick([24, 80, 999])]);
  const csi = (letters) => `${ESC}[${count}${random.pick([...letters])}`;
  const place = () => `${ESC}[${random.integer(1, 26)};${random.integer(1, 82)}${random.pick(['H', 'f'])}`;
  const makers = [
    () => random.pick(['ok', '50%', sentence(random.integer(0, 9)), '│ ██░', '取得', 'Готово', '    ', 'x'.repeat(random.integer(70, 90))]),
    () => random.pick(['\r', '\n', '\r\n', '\t', '\b', `\r${ESC}[K`, `${ESC}[K`]),
    () => `${ESC}[${random.pick(['m', '1;31m', '0m', '?25l', '?25h'])}`,
    () => random.pick(['👍', 'e\u0301', `${ESC}]8;;https://example.org${ESC}\\link${ESC}]8;;${ESC}\\`, `${ESC}]0;title\u0007`]),
  ];
  if (level > 0)
    makers.push(
      () => csi('CDGKPX@`aI Z'.replace(' ', '')),
      () => csi('GK'),
    );
  if (level > 1)
    makers.push(
      () => csi('ABEFLMJ'),
      () => random.pick([`${ESC}[s`, `${ESC}[u`, `${ESC}7`, `${ESC}8`, `${ESC}M`, `${ESC}[A\r`]),
    );
  if (level > 2)
    makers.push(
      place,
      () => csi('STdeb'),
      () =>
        random.pick([
          `${ESC}[H${ESC}[J`,
          `${ESC}[H${ESC}[2J`,
          `${ESC}[2J`,
          `${ESC}[${random.integer(1, 6)};${random.integer(2, 24)}r`,
          `${ESC}[r`,
          ...['[4h', '[4l', '[?7l', '[?7h', '[?6h', '[?6l', 'H', '[g', '[3g', 'D', 'E', 'M', '[?1049h', '[?1049l', '[?47h', 'c', '(0'].map(
            (rest) => ESC + rest,
          ),
          `${ESC}[3${random.pick(['', ESC])}`,
        ]),
    );
  return random.pick(makers)();
}

/** The output of a program: random pieces, or what programs do all the time. */
function outputOf(random) {
  const repeat = (count, make) => Array.from({ length: count }, (_, n) => make(n)).join('');
  const rows = random.integer(1, 5);
  const programs = [
    () =>
      repeat(rows, (n) => `layer ${n}: Pulling \n`) +
      repeat(random.integer(1, 12), (n) => {
        const up = random.integer(1, rows);
        return `${ESC}[${up}A${ESC}[2K\rlayer ${rows - up}: ${random.pick(['Downloading', 'done', 'error'])} ${n} \r${ESC}[${up}B`;
      }),
    () =>
      repeat(random.integer(2, 12), (n) => `${n > 0 ? `${ESC}[${rows}A` : ''}${repeat(rows, (row) => `bar ${row}: ${n * 8}%${ESC}[K\n`)}`),
    () => repeat(random.integer(2, 12), (n) => `${ESC}[1G${ESC}[0K⠹ installing ${n}`),
    () => repeat(random.integer(2, 12), (n) => `\rReceiving objects: ${n * 8}% (${n * 8}/100)`),
    () => '',
    () => '',
  ];
  const level = random.integer(0, 3);
  return `${random.pick(programs)()}${random.chance(0.2) ? '' : repeat(random.integer(1, random.pick([6, 14, 40])), () => piece(random, level))}`;
}

const isAsked = (text) => text.length >= 24 && (text.includes(ESC) || text.includes('\b') || /\r(?!\r*(?:\n|$))/.test(text));

test('random outputs of the whole repertoire show the same', () => {
  const random = new Random(SEED);
  const cases = Number(process.env.SCREEN_CASES ?? 600);
  let [asked, written, marked] = [0, 0, 0];
  for (let done = 0; done < cases; done += 100) {
    const outputs = Array.from({ length: 100 }, () => outputOf(random)).filter((output) => output.trim() !== '');
    const sent = sentOf(outputs, done);
    for (const [index, output] of outputs.entries()) {
      asked += Number(isAsked(output));
      if (sent[index] === output) continue;
      assert.ok(sent[index].length < output.length);
      const { bare, states } = withoutMarks(sent[index]);
      const sizes = [SIZES[0], random.pick(SIZES)];
      for (const size of sizes)
        assert.equal(displayed(bare, size), displayed(output, size), `${size}: ${JSON.stringify(output)} as ${JSON.stringify(bare)}`);
      written++;
      marked += Number(states > 0);
    }
  }
  console.log(`${asked} outputs with something to write, ${written} written, ${marked} with a mark`);
  assert.ok(written * 4 > asked && marked * 50 > written, `${written} of ${asked}, ${marked} marked`);
});

describe('outputs of programs that were recorded', () => {
  const recorded = JSON.parse(readFileSync(new URL('screens.json', import.meta.url), 'utf8'));
  for (const [name, { output, stays }] of Object.entries(recorded))
    test(`${name} ${stays ? 'stays as it is' : 'is as the terminal shows it'}`, () => {
      const [sent] = sentOf([output], name);
      if (stays) return assert.equal(sent, output);
      assert.ok(sent.length < output.length * 0.7, `${sent.length} of ${output.length}`);
      const { bare } = withoutMarks(sent);
      for (const size of SIZES) assert.equal(displayed(bare, size), displayed(output, size));
    });
});
