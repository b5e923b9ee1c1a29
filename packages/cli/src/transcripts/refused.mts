// Files that are known, but not read.
import { isObject } from './values.mjs';
import type { Json } from './values.mjs';

const REFUSED: { is: (value: Json) => boolean; reason: string }[] = [
  {
    is: ({ type }) => /^(?:thread|turn|item)\.(?:started|updated|completed|failed)$/.test(type),
    reason: 'is what `codex exec --json` prints, which has no requests: the session is in ~/.codex/sessions',
  },
  {
    is: ({ sessionID, part }) => typeof sessionID === 'string' && isObject(part),
    reason: 'is what `opencode run --format json` prints, which has no requests: `opencode export` prints the session',
  },
  {
    is: ({ sessionId, messageId, message }) =>
      typeof sessionId === 'string' && typeof messageId === 'number' && typeof message === 'string',
    reason: 'is the logs.json of Gemini CLI, which has only what the user said: the sessions are in chats/ beside it',
  },
  {
    is: ({ ts, type }) => typeof ts === 'number' && (type === 'say' || type === 'ask'),
    reason: 'is the ui_messages.json of Cline, which has only what was shown: the messages are in api_conversation_history.json beside it',
  },
  {
    is: ({ session, items }) => isObject(session) && Array.isArray(items),
    reason: 'is a session of Codex CLI from before June 2025, which is not read: `jq .items` gives its messages',
  },
  {
    is: ({ history }) => Array.isArray(history) && history.some((message) => Array.isArray(message?.parts)),
    reason: 'is a checkpoint of Gemini CLI, which is not read: `jq .history` gives its messages',
  },
  {
    is: ({ history }) => Array.isArray(history) && history.some((one) => isObject(one?.message)),
    reason: 'is a session of Continue, which is not read: `jq "[.history[].message]"` gives its messages',
  },
  {
    is: ({ requests, requesterUsername }) => Array.isArray(requests) && typeof requesterUsername === 'string',
    reason: 'is a chat of Copilot in VS Code, which is not read',
  },
  {
    is: ({ step_index, source, type }) => typeof step_index === 'number' && typeof source === 'string' && typeof type === 'string',
    reason: 'is a transcript of Antigravity, which is not read',
  },
];

/** Why a file is not read whose first value this is; undefined if nothing is known of it. */
export const refusalOf = (first: unknown) => (isObject(first) ? REFUSED.find(({ is }) => is(first))?.reason : undefined);
