// npm run demo: plays a session request by request, makes it small in the other ways, and proves that these can be undone.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compress, uncompress } from 'palimpsest';
import { defaultTokenCounter } from 'palimpsest/compress';
import { agentSide } from './agent-side.mjs';
import { readSession, UnreadableFile } from './read-session.mjs';
import { conversationTable, decisionTable, examples, sizes, sizeTable } from './report.mjs';
import { sessionSide } from './session-side.mjs';
import { bold, colours, dim, green, number, plural, red, yellow } from './terminal.mjs';

const HELP = `Shows what a session sends of a conversation, makes it small in the other ways,
and proves that it can be restored byte for byte.

  npm run demo                                the session in examples/agent-session.json
  npm run demo -- FILE                        a file of your own
  npm run demo -- FILE --out result.json      also writes the result to a file
  npm run demo -- FILE --html                 also writes a page about it

FILE is one of
  JSON     an array of messages, { "messages": […] }, or an array of such conversations
  JSONL    one message per line, or one conversation per line
  .jsonl   of a Claude Code session (~/.claude/projects/…/*.jsonl)

A message has at least a role or content; a missing id or index is added. Content
made of parts (text, thinking, tool_use, tool_result) is joined to one text for
the demo, and the output says so.

  --out PATH   writes { messages, verbatim, compression } as JSON; for several
               conversations, an array of these, each with its id.
               uncompress(messages, verbatim) gives the originals back.
  --html       writes palimpsest-report.html: where the tokens are, and what a
               session would have sent
  --help       this text`;

const PAGE = 'palimpsest-report.html';
/** A limit that no request reaches, in tokens. */
const NO_LIMIT = 1_000_000_000;
/** Where the page's limit is between the shortest request of its sessions and the longest. */
const LIMIT_SHARE = 1 / 3;

class WrongUse extends Error {}

async function main() {
  const { help, file, out, html } = readArguments(process.argv.slice(2));
  if (help) return console.log(HELP);

  const { conversations, format, notes } = readSession(file);
  const results = conversations.map(({ id, messages }) => {
    const { messages: after, ...rest } = compress(messages, { trace: true });
    return { id, before: messages, after, ...rest };
  });
  // Before the report, so that an unwritable path is reported immediately.
  if (out) write(out, results);

  console.log(`${bold('palimpsest')}  ${file}`);
  for (const line of [format, ...notes]) console.log(dim(`            ${line}`));
  if (colours) console.log(`            ${yellow('without palimpsest')}  ${green('with it, or proved')}  ${red('a problem')}`);
  console.log();
  console.log(bold('An agent’s requests, one after the other'));
  print(sessionSide(conversations.map(({ messages }) => messages)));
  console.log(`\n${bold('One request, at once: fit and prune')}`);
  print(agentSide(conversations.map(({ messages }) => messages)));
  console.log(`\n${bold('Summaries in place of prose: compress')}`);
  printSizes(results);
  console.log(`\n${bold('What compress did to the messages, and why')}`);
  print(decisionTable(results.flatMap(({ compression }) => compression.decisions ?? [])));
  print(examples(results));
  printTimes(conversations);
  printProof(results);
  const written = html ? await writePage(file, html) : undefined;
  if (out) console.log(`\nThe result of compress is in ${out}`);
  if (html) console.log(`\nThe page is in ${html}`);
  if (written)
    console.log(dim(`  a session's limit there: ${number(written.limit)} tokens; the longest request has ${number(written.longest)}`));
  if (!out && !html) console.log('\nNothing was written.');
  printNext(html !== undefined);
}

/** What a reader may want to do now. */
function printNext(hasPage) {
  const steps = [
    ['npm run demo -- FILE', 'a session of your own: JSON, JSONL, or of Claude Code'],
    ...(hasPage ? [] : [['npm run demo -- --html', 'a page that shows where the tokens are']]),
    ['npm run pack', 'a tarball to install in your project'],
    ['README.md', 'the line that puts it into your SDK'],
    ['docs/agent-loop.md', 'a session in a loop of your own'],
  ];
  console.log(`\n${bold('Next')}`);
  for (const [step, what] of steps) console.log(`  ${step.padEnd(25)}${dim(what)}`);
}

function readArguments(args) {
  let parsed;
  try {
    parsed = parseArgs({
      args,
      allowPositionals: true,
      options: { out: { type: 'string' }, html: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
  } catch (error) {
    throw new WrongUse(`${error.message.split('. ')[0].split('\n')[0]} (--help lists the options)`);
  }
  const { values, positionals } = parsed;
  if (positionals.length > 1) throw new WrongUse(`one FILE at a time, got ${positionals.length}: ${positionals.join(' ')}`);
  if (values.out === '') throw new WrongUse('--out needs a path');

  // npm runs scripts in the package's folder, but paths are relative to the user's.
  const from = process.env.npm_lifecycle_event === 'demo' ? resolve(process.env.INIT_CWD ?? '.') : process.cwd();
  const locate = (path) => (from === process.cwd() ? path : resolve(from, path));
  const example = relative('.', join(fileURLToPath(import.meta.url), '../agent-session.json'));
  const file = positionals.length === 1 ? locate(positionals[0]) : example;
  const out = values.out === undefined ? undefined : locate(values.out);
  if (out !== undefined && resolve(out) === resolve(file)) throw new WrongUse(`--out ${out} would overwrite the file that is read`);
  return { help: values.help, file, out, html: values.html ? locate(PAGE) : undefined };
}

function write(path, results) {
  const kept = results.map(({ id, after, verbatim, compression }) => ({ id, messages: after, verbatim, compression }));
  const { id: _, ...only } = kept[0];
  writeText(path, `${JSON.stringify(kept.length === 1 ? only : kept, null, 1)}\n`);
}

async function writePage(file, path) {
  const [{ analyse }, { page }, { readAll }] = await Promise.all(
    ['analysis/index.mjs', 'report/page.mjs', 'transcripts/index.mjs'].map((module) => import(`../packages/cli/dist/${module}`)),
  );
  const reportFor = (limit) => {
    const skipped = [];
    return analyse(readAll([resolve(file)], skipped), { limit, skipped });
  };
  const { sessions } = await reportFor(NO_LIMIT);
  const sent = sessions.flatMap(({ requests }) => requests.map(({ tokens }) => tokens));
  const [shortest, longest] = [
    sent.reduce((least, one) => Math.min(least, one), Infinity),
    sent.reduce((most, one) => Math.max(most, one), 0),
  ];
  // Instructions and tools are in the shortest request, too, and have to stay.
  const limit = sent.length === 0 ? NO_LIMIT : Math.ceil(shortest + LIMIT_SHARE * (longest - shortest));
  writeText(path, page(await reportFor(limit)));
  return sent.length === 0 ? undefined : { limit, longest };
}

function writeText(path, text) {
  try {
    writeFileSync(path, text);
  } catch (error) {
    const known = { ENOENT: 'its folder does not exist', EISDIR: 'is a directory', EACCES: 'permission denied' };
    throw new WrongUse(`${path}: can't be written (${known[error.code] ?? error.code})`);
  }
}

function printSizes(results) {
  if (results.length > 1) print(conversationTable(results, defaultTokenCounter));
  else print(sizeTable(sizes(results, defaultTokenCounter)));
  if (results.length > 1 || results[0].compression.entity_retention === undefined) return;
  const { entity_retention, structural_integrity } = results[0].compression;
  const share = (value) => `${Math.round(100 * value)}%`;
  console.log(
    dim(`  still there: ${share(entity_retention)} of names, paths and numbers, ${share(structural_integrity)} of code and tables`),
  );
}

/** Times both in turns, so that a slow moment of the machine affects them equally. */
function printTimes(conversations) {
  const inputs = conversations.map(({ messages }) => messages);
  const packed = inputs.map((messages) => compress(messages));
  const tasks = {
    compress: () => inputs.forEach((messages) => compress(messages)),
    uncompress: () => packed.forEach(({ messages, verbatim }) => uncompress(messages, verbatim)),
  };
  const times = Object.fromEntries(Object.keys(tasks).map((name) => [name, []]));
  const started = performance.now();
  let runs = 0;
  while (runs < 5 || (runs < 101 && performance.now() - started < 500)) {
    for (const [name, task] of Object.entries(tasks)) {
      const begin = performance.now();
      task();
      times[name].push(performance.now() - begin);
    }
    runs += 1;
  }
  const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
  const [characters] = sizes(
    inputs.map((messages) => ({ before: messages, after: [] })),
    () => 0,
  ).characters;
  console.log(`\n${bold('Time')}  ${dim(`medians of ${runs} runs; MB = million characters of text`)}`);
  for (const name of Object.keys(tasks)) {
    const ms = median(times[name]);
    const speed = number(Math.round(characters / 1000 / ms)).padStart(10);
    console.log(`  ${name.padEnd(16)}${ms.toFixed(ms < 10 ? 3 : 1).padStart(10)} ms${speed} MB/s`);
  }
}

function printProof(results) {
  // Through JSON first, as if the result had been stored and read again, so that nothing is shared with the originals.
  const stored = results.map(({ after, verbatim }) => JSON.parse(JSON.stringify({ after, verbatim })));
  const restored = stored.map(({ after, verbatim }) => uncompress(after, verbatim).messages);
  const originals = results.map(({ before }) => before);
  const [was, is] = [JSON.stringify(originals), JSON.stringify(restored)];
  const hash = (text) => createHash('sha256').update(text).digest('hex');

  console.log(`\n${bold('Back again')}  ${dim('the result of compress, stored as JSON, read, uncompressed')}`);
  console.log(`  was  sha256 ${hash(was)}`);
  console.log(`  is   sha256 ${hash(is)}`);
  const total = originals.reduce((sum, messages) => sum + messages.length, 0);
  if (was === is) {
    console.log(green(`  all ${plural(total, 'message')} restored byte for byte`));
    return;
  }
  const differs = originals.findIndex((messages, at) => JSON.stringify(messages) !== JSON.stringify(restored[at]));
  const at = originals[differs].findIndex((message, index) => JSON.stringify(message) !== JSON.stringify(restored[differs][index]));
  console.log(red(`  NOT restored: conversation ${differs}, message ${at} differs`));
  process.exitCode = 1;
}

function print(lines) {
  for (const line of lines) console.log(line);
}

// `npm run demo | head` closes the pipe early, which is not a failure.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

try {
  await main();
} catch (error) {
  if (!(error instanceof UnreadableFile || error instanceof WrongUse)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
