// @ts-check
import { basename, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Misuse, Problem } from '../errors.mjs';
import { coloursOf, cut, plain, widthOf } from '../terminal.mjs';
import { inputTokens } from '../usage.mjs';
import { homeOf, LIMIT, LIMIT_OPTION } from './sessions.mjs';
import { tell } from './verbs.mjs';

/** @typedef {import('./index.mjs').Io} Io */
/** @typedef {import('../types.d.ts').Agent} Agent */
/** @typedef {import('../types.d.ts').Transcript} Transcript */

/** Time between two looks at the file, and between two looks for a newer one, in ms. */
const EVERY = 1000;
const EVERY_SEARCH = 10_000;
const AGENTS = /** @type {const} */ (['claude-code', 'codex', 'gemini-cli', 'opencode', 'cline']);

/** @param {number} count */
const thousands = (count) => (count < 1000 ? String(count) : `${(count / 1000).toFixed(count < 100_000 ? 1 : 0)}k`);

/**
 * The newest file of an agent, or of those that are named.
 *
 * @param {string | undefined} path
 * @param {Agent | undefined} agent
 * @param {Io} io
 */
async function newest(path, agent, io) {
  const { find, listFiles } = await import('../transcripts/index.mjs');
  if (path !== undefined) {
    const { found, skipped } = await listFiles([resolve(io.cwd, path)]);
    if (found.length === 0 && skipped.length > 0) throw new Problem(`${plain(path)}: ${skipped[0].reason}`);
    return found[0];
  }
  const { found } = await find(homeOf(io), io.env);
  return found.find((one) => agent === undefined || one.agent === agent);
}

/** The newest session of a file. @param {string} file @returns {Promise<Transcript | undefined>} */
async function lastSession(file) {
  const { read, Unreadable } = await import('../transcripts/index.mjs');
  /** @type {Transcript | undefined} */
  let last;
  try {
    for await (const transcript of read(file)) if (last === undefined || (transcript.ended ?? 0) > (last.ended ?? 0)) last = transcript;
  } catch (error) {
    // An agent may be writing it just now.
    if (!(error instanceof Unreadable)) throw error;
  }
  return last;
}

/** @param {Transcript} transcript @param {number} limit @param {number} now */
async function playedOf(transcript, limit, now) {
  const [{ simulate }, { createCounter }, { createPrices }] = await Promise.all([
    import('../analysis/simulate.mjs'),
    import('../analysis/counting.mjs'),
    import('../analysis/prices.mjs'),
  ]);
  const counter = createCounter(transcript.format, transcript.model);
  const tokens = transcript.messages.map(counter.ofMessage);
  const price = createPrices(now)(transcript.model);
  return [...simulate(transcript, { limit, tokens, counter, price })];
}

/** @type {import('./index.mjs').Command} */
export const command = {
  name: 'watch',
  summary: 'Follows the newest session of an agent, a line a request',
  usage: '[FILE or FOLDER]',
  positionals: 1,
  notes: [
    'Each line has the tokens of a request, the share that was read from the cache, and what a session within the limit would have sent. It runs until it is interrupted, and goes on with a newer session as soon as there is one.',
  ],
  options: {
    agent: { type: 'string', value: 'NAME', choices: AGENTS, text: `only sessions of ${AGENTS.join(', ')}. Default: the newest of all` },
    limit: LIMIT_OPTION,
    once: { type: 'boolean', text: 'ends with the requests that are there' },
    json: { type: 'boolean', text: 'one JSON object a line' },
  },
  examples: [
    ['palimpsest watch', 'the newest session on this machine'],
    ['palimpsest watch --agent codex --limit 60k', 'of Codex'],
    ['palimpsest watch --once --json session.jsonl', 'all requests of a transcript, for a program'],
  ],
  async run({ values, positionals: [path], io }) {
    if (path !== undefined && values.agent !== undefined) throw new Misuse('--agent is for the usual places, not for a FILE');
    const limit = values.limit ?? LIMIT;
    const colours = coloursOf(io.stdout, io.env);
    let file;
    let searched = Number.NEGATIVE_INFINITY;
    let seen = '';
    let id = '';
    let count = 0;
    for (;;) {
      if (io.now() - searched >= EVERY_SEARCH) {
        file = await newest(path, values.agent, io);
        searched = io.now();
        if (file === undefined) {
          const of = values.agent ? ` of ${values.agent}` : '';
          throw new Problem(
            path === undefined ? `found no session${of} in the usual places; name a file` : `${plain(path)}: holds no transcript`,
          );
        }
      } else if (file !== undefined) file = (await newest(file.path, undefined, io)) ?? file;
      const state = `${file?.path} ${file?.bytes} ${file?.changed}`;
      if (file !== undefined && state !== seen) {
        seen = state;
        const transcript = await lastSession(file.path);
        if (transcript === undefined && values.once) throw new Problem(`${plain(file.path)}: holds no transcript`);
        if (transcript !== undefined) {
          if (id !== `${file.path} ${transcript.id}`) {
            id = `${file.path} ${transcript.id}`;
            count = 0;
            tell(io, values, `${transcript.agent}: ${transcript.title ?? transcript.id} (${basename(file.path)})`);
          }
          const played = await playedOf(transcript, limit, io.now());
          for (const [index, request] of played.entries()) {
            if (index < count) continue;
            const [tokens, sent] = [inputTokens(request.usage), inputTokens(request.withSession)];
            const data = { request: index + 1, tokens, cached: request.usage.cacheRead, sent, sentCached: request.withSession.cacheRead };
            if (values.json) {
              io.stdout.write(
                `${JSON.stringify({ ...data, ...(request.time && { time: request.time }), ...(request.epoch && { epoch: request.epoch }) })}\n`,
              );
              continue;
            }
            const time = request.time ? `${new Date(request.time).toISOString().slice(11, 19)}  ` : '';
            const share = tokens === 0 ? 0 : Math.round((100 * data.cached) / tokens);
            const change = sent < tokens ? ` (-${Math.round(100 * (1 - sent / tokens))} %)` : '';
            const line = `${time}${String(index + 1).padStart(4)}  ${thousands(tokens).padStart(6)} tokens, ${String(share).padStart(3)} % cached; a session: ${thousands(sent)}${change}${request.epoch ? `, epoch: ${request.epoch}` : ''}`;
            const shown = io.stdout.isTTY ? cut(line, widthOf(io.stdout, io.env)) : line;
            io.stdout.write(`${request.epoch ? colours.yellow(shown) : shown}\n`);
          }
          count = Math.max(count, played.length);
        }
      }
      if (values.once) return;
      await wait(EVERY);
    }
  },
};
