import { getIn } from '../providers/shared/copy.js';
import type { Format, Part } from '../types.js';
import type { Stripped } from './thinking.js';

// Signed thinking by what the model says at once: a message, or a step of one.

/**
 * Returns edits that remove the rest of a message's thinking where `edits` remove some of it, because providers refuse the latest
 * message when only some of its thinking is gone. For `leave`, which removes thinking only with what it led to.
 *
 * @param parts those of the messages
 * @param edits of these parts, all that are made
 */
export function strippedWith(
  format: Format,
  messages: readonly object[],
  parts: readonly Part[],
  edits: readonly { part: Part; remove?: boolean }[],
): Stripped[] {
  const removed = new Map<number, Part[]>();
  for (const { part, remove } of edits) {
    if (!remove) continue;
    const others = removed.get(part.message);
    if (others === undefined) removed.set(part.message, [part]);
    else others.push(part);
  }
  if (removed.size === 0) return [];
  return stepsOf(parts).flatMap((step) => {
    const index = step[0].message;
    const signed = step.filter((part) => part.signed);
    const gone = removed.get(index);
    if (signed.length < 2 || gone === undefined) return [];
    const left: object | undefined = format.without(messages[index], gone);
    if (left === undefined) return [];
    const staying = new Set(
      format
        .read([left])
        .filter((part) => part.signed)
        .map(({ path }) => getIn(left, path)),
    );
    const rest = signed.filter(({ path }) => staying.has(getIn(messages[index], path)));
    return rest.length === signed.length ? [] : rest.map((part) => ({ part, remove: true, rule: 'strippedThinking' }));
  });
}

/**
 * Returns the step that begins the open turn, if it is signed and a later one is not. It is not removed with `leave`: a model with a fixed
 * budget may think only once in a turn, before its first call, and requires that thinking until the turn is over.
 */
export function openingStep(parts: readonly Part[]): Part[] {
  const answered = new Set(parts.filter(({ kind }) => kind === 'result').map(({ message }) => message));
  if (parts.length === 0 || !answered.has((parts.at(-1) as Part).message)) return [];
  const start = parts.findLastIndex(({ role, message }) => role === 'user' && !answered.has(message)) + 1;
  const [first = [], ...later] = stepsOf(parts.slice(start)).filter(([{ role }]) => role === 'assistant');
  const isSigned = (step: readonly Part[]) => step.some(({ signed }) => signed);
  return isSigned(first) && !later.every(isSigned) ? first : [];
}

/** Groups the parts by message. A `UIMessage` holds several steps, each of which is a message to the model. */
function stepsOf(parts: readonly Part[]) {
  const steps: Part[][] = [];
  parts.forEach((part: Part, index: number) => {
    if (part.message === parts[index - 1]?.message && !isStep(part)) steps.at(-1)?.push(part);
    else steps.push([part]);
  });
  return steps;
}

const isStep = ({ locked }: Part) => locked === 'step';

/**
 * Returns the index of the message with the signed thinking of the open turn: the last turn of the model with calls, followed only
 * by results of these. Models that think by a fixed budget require that thinking.
 *
 * @returns undefined if no turn is open, or nothing in it is signed
 */
export function openThinking(parts: readonly Part[]): number | undefined {
  const call = parts.findLastIndex(({ kind }) => kind === 'call');
  if (call < 0) return undefined;
  const isOfTurn = (part: Part) => !isStep(part) && (part.role === 'assistant' || part.message === parts[call].message);
  let first = call;
  while (first > 0 && isOfTurn(parts[first - 1])) first--;
  let next = call + 1;
  while (next < parts.length && parts[next].role === 'assistant' && isOfTurn(parts[next])) next++;
  if (parts.slice(next).some((part) => !(Number(part.call) >= first))) return undefined;
  return parts.slice(first, next).find(({ signed }) => signed)?.message;
}
