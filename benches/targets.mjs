// What each row may cost at most, as its ratio; `gate` is where the short form fails. The unit of most is S, the time of
// `JSON.stringify` on the same messages in the same run.
//
// A gate has slack, because a shared machine is noisy. Where the engine does not meet a target yet, its gate is no target
// in disguise, but what keeps it from getting worse. A quadratic rule would make 4 MB 16 times as dear as 1 MB.
export const targets = {
  session: { target: 0.8, gate: 6 },
  worstSession: { target: 1.2, gate: 6 },
  small: { target: 1.0, gate: 6 },
  medium: { target: 0.9, gate: 6 },
  large: { target: 1.0, gate: 6 },
  twoThreads: { target: 1.7, isLeast: true },
  otherScripts: { target: 1.2, gate: 8 },
  budget: { target: 1.5, gate: 3 },
  fuzzy: { target: 1.5, gate: 3 },
  linearity: { target: 5, gate: 12 },
  hostileCost: { target: 5, gate: 40 },
  eventLoop: { target: 0.4 },
  concurrency: { target: 1.3 },
  memory: { target: 3 },
  load: { target: 2 },
  size: { target: 2.5 },
  uncompress: { target: 1 },
};

/** Whether a row meets a limit of its target; undefined for a row that could not be measured. */
export function meets({ ratio, isLeast }, limit) {
  if (ratio === undefined || limit === undefined) return undefined;
  return isLeast ? ratio >= limit : ratio <= limit;
}
