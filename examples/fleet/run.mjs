// Two web servers and two workers that share conversations. One of each is killed halfway, and nothing is lost:
//   node examples/fleet/run.mjs [--on redis|postgres] [--conversations 200] [--turns 60]
// Starts and stops everything it needs, on free ports of loopback. Exits with 1 if a check fails.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { createSession } from 'palimpsest';
import { startPostgres } from '../../__test__/support/servers/postgres.mjs';
import { startRedis } from '../../__test__/support/servers/redis.mjs';
import { connect } from './connect.mjs';
import { answerTo, question } from './conversation.mjs';
import { startChat, startSummaries } from './provider.mjs';

/** Tokens of a request, as the sessions count and as the provider counts: it adds one for each message. */
const LIMIT = 8000;
const WINDOW = 8150;
/** Maximum wait for the store in ms. The default would be missed on a busy machine, and the program would then count other things than it says. */
const STORE_TIMEOUT = 60_000;
/** Conversations that have a request under way at the same time. */
const AT_ONCE = 16;
const MAX_TRIES = 100;

const { values: settings } = parseArgs({
  options: {
    on: { type: 'string', default: 'redis' },
    conversations: { type: 'string', default: '200' },
    turns: { type: 'string', default: '60' },
  },
});
const [conversations, turns] = [Number(settings.conversations), Number(settings.turns)];

const began = performance.now();
const database = await (settings.on === 'postgres' ? startPostgres() : startRedis());
const shared = await connect(database.url);
const [chat, summaries] = [await startChat(WINDOW), await startSummaries()];

/** Starts a process, and waits for its first message. */
async function start(file, ...args) {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args.map(String));
  const [first] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${file} ended at its start`))),
  ]);
  return Object.assign(child, first);
}
const jobs = { completed: 0, failed: 0, stalled: 0 };
async function startWorker() {
  const worker = await start('worker.mjs', database.url, summaries.url);
  worker.on('message', ({ completed, failed, stalled }) => {
    if (completed) jobs.completed++;
    if (failed) jobs.failed++;
    if (stalled) jobs.stalled++;
  });
  return worker;
}
const servers = await Promise.all([1, 2].map(() => start('server.mjs', database.url, chat.url, LIMIT, STORE_TIMEOUT)));
const workers = await Promise.all([1, 2].map(startWorker));
const everyone = [...servers, ...workers];

const kill = async (child) => {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
};
let killed = Promise.resolve();

/** Kills a server in the middle of a request, and a worker whose answer is on its way. */
function killOneOfEach() {
  const held = summaries.hold();
  killed = Promise.all([kill(servers[0]), held.then((pid) => kill(workers.find((worker) => worker.pid === pid)))]);
}

const alive = () => servers.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
const found = { answered: 0, retried: 0, wrong: 0, misfits: 0, epochs: 0, broken: 0, used: 0 };
const times = [];
const errors = new Set();

class Conversation {
  history = [{ role: 'system', content: 'You explain why jobs are slow.' }];
  #last = [];

  constructor(index) {
    this.id = `chat-${index}`;
    this.index = index;
  }

  async take(turn) {
    this.history.push({ role: 'user', content: question(this.id, turn) });
    const { message, ms, fits, epoch, isRetried } = await this.#ask(turn);
    this.history.push({ role: message.role, content: message.content });
    times.push(ms);
    if (message.content !== answerTo(this.history.at(-2).content)) found.wrong++;
    if (!fits) found.misfits++;
    chat.tally();
    const sent = chat.last.get(this.id);
    if (epoch !== undefined) {
      found.epochs++;
      if (sent.some(({ content }) => content.includes('SUMMARY '))) found.used++;
      // The server that died may have begun an epoch, and saved it.
    } else if (!isRetried && !isDeepStrictEqual(sent.slice(0, this.#last.length), this.#last)) found.broken++;
    this.#last = sent;
    if (++found.answered === Math.floor((conversations * turns) / 2)) killOneOfEach();
  }

  /** Asks the servers in turn; another one if the first is gone. */
  async #ask(turn) {
    for (let tries = 1; ; tries++) {
      const running = alive();
      const { port } = running[(this.index + turn) % running.length];
      let response;
      let reply;
      try {
        const body = JSON.stringify({ id: this.id, history: this.history });
        response = await fetch(`http://127.0.0.1:${port}/chat`, { method: 'POST', body });
        reply = await response.json();
      } catch (error) {
        if (tries === MAX_TRIES) throw error;
        found.retried++;
        await sleep(10);
        continue;
      }
      if (response.ok) return { ...reply, isRetried: tries > 1 };
      errors.add(reply.error);
      throw new Error(reply.error);
    }
  }
}

// Turn by turn, so that the conversations are interleaved over both servers.
const all = Array.from({ length: conversations }, (_, index) => new Conversation(index));
for (let turn = 0; turn < turns; turn++) {
  const waiting = [...all];
  const client = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await one.take(turn);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
}
await killed;
const isBusy = async () => Object.values(await shared.queue.getJobCounts('wait', 'active', 'delayed')).some((count) => count > 0);
while (await isBusy()) await sleep(100);
const seconds = (performance.now() - began) / 1000;

// Another process takes every conversation up, and every summary that the model made is there.
const lost = { states: 0, summaries: 0 };
const unseen = new Set(summaries.answers.keys());
for (const { id, history } of all) {
  const options = { limit: LIMIT, format: 'openai-chat', summarizer: 'store', storeTimeout: STORE_TIMEOUT };
  const session = createSession({ store: shared.store, id, ...options });
  const { report, epoch } = await session.next([...history, { role: 'user', content: question(id, turns) }]);
  if (report.foreign || session.report.requests <= turns || (epoch === undefined && report.messages.reused === 0)) lost.states++;
  const keys = [...unseen];
  const kept = await shared.store.get(
    id,
    keys.map((key) => `summary:${key}`),
  );
  keys.forEach((key, index) => {
    if (kept[index] === summaries.answers.get(key)) unseen.delete(key);
  });
}
// What a worker was told and could not store died with it. If it is still wanted, another worker asks again.
const dead = new Set(workers.filter(({ signalCode }) => signalCode !== null).map(({ pid }) => pid));
const died = [...unseen].filter((key) => dead.has(summaries.askedBy.get(key).at(-1))).length;
lost.summaries = unseen.size - died;
const duplicates = summaries.texts.length - new Set(summaries.texts).size;
const repeats = [...summaries.askedBy.values()].flatMap((pids) => pids.slice(0, -1));
const afterDeath = repeats.filter((pid) => dead.has(pid)).length;

times.sort((a, b) => a - b);
const ms = (share) => `${times[Math.floor(share * (times.length - 1))].toFixed(1)} ms`;
const percent = (part, whole) => `${((100 * part) / whole).toFixed(1)}%`;
const { requests, refused, sent, cached, largest } = chat.totals;
const ended = everyone.filter(({ signalCode }) => signalCode === 'SIGKILL').length;
console.log(
  [
    `${conversations} conversations of ${turns} turns on ${settings.on}, in ${seconds.toFixed(0)} s; ${ended} processes killed`,
    `requests: ${requests}, ${refused} refused; ${found.retried} sent again; largest ${largest} of ${WINDOW} tokens`,
    `epochs: ${found.epochs}, ${found.used} of them with summaries; other requests that do not begin with the last one: ${found.broken}`,
    `cache: ${percent(cached, sent)} of ${sent} tokens`,
    `jobs: ${jobs.completed} completed, ${jobs.failed} failed attempts, ${jobs.stalled} taken over; ${summaries.totals.limited} times 429`,
    `summaries: ${summaries.texts.length} made, ${duplicates} of them of a text that had one`,
    `asked again, and answered by the provider without the model: ${afterDeath} after a worker died, ${repeats.length - afterDeath} otherwise; died with a worker, and no longer wanted: ${died}`,
    `lost: ${conversations * turns - found.answered} answers, ${found.wrong} wrong answers, ${lost.states} states, ${lost.summaries} summaries`,
    `next: p50 ${ms(0.5)}, p99 ${ms(0.99)}`,
    ...errors,
  ].join('\n'),
);

for (const child of everyone) if (child.connected) child.disconnect();
await shared.close();
await Promise.all([chat.close(), summaries.close()]);
await database.stop();
const faults = [refused, found.misfits, found.broken, found.wrong, lost.states, lost.summaries, duplicates, 2 - ended];
process.exitCode = faults.every((count) => count === 0) && found.answered === conversations * turns ? 0 : 1;
