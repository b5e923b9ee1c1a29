// What the commands over recorded sessions share.
import { homedir } from 'node:os';
import type { Io, Option } from './index.mjs';

/** Default limit of a request with a session, in tokens. */
export const LIMIT = 100_000;

export const LIMIT_OPTION = {
  type: 'tokens',
  short: 'l',
  value: 'TOKENS',
  text: 'maximum tokens of a request with a session. Default 100k',
} as const satisfies Option;

/** The folder below which agents keep their transcripts. */
export const homeOf = ({ env }: Io) => env.HOME || env.USERPROFILE || homedir();
