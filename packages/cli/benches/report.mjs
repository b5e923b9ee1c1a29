// Time and memory of `palimpsest report`: `node packages/cli/benches/report.mjs [--against DIR] [--megabytes 70] [--rounds 1] [FOLDER…]`.
// Over FOLDER, or over transcripts of Claude Code made of the conversations in ../shared. In turns: the build in DIR, another checkout, and this one
// without its cache, with an empty one, and with a full one.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const RECORDED = ['corpus/native/entire-claude-code.anthropic.json', 'recordings/native/claude-omp.anthropic.json'];
const START = Date.UTC(2026, 5, 1);
/** Time between two messages, in ms, and characters of JSON that a token stands for. */
const STEP = 8_000;
const CHARS = 3.6;

/** A conversation as a transcript. @param {object[]} messages @param {string} id that no other has */
function transcript(messages, id, start) {
  let [chars, before] = [0, 0];
  const lines = messages.map((message, index) => {
    const about = { sessionId: id, cwd: `/home/me/${id.slice(0, 4)}`, timestamp: new Date(start + index * STEP).toISOString() };
    const own = { type: message.role, uuid: `${id}-${index}`, parentUuid: index === 0 ? null : `${id}-${index - 1}`, ...about };
    const size = JSON.stringify(message).length;
    const total = 15_000 + Math.round(chars / CHARS);
    const usage = {
      input_tokens: 4,
      cache_read_input_tokens: before,
      cache_creation_input_tokens: Math.max(0, total - before - 4),
      output_tokens: Math.ceil(size / CHARS),
    };
    chars += size;
    if (message.role !== 'assistant') return { ...own, message };
    before = total;
    return { ...own, message: { ...message, id: `msg_${id}-${index}`, model: 'claude-sonnet-4-6', usage } };
  });
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Writes about so many bytes of transcripts below a folder. */
function fill(folder, bytes) {
  const shared = join(root, '../shared');
  const files = RECORDED.map((name) => join(shared, name)).filter(existsSync);
  if (files.length === 0) throw new Error(`${shared} has no recorded conversations: name a folder with transcripts`);
  const all = files.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')));
  mkdirSync(folder, { recursive: true });
  for (let [count, written] = [0, 0]; written < bytes; count++) {
    const { messages } = all[count % all.length];
    const copy = Math.floor(count / all.length);
    // Other words in each copy.
    const own = JSON.parse(
      JSON.stringify(messages).replace(/\b[a-z]{6,}(?=[ .])/g, (word, at) => ((at + copy) % 11 || copy === 0 ? word : `${word}Q${copy}`)),
    );
    const text = transcript(own, `s${String(count).padStart(4, '0')}`, START + count * 3_600_000);
    const path = join(folder, `${count}.jsonl`);
    writeFileSync(path, text);
    utimesSync(path, START / 1000 + count, START / 1000 + count);
    written += Buffer.byteLength(text);
  }
}

/** Tells what a process took, at its end. */
const TELL = `process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  require('node:fs').writeFileSync(process.env.TOOK, JSON.stringify([(userCPUTime + systemCPUTime) / 1e6, maxRSS / 1024]));
})`;

function run(checkout, paths, scratch, options) {
  const [tell, took] = [join(scratch, 'tell.cjs'), join(scratch, 'took.json')];
  writeFileSync(tell, TELL);
  const args = [
    '-r',
    tell,
    join(checkout, 'packages/cli/bin/palimpsest.mjs'),
    'report',
    '-q',
    '--json',
    '-o',
    join(scratch, 'report.json'),
  ];
  const begun = performance.now();
  execFileSync(process.execPath, [...args, ...options, ...paths], {
    env: { ...process.env, XDG_CACHE_HOME: join(scratch, 'cache'), TOOK: took },
  });
  const [cpu, memory] = JSON.parse(readFileSync(took, 'utf8'));
  return { wall: (performance.now() - begun) / 1000, cpu, memory };
}

const { values, positionals } = parseArgs({
  options: { against: { type: 'string' }, megabytes: { type: 'string', default: '70' }, rounds: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const scratch = mkdtempSync(join(tmpdir(), 'report-bench-'));
try {
  const paths = positionals.length > 0 ? positionals.map((path) => resolve(path)) : [join(scratch, 'transcripts')];
  if (positionals.length === 0) fill(paths[0], Number(values.megabytes) * 1e6);
  const kinds = [
    ...(values.against ? [['against', resolve(values.against), []]] : []),
    ['without a cache', root, ['--no-cache']],
    ['an empty cache', root, []],
    ['a full cache', root, []],
  ];
  for (let round = 0; round < Number(values.rounds); round++) {
    rmSync(join(scratch, 'cache'), { recursive: true, force: true });
    for (const [name, checkout, options] of kinds) {
      const { wall, cpu, memory } = run(checkout, paths, scratch, options);
      console.log(`${name}: ${wall.toFixed(2)} s, ${cpu.toFixed(2)} s of processors, ${memory.toFixed(0)} MB`);
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
