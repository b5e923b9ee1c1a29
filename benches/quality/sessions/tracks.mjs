// Tracks: recorded sessions of one project, one behind the other in the order of their times, so that a window overflows
// several times. Thinking is taken out: a provider takes signed thinking only behind the very messages that it was signed
// over, and no way of cutting keeps those.
import { readFileSync } from 'node:fs';

/** The recordings, by agent. `prices` are those of its provider; without `times`, ten seconds pass between messages. */
export const AGENTS = [
  {
    agent: 'Claude Code, early 2026',
    file: 'corpus/native/entire-claude-code.anthropic.json',
    times: 'eval/session/times-dev.json',
    format: 'anthropic',
    prices: 'anthropic',
  },
  {
    agent: 'Claude Code, mid 2026',
    file: 'recordings/native/claude-omp.anthropic.json',
    times: 'recordings/times.json',
    format: 'anthropic',
    prices: 'anthropic',
  },
  {
    agent: 'Codex, TypeScript',
    file: 'recordings/native/codex-agentv.openai.json',
    times: 'recordings/times.json',
    format: 'openai-chat',
    prices: 'openai',
  },
  { agent: 'Codex, Rust', file: 'recordings/plain/codex-rust.json', format: 'openai-chat', prices: 'openai' },
];
const STEP_MS = 10_000;

const readJson = (shared, name) => JSON.parse(readFileSync(new URL(name, shared), 'utf8'));
const isThinking = ({ type }) => type === 'thinking' || type === 'redacted_thinking';
/** A message as its provider takes it, without thinking. */
const cleaned = ({ role, content, tool_calls, tool_call_id }) => ({
  role,
  content: typeof content === 'string' ? content : content.filter((block) => !isThinking(block)),
  ...(tool_calls && { tool_calls }),
  ...(tool_call_id && { tool_call_id }),
});
const isEmpty = ({ role, content, tool_calls }) => content.length === 0 && !tool_calls?.length && role !== 'tool';

/** @returns {{ id: string, group: string, start: number, messages: { message: object, time: number }[] }[]} in the order of their times */
function readSessions(shared, { file, times }) {
  const known = times === undefined ? {} : readJson(shared, times);
  const sessions = readJson(shared, file).map(({ id, source, messages }) => {
    const { group, start, ts } = known[id] ?? { group: source, start: 0 };
    const timed = messages.map((message, index) => ({ message: cleaned(message), time: ts?.[index] }));
    return { id, group, start, messages: timed.filter(({ message }) => !isEmpty(message)) };
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
function played(sessions, format) {
  const messages = [];
  const times = [];
  for (const { message, time } of sessions.flatMap((session) => session.messages)) {
    const last = times.at(-1) ?? 0;
    messages.push(message);
    times.push(time === undefined ? last + STEP_MS : Math.max(time, last));
  }
  return { id: sessions[0].id, format, messages, times };
}

/**
 * @param {URL} shared the folder with `eval` and `corpus`
 * @param {(message: object) => number} tokensOf
 * @param {{ enough: number, least: number, most: number, agent?: typeof AGENTS[number] }} options tokens of a track, and how many tracks at most
 * @returns {{ id: string, format: string, messages: object[], times: number[] }[]} times in ms
 */
export function readTracks(shared, tokensOf, { enough, least, most, agent = AGENTS[0] }) {
  const sessions = readSessions(shared, agent);
  const groups = [...new Set(sessions.map(({ group }) => group))].sort();
  const tracks = groups.flatMap((group) =>
    join(
      sessions.filter((session) => session.group === group),
      tokensOf,
      { enough, least },
    ),
  );
  return spread(tracks, most).map((track) => played(track.sessions, agent.format));
}
