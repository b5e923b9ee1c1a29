// Tracks: recorded sessions of one project, one behind the other in the order of their times, so that a window overflows
// several times. Thinking is taken out: a provider takes signed thinking only behind the very messages that it was signed
// over, and no way of cutting keeps those.
import { readFileSync } from 'node:fs';

const SESSIONS = 'corpus/native/entire-claude-code.anthropic.json';
const TIMES = 'eval/session/times-dev.json';

const readJson = (shared, name) => JSON.parse(readFileSync(new URL(name, shared), 'utf8'));
const isThinking = ({ type }) => type === 'thinking' || type === 'redacted_thinking';
const withoutThinking = ({ role, content }) => ({
  role,
  content: typeof content === 'string' ? content : content.filter((block) => !isThinking(block)),
});

/** @returns {{ id: string, group: string, start: number, messages: { message: object, time: number }[] }[]} in the order of their times */
function readSessions(shared) {
  const times = readJson(shared, TIMES);
  const sessions = readJson(shared, SESSIONS).map(({ id, messages }) => {
    const { group, start, ts } = times[id];
    const timed = messages.map((message, index) => ({ message: withoutThinking(message), time: ts[index] }));
    return { id, group, start, messages: timed.filter(({ message: { content } }) => content.length > 0) };
  });
  return sessions.sort((a, b) => a.start - b.start || (a.id < b.id ? -1 : 1));
}

/** Joins sessions until they have `enough` tokens; what is left at the end counts from `least` on. */
function join(sessions, tokensOf, { enough, least }) {
  const tracks = [];
  let track = { sessions: [], tokens: 0 };
  const close = () => {
    if (track.tokens >= least) tracks.push(track);
    track = { sessions: [], tokens: 0 };
  };
  for (const session of sessions) {
    track.sessions.push(session);
    for (const { message } of session.messages) track.tokens += tokensOf(message);
    if (track.tokens >= enough) close();
  }
  close();
  return tracks;
}

/** At most `most` of a list, evenly spread over it. */
function spread(list, most) {
  const step = Math.max(1, list.length / most);
  return Array.from({ length: Math.min(most, list.length) }, (_, index) => list[Math.floor(index * step)]);
}

/** The messages of joined sessions, and their times. If a session began before the last one ended, the clock does not go back. */
function played(sessions) {
  const messages = [];
  const times = [];
  for (const { message, time } of sessions.flatMap((session) => session.messages)) {
    messages.push(message);
    times.push(Math.max(time, times.at(-1) ?? 0));
  }
  return { id: sessions[0].id, messages, times };
}

/**
 * @param {URL} shared the folder with `eval` and `corpus`
 * @param {(message: object) => number} tokensOf
 * @param {{ enough: number, least: number, most: number }} options tokens of a track, and how many tracks at most
 * @returns {{ id: string, messages: object[], times: number[] }[]} times in ms
 */
export function readTracks(shared, tokensOf, { enough, least, most }) {
  const sessions = readSessions(shared);
  const groups = [...new Set(sessions.map(({ group }) => group))].sort();
  const tracks = groups.flatMap((group) =>
    join(
      sessions.filter((session) => session.group === group),
      tokensOf,
      { enough, least },
    ),
  );
  return spread(tracks, most).map((track) => played(track.sessions));
}
