// What `@palimpsest/mcp` takes of this package. Both are published with the same version.
export { readTokens } from './arguments.mjs';
export { homeOf, LIMIT } from './commands/sessions.mjs';
export { checked } from './commands/verbs.mjs';
export { Misuse, Problem } from './errors.mjs';
export { plain } from './terminal.mjs';
export { Follower } from './transcripts/follow.mjs';
export { find, read, readerOf, sourceOf, Unreadable } from './transcripts/index.mjs';
export { counted, grouped } from './transcripts/values.mjs';
export { inputTokens } from './usage.mjs';
export type { Io } from './commands/index.mjs';
export type { Found, Transcript } from './types.mjs';
