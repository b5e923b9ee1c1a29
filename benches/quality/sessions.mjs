// What ways to keep a session in its window cost, and what they keep of what comes next: recorded sessions are played again, request
// by request, with the times of their messages.
import { readFileSync, readdirSync } from 'node:fs';
import { commonIn } from './facts.mjs';
import { judgesOf, stepsOf } from './sessions/facts.mjs';
import { everything, fitting, session, summing, trimming } from './sessions/policies.mjs';
import { createReader } from './sessions/reading.mjs';
import { replay } from './sessions/replay.mjs';
import { readTracks } from './sessions/tracks.mjs';

/** In tokens. A track fills `enough` windows, the last one `least`; `most` tracks are played, and facts counted at about `samples` of their steps. */
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
/** The numbers of a row: shares from 0 to 1, costs of that of never cutting. */
export const MEASURES = ['anthropic', 'openai', 'grounded', 'fresh', 'breaks', 'kept', 'over'];

/** Tells the words that are common in the recorded conversations. */
function commonWords(shared) {
  const plain = new URL('corpus/plain/', shared);
  const conversations = readdirSync(plain).flatMap((file) => JSON.parse(readFileSync(new URL(file, plain), 'utf8')));
  const textOf = ({ content, tool_calls }) => (tool_calls?.length ? `${content}\n${JSON.stringify(tool_calls)}` : content);
  return commonIn(conversations.map(({ messages }) => messages.map(textOf)));
}

/** What a track comes to under each policy. */
function playTrack(track, policies, { limit, read, judges }) {
  const uncut = replay(track, everything, { limit, read }).bills;
  const rows = policies.map(({ name, start }) => {
    const { bills, grounded, fresh, breaks, kept, over } = replay(track, start, { limit, read, judges });
    return { name, anthropic: bills.anthropic.cost / uncut.anthropic.cost, openai: bills.openai.cost / uncut.openai.cost, grounded, fresh, breaks, kept, over };
  });
  return { id: track.id, requests: stepsOf(track.messages).length, rows };
}

/** The mean over the tracks, each of which counts as much as another. */
function meanRow(tracks, name) {
  const own = tracks.map(({ rows }) => rows.find((row) => row.name === name));
  return { name, ...Object.fromEntries(MEASURES.map((measure) => [measure, own.reduce((sum, row) => sum + row[measure], 0) / own.length])) };
}

/**
 * @param {URL} shared the folder with `eval` and `corpus`
 * @param {object} [options]
 * @param {typeof WINDOWS} [options.windows]
 * @param {typeof POLICIES} [options.policies]
 * @param {number} [options.first] plays only so many of a window's tracks
 * @returns {{ window: number, tracks: { id: string, requests: number, rows: object[] }[], rows: object[] }[]} rows of `MEASURES`: by
 *   track, and the means
 */
export function measureSessions(shared, { windows = WINDOWS, policies = POLICIES, first = Infinity } = {}) {
  const isCommon = commonWords(shared);
  return windows.map(({ window, enough, least, most, samples }) => {
    const read = createReader();
    const here = policies.filter(({ only }) => only === undefined || only === window);
    const tracks = readTracks(shared, (message) => read(message).tokens, { enough: enough * window, least: least * window, most })
      .slice(0, first)
      .map((track) => {
        const judges = judgesOf(track.messages, track.messages.map(read), isCommon, samples);
        return playTrack(track, here, { limit: window, read, judges });
      });
    return { window, tracks, rows: here.map(({ name }) => meanRow(tracks, name)) };
  });
}
