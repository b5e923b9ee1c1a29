/** A problem with the data: exit code 1. The message is one line with the place, and has no contents. */
export class Problem extends Error {}

/** A command line that is wrong: exit code 2. The message is one line. */
export class Misuse extends Error {}

/** Whether an error says that messages don't have the shape of their format, which the library refuses. */
export const isShapeError = (error: unknown) => error instanceof TypeError && /^[\w.]+\(\)|messages/.test(error.message);
