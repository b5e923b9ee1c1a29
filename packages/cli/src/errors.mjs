// @ts-check

/** A problem with the data: exit code 1. The message is one line with the place, and has no contents. */
export class Problem extends Error {}

/** A command line that is wrong: exit code 2. The message is one line. */
export class Misuse extends Error {}
