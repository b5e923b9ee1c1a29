// Leaves out usage that can't be.
import { inputTokens } from '../usage.mjs';
import { counted } from '../transcripts/values.mjs';
import type { Price } from './prices.mjs';
import type { Transcript, Usage } from '../types.mjs';

/** Tokens of the largest window that a model was sold with: Llama 4 Scout's. */
const LARGEST_WINDOW = 10_000_000;

/**
 * Whether a model can have had it.
 *
 * @param window tokens that the model takes
 */
function isPossible({ tools = {}, output, ...usage }: Usage, window: number = LARGEST_WINDOW) {
  // Each call of the provider's own tools reads the request again.
  const passes = Object.values(tools).reduce((sum, calls) => sum + calls, 1);
  return inputTokens({ ...usage, output }) <= window * passes && output <= window * passes;
}

/**
 * A transcript without the usage of answers that no model can have had: numbers that are no counts, and more than the model's window.
 *
 * @returns `impossible`: number of such answers
 */
export function possible(
  transcript: Transcript,
  priceOf: (model: string | undefined) => Price | undefined,
): { transcript: Transcript; impossible: number } {
  const isFine = ({ usage, model }: { usage?: Usage | undefined; model?: string | undefined }) =>
    usage === undefined || isPossible(usage, priceOf(model ?? transcript.model)?.window);
  const { requests, beside = [], notes } = transcript;
  const impossible = [...requests, ...beside].filter((one) => !isFine(one)).length;
  if (impossible === 0) return { transcript, impossible };
  const mended = requests.map((request) => {
    if (isFine(request)) return request;
    const { usage, ...rest } = request;
    return rest;
  });
  const note = `usage of ${counted(impossible, 'answer')} left out: it can't be, as it is no count or more than the model takes`;
  return { transcript: { ...transcript, requests: mended, beside: beside.filter(isFine), notes: [...notes, note] }, impossible };
}
