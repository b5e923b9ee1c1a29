// What each row may cost at most, as its ratio; `gate` is where the short form fails. The unit of most is S, the time of
// `JSON.stringify` on the same messages in the same run; exact counting has to reach so many MB/s of UTF-8.
//
// A gate is twice its target, because a shared machine is noisy: there, two threads may have to share one processor. Where
// the engine does not meet a target, its gate keeps it from getting worse. A quadratic rule would make 4 MB 16 times as
// dear as 1 MB; texts that are chosen to collide may cost what random ones do.
export const targets = {
  session: { target: 0.8, gate: 2.4 },
  worstSession: { target: 1.2, gate: 2.4 },
  small: { target: 1.0, gate: 4 },
  medium: { target: 0.9, gate: 2.4 },
  large: { target: 1.0, gate: 2 },
  twoThreads: { target: 1.7, isLeast: true },
  otherScripts: { target: 1.2, gate: 5 },
  budget: { target: 1.5, gate: 3 },
  fuzzy: { target: 1.5, gate: 3 },
  optIn: { target: 2, gate: 4 },
  linearity: { target: 5, gate: 10 },
  hostileCost: { target: 5, gate: 28 },
  collisions: { target: 1.5, gate: 3 },
  eventLoop: { target: 0.4 },
  concurrency: { target: 1.3 },
  memory: { target: 3 },
  agentMemory: { target: 6 },
  firstCall: {
    compress: { target: 4 },
    prune: { target: 10 },
    'fit, o200k_base': { target: 30 },
    'fit, estimate': { target: 15 },
    'countTokens, o200k_base': { target: 25 },
  },
  load: { target: 2 },
  size: { target: 2.5 },
  uncompress: { target: 1 },
  prune: { target: 1.5, gate: 5 },
  fitExact: { target: 6, gate: 20 },
  fitEstimate: { target: 2.5, gate: 14 },
  fitGrowth: { target: 5, gate: 10 },
  fitHold: { target: 1 },
  fitAside: { target: 1.3 },
  step: { target: 1, gate: 10 },
  freshStep: { target: 1, gate: 3 },
  epoch: { target: 1, gate: 2 },
  tokens: { target: 80, gate: 20, isLeast: true },
};

/** Whether a row meets a limit of its target; undefined for a row that could not be measured. */
export function meets({ ratio, isLeast }, limit) {
  if (ratio === undefined || limit === undefined) return undefined;
  return isLeast ? ratio >= limit : ratio <= limit;
}
