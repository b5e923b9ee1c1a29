// The cost of ways to keep a session in its window, and the facts of later messages that they keep. Recorded sessions are replayed, request
// by request, with the times of their messages.
import { readFileSync, readdirSync } from 'node:fs';
import { commonIn } from './facts.mjs';
import { judgesOf, stepsOf, Words } from '../../packages/cli/dist/analysis/facts.mjs';
import { everything, fitting, session, summing, trimming } from './sessions/policies.mjs';
import { createReader } from './sessions/reading.mjs';
import { replay } from './sessions/replay.mjs';
import { PRICES } from './sessions/bills.mjs';
import { AGENTS, readTracks } from './sessions/tracks.mjs';

/**
 * `window` in tokens. Sessions are joined until they fill `enough` windows, and what is left at the end has to fill `least`. At `most`
 * so many tracks are played, and facts are counted at about `samples` steps of each.
 */
export const WINDOWS = [
  { window: 32_000, enough: 4, least: 2, most: 8, samples: 60 },
  { window: 64_000, enough: 4, least: 2, most: 6, samples: 60 },
  { window: 128_000, enough: 3, least: 1.5, most: 4, samples: 50 },
];
/** With `only`, at one window. */
export const POLICIES = [
  { name: 'nothing cut', start: everything },
  { name: '`createSession`', start: session() },
  { name: "`preset: 'careful'`", start: session({ preset: 'careful' }), only: 64_000 },
  { name: "`preset: 'thrifty'`", start: session({ preset: 'thrifty' }), only: 64_000 },
  { name: '`fit` in every step', start: fitting },
  { name: 'trimmed to the limit', start: trimming(1) },
  { name: 'trimmed to half of it', start: trimming(0.5) },
  { name: 'a summary at the limit', start: summing },
];
/** Real requests: with instructions and tools in front, which take `fixed` tokens of the window. */
export const FIXED = [30_000, 60_000].map((fixed) => ({ window: 100_000, fixed, enough: 3, least: 1.5, most: 4, samples: 50 }));
/** Tokens in front of each agent's sessions, in the window of `FIXED`. */
export const AGENT_FRONTS = [0, 30_000, 60_000];
/** Policies at all windows, but for the dearest. */
const CHEAP = POLICIES.flatMap(({ name, start }) => (start === fitting ? [] : [{ name, start }]));
/** What a session with a model alone leaves for what can be cut, in tokens. */
export const DEFAULT_ROOM = 128_000;
/** Tokens in front of single sessions, and limits for them, with the default one. */
export const ALONE_FRONT = 30_000;
export const ALONE_LIMITS = [64_000, 100_000, ALONE_FRONT + DEFAULT_ROOM, 200_000, 256_000];
/** Tokens for what can be cut, and in front of it. */
export const ROOMS = [32_000, 64_000, 96_000, 128_000, 192_000, 256_000, 384_000, 512_000];
export const FRONTS = [0, 20_000, 60_000];
/** The part that CI measures again: the session, and cheap policies. */
const PLAYED_AGAIN = ['`createSession`', 'trimmed to the limit', 'trimmed to half of it', 'a summary at the limit'];
export const SHORT = {
  windows: [WINDOWS.find(({ window }) => window === 64_000), FIXED[0]],
  policies: POLICIES.filter(({ name }) => PLAYED_AGAIN.includes(name)),
  first: 1,
};
/** The same by agent. */
export const SHORT_AGENTS = { fronts: [FIXED[0].fixed], policies: SHORT.policies, first: SHORT.first };
/** The numbers of a row: shares from 0 to 1, costs of that of never cutting. */
export const MEASURES = ['anthropic', 'openai', 'grounded', 'fresh', 'breaks', 'kept', 'over'];
/** Those of `FIXED`. `quotes`: texts that the next edit replaces and that are still there. `faults`: results asked for again that are not, a request. */
export const FIXED_MEASURES = ['anthropic', 'openai', 'grounded', 'quotes', 'faults', 'breaks', 'over'];
const ALL_MEASURES = [...new Set([...MEASURES, ...FIXED_MEASURES])];

/** Tells the words that are common in the recorded conversations. */
export function commonWords(shared) {
  const plain = new URL('corpus/plain/', shared);
  const conversations = readdirSync(plain).flatMap((file) => JSON.parse(readFileSync(new URL(file, plain), 'utf8')));
  const textOf = ({ content, tool_calls }) => (tool_calls?.length ? `${content}\n${JSON.stringify(tool_calls)}` : content);
  return commonIn(conversations.map(({ messages }) => messages.map(textOf)));
}

/** Measures a track under each policy. */
function playTrack(track, policies, options) {
  const { judges, ...uncutOptions } = options;
  const uncut = replay(track, everything, uncutOptions).bills;
  return policies.map(({ start }) => {
    const { bills, ...played } = replay(track, start, options);
    const [anthropic, openai] = ['anthropic', 'openai'].map((provider) => bills[provider].cost / uncut[provider].cost);
    return { anthropic, openai, ...played };
  });
}

const sum = (list, of) => list.reduce((total, one) => total + of(one), 0);

/** The mean of rows, each of which counts as much as another. */
const meanOf = (rows) => Object.fromEntries(ALL_MEASURES.map((measure) => [measure, sum(rows, (row) => row[measure]) / rows.length]));

/**
 * @param {URL} shared the folder with `eval` and `corpus`
 * @param {object} [options]
 * @param {typeof WINDOWS} [options.windows]
 * @param {typeof POLICIES} [options.policies]
 * @param {number} [options.first] plays only so many of a window's tracks
 * @returns {{ window: number, tracks: string[], requests: number, rows: object[] }[]} the ids of the tracks, and for each policy its
 *   `name` and the means of `MEASURES` over the tracks
 */
export function measureSessions(shared, { windows = WINDOWS, policies = POLICIES, first = Infinity } = {}) {
  const isCommon = commonWords(shared);
  return windows.map(({ window, fixed = 0, enough, least, most, samples, agent = AGENTS[0] }) => {
    const read = createReader(agent.format);
    const here = policies.filter(({ only }) => only === undefined || only === window);
    const options = { enough: enough * window, least: least * window, most, agent };
    const tracks = readTracks(shared, (message) => read(message).tokens, options).slice(0, first);
    const played = tracks.map((track) => {
      const judges = judgesOf(new Words(track.messages.map(read)), isCommon, samples, stepsOf(track.messages));
      return playTrack(track, here, { limit: window, fixed, read, judges, decide: PRICES[agent.prices] });
    });
    return {
      window,
      ...(fixed === 0 ? {} : { fixed }),
      tracks: tracks.map(({ id }) => id),
      requests: sum(tracks, ({ messages }) => stepsOf(messages).length),
      rows: here.map(({ name }, index) => ({ name, ...meanOf(played.map((rows) => rows[index])) })),
    };
  });
}

/** The tokens of the requests of a recorded session at 64k, and the reasons of its epochs, each with the index of its request. */
export function measureCourse(shared) {
  const read = createReader();
  const { window, enough, least } = WINDOWS[1];
  const [track] = readTracks(shared, (message) => read(message).tokens, { enough: enough * window, least: least * window, most: 1 });
  const [requests, epochs] = [[], []];
  const watched = (context) => {
    const started = session()(context);
    let before = {};
    return {
      next(fresh) {
        const { messages } = started.next(fresh);
        const { epochs: counts } = started.report;
        const reason = Object.keys(counts).find((name) => counts[name] !== (before[name] ?? 0));
        if (reason !== undefined) epochs.push([requests.length, reason]);
        before = counts;
        requests.push(context.sum(messages));
        return { messages };
      },
    };
  };
  replay(track, watched, { limit: window, read });
  return { window, requests, epochs };
}

/**
 * What each limit makes of all recorded sessions of a project, one behind the other: cost as a share of that of never cutting, at Anthropic's
 * prices, and what is grounded. `rows` are in the order of `ROOMS`.
 */
export function measureLimits(shared) {
  const isCommon = commonWords(shared);
  const read = createReader();
  const [track] = readTracks(shared, (message) => read(message).tokens, { enough: Infinity, least: 0, most: 1 });
  const judges = judgesOf(new Words(track.messages.map(read)), isCommon, 150, stepsOf(track.messages));
  return {
    tokens: sum(track.messages, (message) => read(message).tokens),
    fronts: FRONTS.map((fixed) => {
      const uncut = replay(track, everything, { limit: Infinity, fixed, read }).bills.anthropic.cost;
      const rows = ROOMS.map((room) => {
        const { bills, grounded } = replay(track, session(), { limit: fixed + room, fixed, read, judges });
        return { room, cost: bills.anthropic.cost / uncut, grounded };
      });
      return { fixed, rows };
    }),
  };
}

/**
 * What policies make of each agent's long sessions, with nothing to much in front, as `measureSessions` has it, decided by the prices of its provider.
 *
 * @returns {{ agent: string, prices: string, fronts: object[] }[]}
 */
export const measureAgents = (shared, { fronts = AGENT_FRONTS, policies = CHEAP, first } = {}) =>
  AGENTS.map((agent) => {
    const windows = fronts.map((fixed) => ({ ...FIXED[0], fixed, agent }));
    return { agent: agent.agent, prices: agent.prices, fronts: measureSessions(shared, { windows, policies, first }) };
  });

/**
 * What limits make of each agent's sessions as they were, one by one, with `ALONE_FRONT` tokens in front: how many are `cut`, what all cost as a share of
 * never cutting, at the prices of its provider, and what is grounded, a mean over the sessions.
 */
export function measureAlone(shared) {
  const isCommon = commonWords(shared);
  return AGENTS.map((agent) => {
    const read = createReader(agent.format);
    const own = PRICES[agent.prices];
    const sessions = readTracks(shared, (message) => read(message).tokens, { agent, enough: 0, least: 1, most: Infinity });
    const options = { fixed: ALONE_FRONT, read, prices: { own }, decide: own };
    const played = sessions.map((track) => {
      const judges = judgesOf(new Words(track.messages.map(read)), isCommon, FIXED[0].samples, stepsOf(track.messages));
      const uncut = replay(track, everything, { ...options, limit: Infinity }).bills.own.cost;
      return { uncut, cut: ALONE_LIMITS.map((limit) => replay(track, session(), { ...options, limit, judges })) };
    });
    const rows = ALONE_LIMITS.map((limit, index) => {
      const here = played.map(({ cut }) => cut[index]);
      const judged = here.filter(({ grounded }) => !Number.isNaN(grounded));
      return {
        limit,
        cut: here.filter(({ breaks }) => breaks > 0).length,
        cost: sum(here, ({ bills }) => bills.own.cost) / sum(played, ({ uncut }) => uncut),
        grounded: sum(judged, ({ grounded }) => grounded) / judged.length,
      };
    });
    return { agent: agent.agent, sessions: sessions.length, rows };
  });
}
