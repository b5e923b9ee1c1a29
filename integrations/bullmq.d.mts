// Written by scripts/entries.mjs: bullmq.d.ts for ES modules.
// Types of palimpsest/bullmq. A job's data, processor and queue are described by what is used of them, so that queues on Redis and on Postgres fit.
import type { Store } from '../index.js';

/** A conversation whose summaries are wanted: `step.compaction` of a session with a store and `summarizer: 'store'`. */
export interface CompactionData {
  /** Id of the conversation. */
  id: string;
  /** Version of its state in the store, from 1. */
  version: number;
}

/** What a processor returned: numbers of texts. */
export interface CompactionResult {
  /** Texts without a summary when the job began. */
  wanted: number;
  /** Calls of the summarizer. */
  asked: number;
  /** Answers that were put into the store. */
  kept: number;
}

/** Options of {@link compactionJob}. `undefined` and `null` mean the default, which `concurrency` alone has. */
export interface CompactionOptions {
  /** The store of the sessions. */
  store: Store;
  /**
   * Summarises a text. `key` is a fingerprint of the text: pass it on as the idempotency key of the request, so that a provider that has
   * one answers a repeated request without another call of the model. Pass `signal` on as well: it is aborted when the job is cancelled
   * or the conversation is found deleted.
   *
   * An error with the status 429 pauses the queue for the time that its headers ask for (`retry-after-ms`, `retry-after`), or for 10 s.
   * Any other error fails the job, once its other texts are done; it is tried again later, and asks only for what is missing.
   */
  summarizer: (text: string, context: { key: string; signal: AbortSignal }) => string | Promise<string>;
  /** The queue, which is paused after a 429. */
  queue: { rateLimit(ms: number): Promise<void> };
  /** Maximum number of concurrent calls of the summarizer in one job: an integer from 1, or `Infinity`. Default 4. */
  concurrency?: number | null | undefined;
}

/**
 * Adds a job that makes the summaries which the next epoch of a conversation wants. Any server may call it, any number of times: a conversation
 * has at most one active job and one that waits. A job that fails is tried up to 9 times, after delays that double from 1 s on.
 *
 * @param queue a `Queue` of BullMQ, on Redis or on Postgres
 * @param data `step.compaction`
 * @returns the job, or the one that it became part of
 * @throws {TypeError} `data` has another shape (the promise rejects)
 */
export function enqueueCompaction<J>(queue: { add(name: string, data: any, options?: any): Promise<J> }, data: CompactionData): Promise<J>;

/**
 * Creates the processor of a `Worker` for the jobs of {@link enqueueCompaction}. It reads the latest state of the conversation, has the texts
 * summarised that wait, and puts each answer into the store as soon as it comes, if the state still has the version that it knows. After
 * another version it goes on if that one still has the text. If the conversation was deleted, it stops, and stores nothing.
 *
 * A job that runs twice asks for nothing that is in the store already.
 *
 * @throws {TypeError} an option is missing or wrong
 * @throws {RangeError} `concurrency` is out of range
 */
export function compactionJob(
  options: CompactionOptions,
): (job: { data: any }, token?: string, signal?: AbortSignal) => Promise<CompactionResult>;
