// The simulated session of a transcript that is read again and again while it grows.
import { isDeepStrictEqual } from 'node:util';
import { createCounter } from './counting.mjs';
import { possible } from './possible.mjs';
import { createPrices } from './prices.mjs';
import { Simulation } from './simulate.mjs';
import type { Played } from './simulate.mjs';
import type { Transcript, TranscriptRequest } from '../types.mjs';

/** Identifies a request that was played. Its usage is no part of that: it may change afterwards. */
const placeOf = ({ messages, from = 0 }: TranscriptRequest) => `${from}-${messages}`;

/** Whether a request writes to a cache with a lifetime of an hour, which then is that of the whole session. */
const isForHour = ({ usage }: TranscriptRequest) => usage?.cacheWriteHour !== undefined;

/** Plays each request of a growing transcript once, and begins anew if a part that was played has changed. */
export class Playing {
  #limit;
  #now;
  #simulation: Simulation | undefined;
  /** What the simulation was made for. */
  #key = '';
  /** Messages that were played. */
  #messages: object[] = [];
  /** Places of the requests that were played. */
  #places: string[] = [];
  #isLastRecorded = true;
  /** Number of requests that were returned. */
  #returned = 0;

  constructor({ limit, now }: { limit: number; now: () => number }) {
    this.#limit = limit;
    this.#now = now;
  }

  /**
   * Plays the requests that are new.
   *
   * @param isFinal whether the last request is played even if its usage may be still to come
   * @returns without those that were returned before, even if it begins anew
   */
  play(given: Transcript, isFinal: boolean): { index: number; played: Played }[] {
    const { transcript } = possible(given, createPrices(this.#now()));
    const { requests, format, model, agent } = transcript;
    // The first usage tells in which tokens all figures are.
    const key = JSON.stringify([format, model, requests.some(isForHour), requests.findIndex(({ usage }) => usage !== undefined)]);
    if (key !== this.#key || !this.#isContinued(transcript)) {
      this.#key = key;
      this.#simulation = undefined;
      this.#messages = [];
      this.#places = [];
      this.#isLastRecorded = true;
    }
    // The session does not compare objects that it knows.
    const messages = [...this.#messages, ...transcript.messages.slice(this.#messages.length)];
    const known = { ...transcript, messages };
    const list = [];
    let end = this.#messages.length;
    for (let index = this.#places.length; index < requests.length; index++) {
      const request = requests[index];
      // Agents write the usage after the reply, if they write any: not where the request before has none, and not in plain messages.
      const isAwaited = request.usage === undefined && this.#isLastRecorded && agent !== 'messages';
      if (isAwaited && index === requests.length - 1 && !isFinal) break;
      this.#simulation ??= this.#begin(known);
      const played = this.#simulation.next(known) as Played;
      this.#places.push(placeOf(request));
      this.#isLastRecorded = played.isRecorded;
      end = Math.max(end, played.messages);
      if (index < this.#returned) continue;
      this.#returned = index + 1;
      list.push({ index, played });
    }
    this.#messages = messages.slice(0, end);
    return list;
  }

  #begin(transcript: Transcript) {
    const { format, model } = transcript;
    const counter = createCounter(format, model);
    const price = createPrices(this.#now())(model);
    return new Simulation(transcript, { limit: this.#limit, tokensOf: counter.ofMessage, counter, price });
  }

  /** Whether a transcript begins with what was played. */
  #isContinued({ messages, requests }: Transcript) {
    return (
      this.#places.every((place, index) => requests[index] !== undefined && place === placeOf(requests[index])) &&
      this.#messages.every((message, index) => isDeepStrictEqual(message, messages[index]))
    );
  }
}
