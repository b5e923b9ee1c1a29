// What tells an answer of a provider from all others, wherever and however often it is written.
import { createHash } from 'node:crypto';
import { replyEnd } from './messages.mjs';
import type { Transcript } from '../types.mjs';

/**
 * A name of an answer that has no id of the provider's, from what is recorded of it.
 *
 * @param parts values of JSON that all copies have alike and no other answer has: contents, time and usage
 */
export const digestOf = (...parts: unknown[]) => createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);

/**
 * Names the answers that the reader of an agent did not name, by contents, time and usage. What has no time could be another answer in the same
 * words, and stays without a name.
 */
export function named(transcript: Transcript): Transcript {
  const { agent, messages, requests } = transcript;
  return {
    ...transcript,
    requests: requests.map((request, index) => {
      const { ids, time, usage } = request;
      if (ids !== undefined || time === undefined) return request;
      return { ...request, ids: [digestOf(agent, messages.slice(request.messages, replyEnd(transcript, index)), time, usage)] };
    }),
  };
}
