// Plays sessions in a process of their own, and ends it where a step takes too long: the engine can't be interrupted otherwise.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** How long a step may take until it counts as one that never ends. Most take some milliseconds. */
const PATIENCE = Number(process.env.PATIENCE ?? 10_000);
/** How long a process may take to begin, on a busy machine. */
const START = 60_000;
const player = fileURLToPath(new URL('player.mjs', import.meta.url));

/**
 * @param {{ seed: number, count: number, format?: string, shrink?: boolean, until?: number }} what `until`: a time after which
 *   no session is begun
 * @returns what was played: `sessions`, `steps`, `faults` (`{ seed, format, judge, message, log }`) and what was `reached`
 */
export async function play({ seed, count, format = '', shrink = false, until = Infinity }) {
  const sum = { sessions: 0, steps: 0, faults: [], reached: {} };
  for (let next = seed; next < seed + count && Date.now() < until; ) next = await playFrom(next, seed + count - next, format, shrink, until, sum);
  return sum;
}

async function playFrom(seed, count, format, shrink, until, sum) {
  const child = spawn(process.execPath, [player, seed, count, format, shrink ? 'shrink' : ''], { stdio: ['ignore', 'pipe', 'inherit'] });
  let at = { seed };
  let reached = {};
  let hangs = false;
  let timer;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => child.kill('SIGKILL', (hangs = true)), at.format === undefined ? START : at.shrinking ? 20 * PATIENCE : PATIENCE);
  };
  wait();
  for await (const line of createInterface({ input: child.stdout })) {
    const told = JSON.parse(line);
    if (told.seed !== undefined) {
      at = told;
      sum.sessions++;
      if (Date.now() > until) child.kill('SIGKILL');
    }
    if (told.step !== undefined) {
      at.step = told.step;
      sum.steps++;
    }
    if (told.shrinking) at.shrinking = true;
    if (told.fault) sum.faults.push({ ...at, ...told.fault });
    if (told.reached) ({ reached } = told);
    wait();
  }
  clearTimeout(timer);
  for (const [what, more] of Object.entries(reached)) sum.reached[what] = (sum.reached[what] ?? 0) + more;
  const code = child.exitCode ?? (await new Promise((resolve) => child.once('exit', resolve)));
  if (hangs) sum.faults.push({ ...at, judge: 'hang', message: `step ${at.step} takes more than ${PATIENCE} ms`, log: [] });
  else if (code !== 0 && Date.now() < until) sum.faults.push({ ...at, judge: 'death', message: `the process ended with ${code ?? child.signalCode}`, log: [] });
  return code === 0 && !hangs ? seed + count : at.seed + 1;
}
