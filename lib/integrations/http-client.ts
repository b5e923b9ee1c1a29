import { mismatch, shown } from '../checks.js';
import { checkGiven } from './belonging.js';
import { PEERS } from './peers.js';
import { isRecall } from './recall.js';
import { watchUsage } from './streams.js';
import type { Foreign } from '../types.js';
import type { Chosen } from './requests.js';
import type { Guard } from './guard.js';
import type { Owner } from './belonging.js';

/** An API of a client. */
export interface Api {
  choose: (body: Foreign) => Promise<Chosen>;
  guard: Guard;
  /** returns the usage of an answer, or of a value of its stream, if it has one */
  usageOf: (value: Foreign) => Foreign;
  /** returns the calls of tools in the same, as the SDK hands them on, if it does */
  callsOf: (value: Foreign) => { name?: string; id?: string; [key: string]: any }[];
}

interface Copying {
  apiOf: (path: string) => Api | undefined;
  finish: (copy: Foreign) => Foreign;
}

/**
 * Returns a copy of a client of OpenAI's or Anthropic's SDK that chooses what its requests send. All methods of both end in `client.post`,
 * which takes its options as a promise. So the choice is waited for there, and what a method returns is made by the SDK as ever.
 *
 * @param how `own`: the integration, `resource`: the name of one that only its clients have, `apiOf`: returns the API of a path, or undefined if it
 * goes through, `finish`: completes the copy and those that are made of it
 * @throws {TypeError} it is not such a client
 */
export function copyClient(client: Foreign, how: { own: Owner; resource: string } & Copying): Foreign {
  const { own, resource, apiOf, finish } = how;
  const [caller, subpath] = own;
  checkGiven(own, 'client', client);
  if (typeof client === 'function')
    throw new TypeError(
      `${caller}: client must be a client, got ${client.name === '' ? 'a function' : `the class ${client.name}`}: create one with new`,
    );
  const needed = [resource, 'post', 'withOptions'];
  const missing = needed.find((name) => (name === resource ? client?.[name] === undefined : typeof client?.[name] !== 'function'));
  if (missing === resource) throw mismatch(`${caller}: client`, `a client with ${resource}`, client);
  if (missing !== undefined) {
    const [[name, range]] = Object.entries(PEERS[subpath]);
    throw new TypeError(`${caller}: client has no method ${missing}(), as clients of ${name} ${range} have, got ${shown(client)}`);
  }
  return overridden(client.withOptions({}), { apiOf, finish });
}

function overridden(client: Foreign, { apiOf, finish }: Copying): Foreign {
  const { post, withOptions } = client;
  const methods = {
    post(path: string, options: Foreign) {
      const api = typeof path === 'string' ? apiOf(path.split('?')[0]) : undefined;
      if (api === undefined) return post.call(client, path, options);
      let taking: Chosen | undefined;
      let sent: Foreign;
      const chosen = Promise.resolve(options).then(async (given) => {
        const choice = await api.choose(given?.body);
        taking = choice;
        sent = given;
        return choice.request === undefined ? given : { ...given, body: choice.request };
      });
      const sending = post.call(client, path, chosen);
      const looking = (answer: Foreign) => {
        const taken = taking;
        // What ends or repeats the caller's own request is not for shadow requests.
        const again = (body: Foreign) =>
          post.call(client, path, { ...sent, body, maxRetries: 0, signal: undefined, idempotencyKey: undefined });
        taken?.look(() => observing(answer, api, taken, () => taken.trial?.finish(again)));
        return answer;
      };
      return api.guard.late(() => sending._thenUnwrap(looking)) ?? sending;
    },
    withOptions: (options: Foreign) => overridden(withOptions.call(client, options), { apiOf, finish }),
  };
  return finish(Object.assign(client, methods));
}

/** Passes on the usage of an answer, or of a stream when it was read, and calls of the recall tool. `finish` is called behind it. */
function observing(answer: Foreign, { usageOf, callsOf }: Foreign, { observe, called, look, trial }: Chosen, finish: () => void) {
  if (answer === null || typeof answer !== 'object') return;
  const usageIn = (value: Foreign) => {
    for (const call of callsOf(value).filter(({ name }: Foreign) => isRecall(name))) for (const key of [call, call.id]) called(key);
    trial?.see(value);
    return usageOf(value);
  };
  const { iterator } = answer;
  if (typeof iterator !== 'function') {
    observe(usageIn(answer));
    return finish();
  }
  answer.iterator = () => watchUsage(iterator.call(answer), usageIn, { observe, look, finish });
}
