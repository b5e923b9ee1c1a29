// Messages of the package's own type: chat completions with an id: `describeProvider` says what each field is for.
import { put } from './draw.mjs';
import { openaiChat } from './openai-chat.mjs';

const { system, plain, user, wordsOf, open, places, kinds } = openaiChat;

/** Writes a conversation that `dialogue` draws. */
const say = (spoken) =>
  openaiChat
    .say({ ...spoken, turns: spoken.turns.map((turn) => (turn.who === 'user' ? { ...turn, more: [] } : turn)) })
    .map((each, index) => ({
      id: `m${index}`,
      index,
      ...each,
      content:
        typeof each.content === 'string' || each.content === null ? (each.content ?? '') : each.content.map(({ text }) => text).join('\n'),
    }));

export const message = {
  name: 'message',
  say,
  judge: openaiChat.judge,
  system,
  plain,
  user,
  wordsOf,
  open,
  places,
  kinds,
  inFormat: (messages) => messages.map((one, index) => ({ id: `m${index}`, index, ...one })),

  recognised: [
    { id: 'a', index: 0, role: 'user', content: 'x' },
    { id: 'a', index: 0, content: undefined },
  ],
  refused: [[{ id: 'a', index: 1, role: 'assistant', tool_calls: ['x'] }, 'tool_calls[0] must be an object, got string']],
  valid: () => [
    { id: '', index: 0, role: 'user', content: 'Hello.' },
    { id: 0, content: null },
  ],
  broken: {
    'message-shape': [['[1]', null]],
    'missing-id': [['[1]', put('[1].id', null)]],
  },
  accepted: {
    'anything that has an id': (m) => m.push({ id: {}, role: 7, content: [null] }),
    'nothing at all': (m) => m.splice(0),
  },
};
