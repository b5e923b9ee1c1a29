import { describe } from '../../checks.js';

/**
 * Reads a model's answer to the classifier's prompt. Tries, in this order, the whole answer as JSON; the piece from the first `{` to the
 * next `}`; and the text between the first two fences of three backticks. A verdict is an object with the decision `preserve` or
 * `compress`, a number as confidence and a string as reason; its other keys are dropped, and the confidence is clamped to 0 to 1.
 *
 * @returns with confidence 0 and the reason
 * `unparseable` if the answer contains no verdict
 * @throws {TypeError} the answer is not a string
 */
export function parseVerdict(answer: unknown): { decision: 'preserve' | 'compress'; confidence: number; reason: string } {
  if (typeof answer !== 'string') {
    throw new TypeError(`callLlm must return a string or a promise of one, got ${describe(answer)}`);
  }
  return (
    readVerdict(answer) ??
    readVerdict(firstBraces(answer)) ??
    readVerdict(firstFenced(answer)) ?? { decision: 'compress', confidence: 0, reason: 'unparseable' }
  );
}

/** Returns the verdict in a JSON text, or undefined. */
function readVerdict(json: string | undefined): ReturnType<typeof parseVerdict> | undefined {
  if (json === undefined) return undefined;
  let value: Record<string, unknown> | null;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  const { decision, confidence, reason } = value ?? ({} as Record<string, unknown>);
  if (decision !== 'preserve' && decision !== 'compress') return undefined;
  if (typeof confidence !== 'number' || typeof reason !== 'string') return undefined;
  return { decision, confidence: Math.min(1, Math.max(0, confidence)), reason };
}

function firstBraces(text: string) {
  const start = text.indexOf('{');
  const end = text.indexOf('}', start);
  return start === -1 || end === -1 ? undefined : text.slice(start, end + 1);
}

function firstFenced(text: string) {
  const opening = text.indexOf('```');
  if (opening === -1) return undefined;
  let start = opening + 3;
  if (text.startsWith('json', start)) start += 4;
  const end = text.indexOf('```', start);
  return end === -1 ? undefined : text.slice(start, end).trim();
}
