// The conversations for tests on real work: the small corpus of ../corpus, and recorded ones if they are beside the project.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { CONVERSATIONS, plainConversations } from '../corpus/index.mjs';
import { sayIn } from './transcripts.mjs';

const shared = new URL('../../../shared/', import.meta.url);
/** The folders of recorded conversations: the second has those of other agents. */
const FOLDERS = ['corpus', 'recordings'].map((name) => new URL(`${name}/`, shared));

const missing = FOLDERS.filter((folder) => !existsSync(folder));
/** Why tests of recorded conversations are skipped; `false` where they are not. */
export const withoutRecorded = missing.length > 0 && `${missing.map(({ pathname }) => pathname).join(' and ')} not here`;

/** The files with recorded conversations: `plain` in the form that `compress` takes without a format, or `native` as providers take them. */
export const recordedFiles = (form) =>
  FOLDERS.flatMap((folder) => {
    const inside = new URL(`${form}/`, folder);
    const names = readdirSync(inside).filter((name) => name.endsWith('.json'));
    return names.map((name) => new URL(name, inside));
  });

const recordedIn = (form) =>
  recordedFiles(form).flatMap((file) =>
    JSON.parse(readFileSync(file, 'utf8')).map((conversation) => ({ file: file.pathname, ...conversation })),
  );

const LONG = ['anthropic', 'openai-chat'];
const SHORT = ['openai-responses', 'gemini', 'anthropic', 'openai-chat'];

/** The format of each conversation of the small corpus. Every format occurs, and both large providers have long ones. */
const formatOf = ({ id }, index) => (id.endsWith('-long') ? LONG[(index >> 1) % LONG.length] : SHORT[index % SHORT.length]);

/**
 * The collections of conversations. A test is made for each, so that one that is skipped says so.
 *
 * `plain` returns its conversations as `compress` takes them without a format, `native` as providers take them:
 * `{ id: string, format: string, messages: object[] }`.
 */
export const CORPORA = [
  {
    corpus: 'the small corpus',
    skip: false,
    plain: plainConversations,
    native: () =>
      CONVERSATIONS.map((conversation, index) => {
        const format = formatOf(conversation, index);
        return { id: conversation.id, format, messages: sayIn(format, conversation.spoken) };
      }),
  },
  {
    corpus: 'recorded conversations',
    skip: withoutRecorded,
    plain: () => recordedIn('plain'),
    native: () =>
      recordedIn('native').map(({ file, id, messages }) => ({
        id,
        format: file.endsWith('.anthropic.json') ? 'anthropic' : 'openai-chat',
        messages,
      })),
  },
];
