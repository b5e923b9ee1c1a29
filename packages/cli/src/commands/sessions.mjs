// @ts-check
// What the commands over recorded sessions share.
import { homedir } from 'node:os';

/** Default limit of a request with a session, in tokens. */
export const LIMIT = 100_000;

/** @type {import('./index.mjs').Option} */
export const LIMIT_OPTION = {
  type: 'tokens',
  short: 'l',
  value: 'TOKENS',
  text: 'maximum tokens of a request with a session. Default 100k',
};

/** The folder below which agents keep their transcripts. @param {import('./index.mjs').Io} io */
export const homeOf = ({ env }) => env.HOME || env.USERPROFILE || homedir();
