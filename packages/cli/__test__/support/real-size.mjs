// Sessions of the size of real ones: the small corpus as a month of two agents' work, with usage, pauses, a compaction, and a prefix that breaks.
import { CONVERSATIONS } from '../../../../__test__/corpus/index.mjs';
import { sayIn } from '../../../../__test__/support/transcripts.mjs';
import { requestsOf } from '../../dist/transcripts/messages.mjs';

const START = Date.parse('2026-11-02T08:00:00Z');
const HOUR = 3_600_000;
/** Characters of JSON that a token stands for, roughly. */
const CHARS = 3.4;
const PROJECTS = ['/home/ada/work/shop', '/home/ada/work/billing-service', '/home/ada/work/a-folder-with-a-name-of-some-length/docs-site'];
const MODELS = ['claude-opus-4-5', 'claude-sonnet-4-5', 'claude-haiku-4-5'];
/** What models write, in Markdown. */
const ANSWER = `## What was wrong

1. The **lock** was taken twice, see \`src/orders.ts\`
2. ~~The cache~~ was right: [the docs](https://example.com/cache)

| file | lines |
|---|---|
| \`orders.ts\` | 12 |

> It failed *only* under load.

\`\`\`ts
await lock.release();
\`\`\`

- [x] mended
- [ ] <b>a test</b>`;

/** Messages of a conversation in a format, with ids of calls that no other has. */
const spokenIn = (format, spoken, number) => JSON.parse(JSON.stringify(sayIn(format, spoken)).replaceAll('"call_', `"call_${number}_`));

/** @returns {import('../../src/types.mts').Transcript} */
function sessionOf(messages, number, { format, agent, title }) {
  const model = agent === 'codex' ? 'gpt-5.1-codex' : MODELS[number % MODELS.length];
  const overhead = 6_000 * (1 + (number % 4));
  let time = START + number * 19 * HOUR;
  const upTo = [0];
  for (const [index, message] of messages.entries()) upTo.push(upTo[index] + Math.ceil(JSON.stringify(message).length / CHARS));
  let before = 0;
  const requests = requestsOf(messages).map((request, index, all) => {
    const isPause = index % 31 === 30;
    time += isPause ? HOUR : 25_000;
    // The largest session was compacted by its agent.
    const from = number === 0 && index > 0.7 * all.length ? all[Math.floor(0.6 * all.length)].messages : 0;
    const total = overhead + upTo[request.messages] - upTo[from];
    const cacheRead = isPause || (number % 5 === 1 && index % 15 === 14) || total < before ? 0 : before;
    before = total;
    const usage =
      agent === 'codex'
        ? { input: total - cacheRead, cacheRead, cacheWrite: 0 }
        : { input: 3, cacheRead, cacheWrite: total - cacheRead - 3 };
    return { ...request, ...(from > 0 && { from }), time, model, usage: { ...usage, output: 250 } };
  });
  const cwd = PROJECTS[number % PROJECTS.length];
  const file = `/home/ada/.claude/projects/-home-ada-work/c1a0de00-0000-4000-8000-00000000${String(number).padStart(4, '0')}.jsonl`;
  const about = { agent, id: `session-${number}`, file, title, cwd, model, format, started: requests[0].time, ended: time };
  return { ...about, messages, requests, skipped: 0, notes: [] };
}

/** @returns {import('../../src/types.mts').Transcript[]} */
export function realSize() {
  const long = CONVERSATIONS.filter(({ id }) => id.endsWith('-long'));
  const joined = long.flatMap(({ spoken }, index) => spokenIn('anthropic', spoken, index));
  joined.push(
    { role: 'user', content: [{ type: 'text', text: 'What was wrong?' }] },
    { role: 'assistant', content: [{ type: 'text', text: ANSWER }] },
  );
  const others = [...long, ...CONVERSATIONS].map(({ id, spoken }, index) => {
    const [format, agent] = index % 4 === 3 ? ['openai-chat', 'codex'] : ['anthropic', 'claude-code'];
    return sessionOf(spokenIn(format, spoken, index), index + 1, {
      format,
      agent,
      title: `Why ${id} fails when two of them are changed within a minute`,
    });
  });
  const title = `Four projects in /home/ada/work/${'deep/'.repeat(12)}one-session`;
  return [sessionOf(joined, 0, { format: 'anthropic', agent: 'claude-code', title }), ...others];
}
