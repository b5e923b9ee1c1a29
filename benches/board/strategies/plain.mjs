// What agents write themselves: the oldest messages go, the results of old calls do, or the middle does.

/** The newest messages that fit, from where no result has lost its call. */
export function newest(messages, left, tokensOf) {
  let from = messages.length;
  let room = left;
  while (from > 0 && tokensOf(messages[from - 1]) <= room) room -= tokensOf(messages[--from]);
  while (messages[from]?.role === 'tool') from++;
  return messages.slice(from);
}

/** System messages, and the others. */
export function split(messages) {
  const isSystem = ({ role }) => role === 'system';
  return [messages.filter(isSystem), messages.filter((message) => !isSystem(message))];
}
export const sum = (messages, tokensOf) => messages.reduce((total, message) => total + tokensOf(message), 0);

/** The oldest messages go first, but for the system prompt. */
function trimmed(messages, { limit, tokensOf }) {
  const [system, rest] = split(messages);
  return [...system, ...newest(rest, limit - sum(system, tokensOf), tokensOf)];
}

/** The first messages, a quarter of what there is room for, or the first of them if that takes more, and the newest. */
export function headAndTail(messages, { limit, tokensOf }) {
  const [system, rest] = split(messages);
  const room = limit - sum(system, tokensOf);
  const most = Math.max(room / 4, Math.min(sum(rest.slice(0, 1), tokensOf), 0.9 * room));
  let [to, taken] = [0, 0];
  while (to < rest.length && taken + tokensOf(rest[to]) <= most) taken += tokensOf(rest[to++]);
  // A call stays with all its results.
  if (rest[to]?.role === 'tool') {
    while (rest[to]?.role === 'tool') to--;
    taken = sum(rest.slice(0, to), tokensOf);
  }
  return [...system, ...rest.slice(0, to), ...newest(rest.slice(to), room - taken, tokensOf)];
}

const SHORT = 60;
/** Results are replaced, the oldest first, until the rest fits. Short ones stay. */
function masked(messages, { limit, tokensOf }) {
  const left = [...messages];
  let size = sum(left, tokensOf);
  for (const [index, message] of messages.entries()) {
    if (size <= limit) break;
    if (message.role !== 'tool' || message.content.length <= SHORT) continue;
    left[index] = { ...message, content: '[Old output omitted]' };
    size += tokensOf(left[index]) - tokensOf(message);
  }
  return left;
}

export const PLAIN = [
  { name: 'trimming, oldest first', cut: trimmed },
  { name: 'head and tail', cut: headAndTail },
  { name: 'masking of old results', cut: masked },
];
