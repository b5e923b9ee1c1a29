// The recall tool of each integration in the SDK itself: two agents at the same time, whose models look up what went from their own
// conversation, by words and by the numbers that a mark names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startProvider } from '../support/agents/index.mjs';
import { recallingAgents } from '../support/agents/recalling.mjs';

const READS = 22;
const LIMIT = 5000;
const NAMES = ['first', 'second'];

/** What is looked for: it depends on the whole path, so that the other conversation has another. */
const checksumOf = (path) => `sum${[...path].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7)}`;
function contentOf(path) {
  const lines = Array.from({ length: 30 }, (_, line) => `export const value${line} = compute(${checksumOf(`${path}:${line}`)});`);
  lines[12] = `// The checksum of ${path} is ${checksumOf(path)}.`;
  return lines.join('\n');
}

/** The first mark of messages in a request, with their numbers; the tool's description has one, too. */
const markIn = ({ messages, input, contents }) => /\[… messages (\d+)–(\d+)/.exec(JSON.stringify(messages ?? input ?? contents));

/** Reads files, then looks up one of the first ones by words, then the messages that a mark names. */
function script({ step, conversation, request }) {
  if (step < READS) return { calls: [{ name: 'read', input: { path: `src/${conversation}/file${step}.ts` } }] };
  if (step === READS) return { calls: [{ name: 'recall', input: { query: `checksum of src/${conversation}/file2.ts` } }] };
  const [, from, to] = markIn(request) ?? [];
  if (step === READS + 1 && from) return { calls: [{ name: 'recall', input: { from: Number(from), to: Number(to) } }] };
  return { text: 'Done.' };
}

const systemOf = (name) => `You compare files. [conversation ${name}]`;
const AGENTS = recallingAgents({ options: { limit: LIMIT }, contentOf, systemOf });

for (const [sdk, open] of Object.entries(AGENTS)) {
  test(`${sdk}: each model looks up what went from its own conversation`, async () => {
    const provider = await startProvider(script, { window: 400_000 });
    try {
      const runAgent = open(provider);
      await Promise.all(NAMES.map((name) => runAgent(name)));
      for (const name of NAMES) {
        const requests = provider.requests.filter(({ conversation }) => conversation === name);
        assert.deepEqual(
          requests.filter(({ status }) => status !== 200).map(({ error }) => error),
          [],
        );
        const bodies = requests.slice(READS).map(({ body }) => body);
        const [asked, found, read] = bodies.map((body) => JSON.stringify(body));
        const sum = checksumOf(`src/${name}/file2.ts`);
        assert.ok(!asked.includes(sum), 'the checksum went');
        assert.ok(markIn(bodies[0]), 'a mark names messages');
        assert.ok(found.includes(`The checksum of src/${name}/file2.ts is ${sum}`), 'it was recalled');
        // The messages that the mark names are shown in full, in order, as far as there is room.
        const [, first] = markIn(bodies[1]);
        assert.ok(read.includes(`[message ${first}, `), 'the first of the messages was recalled');
        const other = NAMES.find((one) => one !== name);
        assert.ok(!requests.some(({ body }) => JSON.stringify(body).includes(`src/${other}/`)), 'nothing of the other conversation');
      }
    } finally {
      await provider.close();
    }
  });
}
