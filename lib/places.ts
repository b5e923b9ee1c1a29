/** Errors about a place in the messages without the function's name, because several functions share the code that throws them. */
const unnamed = new WeakSet();

/**
 * An error about a place in the messages.
 *
 * @param text begins with the place: `messages[14].content[2].input`
 */
export function misplaced(text: string, options?: { cause?: unknown }) {
  const error = new TypeError(text, options);
  if (text.startsWith('messages')) unnamed.add(error);
  return error;
}

/** Puts a text behind an error of {@link misplaced}; any other error is left as it is. */
export function continued(error: unknown, text: string) {
  if (error instanceof TypeError && unnamed.has(error)) say(error, error.message + text);
  return error;
}

/** Puts the function's name before an error of {@link misplaced}; any other error is left as it is. */
export function withCaller(caller: string, error: unknown) {
  if (error instanceof TypeError && unnamed.delete(error)) say(error, `${caller}(): ${error.message}`);
  return error;
}

/** Puts the name of the function that the user called in place of `inner`, the one that it calls in turn. */
export function calledBy(caller: string, inner: string, error: unknown) {
  const named = withCaller(caller, error);
  if (named instanceof Error && named.message.startsWith(`${inner}(): `)) say(named, named.message.replace(inner, caller));
  return named;
}

/** Gives an error another text, also where its stack repeats it. */
function say(error: Error, text: string) {
  if (error.stack !== undefined) error.stack = error.stack.replace(error.message, () => text);
  error.message = text;
}

/** A function whose errors about places in the messages begin with its name, like all others. */
export function named<A extends unknown[], T>(caller: string, work: (...args: A) => T): (...args: A) => T {
  const wrapped = (...args: A) => {
    try {
      return work(...args);
    } catch (error) {
      throw withCaller(caller, error);
    }
  };
  return Object.defineProperties(wrapped, { name: { value: work.name }, length: { value: work.length } });
}
