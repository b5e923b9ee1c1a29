// What the model does.
import { refuse } from '../providers/refusal.mjs';

/** An answer of a script, as the request can have it. */
export function readAnswer(answer, { tools, thinks, forced }) {
  if (!answer) refuse('script: there is no answer for this step');
  if (answer.content !== undefined) return { text: '', calls: [], ...answer };
  const { thinking, json, stop } = answer;
  let { text = '', calls = [] } = answer;
  if (json !== undefined) {
    if (forced !== undefined) calls = [{ name: forced, input: json }];
    else text = JSON.stringify(json);
  }
  for (const { name } of calls) {
    if (!tools.has(name)) refuse(`script: calls ${name}, but the request declares ${[...tools].join(', ') || 'no tools'}`);
  }
  if (!text && calls.length === 0) text = 'Done.';
  return { thinking: thinks ? thinking : undefined, text, calls, stop };
}

const AREAS = ['billing', 'export', 'search', 'login', 'queue', 'report', 'upload', 'audit'];
const FILES = ['index', 'store', 'client', 'errors', 'retry', 'schema', 'format'];

/** Name of the file that no `read` finds. */
export const MISSING = 'src/legacy/adapter.ts';

function call(step) {
  const area = AREAS[step % AREAS.length];
  const path = `src/${area}/${FILES[Math.floor(step / 4) % FILES.length]}.ts`;
  return [
    { name: 'read', input: { path } },
    { name: 'search', input: { pattern: `${area}(Error|Limit|Retry)`, path: 'src' } },
    { name: 'run', input: { command: `npm test -- ${area} --seed ${step}` } },
    { name: 'edit', input: { path, find: `limit: ${step}`, replace: `limit: ${step * 2}, // ${area}: measured in run ${step}` } },
  ][step % 4];
}

function stepOf(step) {
  if (step === 5) return { text: 'Three things at once.', calls: [call(12), call(25), call(38)] };
  if (step === 9) return { text: 'The adapter may still be in use.', calls: [{ name: 'read', input: { path: MISSING } }] };
  const area = AREAS[step % AREAS.length];
  return {
    // Not every turn says something beside its call.
    text: step % 3 === 0 ? `Step ${step}: the ${area} part next.` : '',
    calls: [call(step)],
  };
}

/**
 * An agent that works for so many steps, and then says what it did. All of them are the same in every run.
 * @param {object} [options]
 * @param {number} [options.steps] number of answers, the last one included
 * @param {boolean | 'once'} [options.thinking] whether it thinks in each step, or only in the first one, where the request lets it
 * @param {Record<string, string>} [options.tools] other names for `read`, `search`, `run`, `edit`
 * @param {object} [options.final] the last answer
 */
export function longAgent({ steps = 45, thinking = false, tools = {}, final } = {}) {
  return ({ step, conversation }) => {
    const thought =
      thinking === true || (thinking === 'once' && step === 0)
        ? { thinking: `Step ${step} of ${conversation}: look at the result before, then choose the next call.` }
        : {};
    if (step >= steps - 1) return { ...thought, ...(final ?? { text: `All ${steps} steps are done.` }) };
    const { text, calls } = stepOf(step);
    return { ...thought, text, calls: calls.map(({ name, input }) => ({ name: tools[name] ?? name, input })) };
  };
}
