// The conversations for tests on real work: always the small corpus of ../corpus, and recorded ones if they are beside the
// project.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { CONVERSATIONS, plainConversations } from '../corpus/index.mjs';
import { sayIn } from './transcripts.mjs';

const recorded = new URL('../../../shared/corpus/', import.meta.url);

/** Whether recorded conversations are here. With them, the counts are larger. */
export const hasRecorded = existsSync(recorded);

const recordedIn = (folder) => {
  if (!hasRecorded) return [];
  const files = readdirSync(new URL(`${folder}/`, recorded)).filter((name) => name.endsWith('.json'));
  return files.flatMap((file) =>
    JSON.parse(readFileSync(new URL(`${folder}/${file}`, recorded), 'utf8')).map((conversation) => ({ file, ...conversation })),
  );
};

/** All conversations as `compress` takes them without a format. */
export const plain = () => [...plainConversations(), ...recordedIn('plain')];

const LONG = ['anthropic', 'openai-chat'];
const SHORT = ['openai-responses', 'gemini', 'anthropic', 'openai-chat'];

/** The format of each conversation of the small corpus. Every format occurs, and both large providers have long ones. */
const formatOf = ({ id }, index) => (id.endsWith('-long') ? LONG[(index >> 1) % LONG.length] : SHORT[index % SHORT.length]);

/**
 * All conversations as providers take them.
 *
 * @returns {{ id: string, format: string, messages: object[] }[]}
 */
export const native = () => [
  ...CONVERSATIONS.map((conversation, index) => {
    const format = formatOf(conversation, index);
    return { id: conversation.id, format, messages: sayIn(format, conversation.spoken) };
  }),
  ...recordedIn('native').map(({ file, id, messages }) => ({
    id,
    format: file.endsWith('.anthropic.json') ? 'anthropic' : 'openai-chat',
    messages,
  })),
];
