import { mismatch, shown } from '../checks.js';
import { diagnosticsIn } from '../providers/diagnostics.js';
import { checkGiven } from './belonging.js';
import { PEERS } from './peers.js';
import { reading } from './requests.js';
import { watchUsage } from './streams.js';
import type { Answers, Chosen, Whole } from './requests.js';
import type { Guard } from './guard.js';
import type { Owner } from './belonging.js';

/** An API of a client. */
export interface Api extends Answers {
  choose: (body: Whole | undefined, client: object) => Promise<Chosen>;
  guard: Guard;
}

/** What is used of a client. */
interface Client {
  post(path: string, options: unknown): Sending;
  withOptions(options: object): Client;
}

/** The promise of an answer. */
interface Sending extends PromiseLike<unknown> {
  _thenUnwrap(look: (answer: unknown) => unknown): Sending;
}

/** An answer; the SDK makes the iterator of a stream with `iterator`. */
interface Answer {
  iterator?: () => AsyncIterator<object>;
}

interface Copying<Copy> {
  /** returns the API of a path, or undefined if it goes through */
  apiOf: (path: string) => Api | undefined;
  /** completes the copy and those that are made of it */
  finish: (client: Client) => Copy;
}

/**
 * Returns a copy of a client of OpenAI's or Anthropic's SDK that chooses what its requests send. All methods of both end in `client.post`,
 * which takes its options as a promise. So the choice is waited for there, and what a method returns is made by the SDK as ever.
 *
 * @param how `own`: the integration, `resource`: the name of one that only its clients have
 * @throws {TypeError} it is not such a client
 */
export function copyClient<Copy>(client: unknown, how: { own: Owner; resource: string } & Copying<Copy>): Copy {
  const { own, resource, apiOf, finish } = how;
  const [caller, subpath] = own;
  checkGiven(own, 'client', client);
  if (typeof client === 'function')
    throw new TypeError(
      `${caller}: client must be a client, got ${client.name === '' ? 'a function' : `the class ${client.name}`}: create one with new`,
    );
  const members = client as Record<string, unknown> | null | undefined;
  const needed = [resource, 'post', 'withOptions'];
  const missing = needed.find((name) => (name === resource ? members?.[name] === undefined : typeof members?.[name] !== 'function'));
  if (missing === resource) throw mismatch(`${caller}: client`, `a client with ${resource}`, client);
  if (missing !== undefined) {
    const [[name, range]] = Object.entries(PEERS[subpath]);
    throw new TypeError(`${caller}: client has no method ${missing}(), as clients of ${name} ${range} have, got ${shown(client)}`);
  }
  return overridden((client as Client).withOptions({}), { apiOf, finish });
}

function overridden<Copy>(client: Client, { apiOf, finish }: Copying<Copy>): Copy {
  const { post, withOptions } = client;
  const methods = {
    post(path: string, options: unknown) {
      const api = typeof path === 'string' ? apiOf(path.split('?')[0]) : undefined;
      if (api === undefined) return post.call(client, path, options);
      let taking: Chosen | undefined;
      let sent: { body?: Whole } | undefined;
      const chosen = Promise.resolve(options as typeof sent).then(async (given) => {
        const choice = await api.choose(given?.body, client);
        taking = choice;
        sent = given;
        return choice.request === undefined ? given : { ...given, body: choice.request };
      });
      const sending = post.call(client, path, chosen);
      const looking = (answer: unknown) => {
        const taken = taking;
        // What ends or repeats the caller's own request is not for shadow requests.
        const again = (body: object) =>
          post.call(client, path, { ...sent, body, maxRetries: 0, signal: undefined, idempotencyKey: undefined });
        taken?.look(() => observing(answer, api, taken, () => taken.trial?.finish(again)));
        return answer;
      };
      return api.guard.late(() => sending._thenUnwrap(looking)) ?? sending;
    },
    withOptions: (options: object) => overridden(withOptions.call(client, options), { apiOf, finish }),
  };
  return finish(Object.assign(client, methods));
}

/** Passes on the usage of an answer, or of a stream when it was read, and calls of the recall tool. `finish` is called behind it. */
function observing(answer: unknown, api: Api, chosen: Chosen, finish: () => void) {
  if (answer === null || typeof answer !== 'object') return;
  const usageIn = reading(api, chosen);
  const { observe, look } = chosen;
  const { iterator } = answer as Answer;
  if (typeof iterator !== 'function') {
    observe(usageIn(answer), diagnosticsIn(answer));
    return finish();
  }
  (answer as Answer).iterator = () => watchUsage(iterator.call(answer), usageIn, { observe, look, finish });
}
