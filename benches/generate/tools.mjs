// Calls of a coding agent's tools, and their results.
import { code, codeLines, diff, json, markdown, numberedCode } from './code.mjs';
import { sentence } from './prose.mjs';
import { camel, clock, date, hash, identifier, names, pascal, path, version, vocabulary } from './vocabulary.mjs';

const lines = (random, length, make) => {
  let text = make(random);
  while (text.length < length) text += `\n${make(random)}`;
  return text;
};

const logLine = (random) =>
  `${date(random)}T${clock(random)}.${random.between(100, 999)}Z ${random.pickRanked(['INFO', 'DEBUG', 'WARN', 'ERROR'])} ` +
  `[${identifier(random)}] ${random.pickRanked(vocabulary)} ${random.pickRanked(vocabulary)} ` +
  `${identifier(random)}=${random.between(0, 90_000)} took=${random.between(1, 900)}ms request=${hash(random, 12)}`;
const grepLine = (random) => `${path(random)}:${random.between(1, 1_400)}:${codeLines(random, 1)[0]}`;
const listing = (random) =>
  `-rw-r--r-- 1 ${random.pickRanked(names).toLowerCase()} staff ${String(random.between(90, 90_000)).padStart(7)} ${date(random)} ${path(random)}`;
const testLine = (random) =>
  random.chance(0.9)
    ? `  ✓ ${path(random)} > ${random.pickRanked(vocabulary)} ${random.pickRanked(vocabulary)} (${random.between(1, 90)} ms)`
    : `  ✗ ${path(random)} > ${sentence(random, 0.05)}\n      expected ${random.between(0, 90)}, got ${random.between(0, 90)}`;
const commit = (random) => `${hash(random, 7)} ${sentence(random, 0.1)}`;
const buildLine = (random) =>
  `   Compiling ${identifier(random)} v${version(random)} (/home/${random.pickRanked(names).toLowerCase()}/${path(random)})`;
const traceback = (random) =>
  `Error: ${sentence(random, 0.1)}\n${random.join(random.between(3, 9), '\n', () => `    at ${pascal(random)}.${camel(random)} (${path(random)}:${random.between(1, 900)}:${random.between(1, 90)})`)}`;

/** Tools with the weight that their answers have, their arguments, and what they answer with `length` characters. */
const tools = [
  ['Read', 50, (random) => ({ file_path: `/home/dev/${path(random)}` }), numberedCode],
  ['Read', 8, (random) => ({ file_path: `/home/dev/${path(random)}`, limit: random.between(20, 400) }), markdown],
  ['Grep', 12, (random) => ({ pattern: identifier(random), path: path(random) }), (random, length) => lines(random, length, grepLine)],
  ['Bash', 8, (random) => ({ command: `ls -la ${path(random)}` }), (random, length) => lines(random, length, listing)],
  ['Bash', 7, (random) => ({ command: `npm test -- ${path(random)}` }), (random, length) => lines(random, length, testLine)],
  ['Bash', 5, (random) => ({ command: `tail -n 200 ${path(random)}` }), (random, length) => lines(random, length, logLine)],
  ['Bash', 4, () => ({ command: 'git log --oneline' }), (random, length) => lines(random, length, commit)],
  ['Bash', 4, () => ({ command: 'git diff main..HEAD' }), diff],
  ['Bash', 3, () => ({ command: 'cargo build --release' }), (random, length) => lines(random, length, buildLine)],
  ['Bash', 2, (random) => ({ command: `node ${path(random)}` }), traceback],
  ['Fetch', 7, (random) => ({ url: `https://${random.pick(names).toLowerCase()}.example/${path(random)}` }), json],
];
const weighted = tools.flatMap((tool) => Array(tool[1]).fill(tool));

const edited = (random) => {
  const answer = `The file /home/dev/${path(random)} has been updated. Here's the result of running \`cat -n\` on a snippet:\n`;
  return answer + numberedCode(random, random.between(300, 2_400));
};

/** Lengths of answers: half are short, a few are very long. */
const answerLength = (random) => Math.round(60 * 1_300 ** (random.next() ** 1.3));

/** A call of a tool: name, arguments and answer. */
export function toolUse(random) {
  if (random.chance(0.15)) {
    const [before, after] = [code(random, 400), code(random, 600)];
    return {
      name: 'Edit',
      input: { file_path: `/home/dev/${path(random)}`, old_string: before, new_string: after },
      answer: edited(random),
    };
  }
  const [name, , input, answer] = random.pick(weighted);
  const length = Math.min(answerLength(random), 30_000);
  return { name, input: input(random), answer: answer(random, length).slice(0, length + 200) };
}
