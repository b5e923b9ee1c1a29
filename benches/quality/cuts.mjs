// What a session reads from the cache right after a cut, beside instructions and tools, and what recorded sessions cost.
//   node benches/quality/cuts.mjs [DIR]   with the build in another checkout
// An automatic cache, as OpenAI's; 30,000 tokens in front, at a limit of 100,000. Where no times were recorded, requests follow each other in 20 s.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { Bill, PRICES, reuse } from './sessions/bills.mjs';

const { createSession, countTokens } = createRequire(resolve(process.argv[2] ?? '.', 'package.json'))('palimpsest');
const shared = new URL('../../../shared/', import.meta.url);
const [LIMIT, FRONT, LEAST, PACE] = [100_000, 30_000, 80_000, 20_000];
const FILES = [
  'recordings/native/codex-agentv.openai.json',
  'recordings/native/claude-omp.anthropic.json',
  'corpus/native/entire-claude-code.anthropic.json',
];
const readJson = (name) => JSON.parse(readFileSync(new URL(name, shared), 'utf8'));
const times = { ...readJson('eval/session/times-dev.json'), ...readJson('recordings/times.json') };
const sum = (list, of) => list.reduce((total, one) => total + of(one), 0);
const isThinking = ({ type }) => type === 'thinking' || type === 'redacted_thinking';
const withoutThinking = (message) =>
  Array.isArray(message.content) ? { ...message, content: message.content.filter((block) => !isThinking(block)) } : message;

/** Plays a session; its cost, and what was read after each cut that could read something. */
function play({ id, messages: recorded }, format, read) {
  const timed = recorded.map((message, index) => ({ message: withoutThinking(message), time: times[id]?.ts[index] }));
  const kept = timed.filter(({ message }) => message.content?.length !== 0);
  const messages = kept.map(({ message }) => message);
  if (sum(messages, (message) => read(message).tokens) < LEAST) return undefined;
  let now = 0;
  const { write, read: again, ttl } = PRICES.openai;
  const options = { limit: LIMIT, system: ' a'.repeat(FRONT), format, cache: { write, read: again, ttl }, warn: false };
  const session = createSession({ ...options, now: () => now });
  const bill = new Bill(PRICES.openai);
  const cuts = { all: 0, read: [] };
  let [before, last] = [[], undefined];
  for (const [index, { role }] of messages.entries()) {
    if (role !== 'assistant' || index === 0 || messages[index - 1].role === 'assistant') continue;
    now = Math.max(now, kept[index - 1].time ?? now + PACE);
    const { messages: request, epoch } = session.next(messages.slice(0, index));
    const readings = request.map(read);
    const reused = reuse(before, readings);
    bill.add(reused, last === undefined ? Infinity : now - last, undefined, FRONT);
    if (epoch) cuts.all++;
    if (epoch && epoch.reason !== 'cold') cuts.read.push(reused.tokens + reused.partial);
    [before, last] = [readings, now];
  }
  return { cost: bill.cost, cuts };
}

for (const file of FILES) {
  const format = file.includes('.anthropic.') ? 'anthropic' : 'openai-chat';
  const known = new Map();
  const read = (message) => {
    const json = JSON.stringify(message);
    if (!known.has(json)) known.set(json, { json, tokens: Math.max(1, countTokens([message], { format }) - 1) });
    return known.get(json);
  };
  const played = readJson(file).flatMap((session) => play(session, format, read) ?? []);
  const warm = played.flatMap(({ cuts }) => cuts.read);
  const mean = Math.round(sum(warm, (tokens) => tokens) / Math.max(1, warm.length));
  console.log(
    `${file}: ${played.length} sessions, cost ${Math.round(sum(played, ({ cost }) => cost))}, ${sum(played, ({ cuts }) => cuts.all)} cuts; ` +
      `${warm.length} of a warm cache, after which ${mean} tokens are read beside the front`,
  );
}
