// Plays sessions in a process of their own, and ends it if a step takes too long: the engine can't be interrupted otherwise.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Maximum time of a step. Most take some milliseconds, on a busy machine seconds. */
const PATIENCE = 60_000;
/** Maximum time for starting a process on a busy machine, and for finding the fewest steps of a fault. */
const LONG = 200_000;
const player = fileURLToPath(new URL('player.mjs', import.meta.url));

/**
 * @param {object} what
 * @param {number} what.seed the first session
 * @param {number} what.count how many
 * @param {string} [what.format] all in this format; otherwise each in the next
 * @param {boolean} [what.shrink] find the fewest steps of each fault
 * @param {number} [what.until] a time after which no session is begun
 * @param {string[]} [what.program] what plays: arguments of node
 * @param {number} [what.patience] milliseconds for a step
 * @returns what was played: `sessions`, `steps`, `faults` (`{ seed, format, judge, message, log }`) and what was `reached`
 */
export async function play(what) {
  const sum = { sessions: 0, steps: 0, faults: [], reached: {} };
  const { seed, count, until = Infinity } = what;
  for (let next = seed; next < seed + count && Date.now() < until; )
    next = await playFrom(next, { ...what, count: seed + count - next, until }, sum);
  return sum;
}

/** Plays until the process ends. Returns the number of the next session. */
async function playFrom(seed, { count, format = '', shrink = false, until, program = [player], patience = PATIENCE }, sum) {
  const child = spawn(process.execPath, [...program, seed, count, format, shrink ? 'shrink' : ''], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let at = { seed, log: [] };
  let reached = {};
  let hangs = false;
  let timer;
  const wait = (time) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      hangs = true;
      child.kill('SIGKILL');
    }, time);
  };
  wait(LONG);
  for await (const line of createInterface({ input: child.stdout })) {
    const told = JSON.parse(line);
    wait(told.shrinking ? LONG : patience);
    if (told.seed !== undefined) {
      at = { ...told, log: [] };
      sum.sessions++;
      if (Date.now() > until) child.kill('SIGKILL');
    }
    if (told.does) {
      at.log.push({ what: told.does });
      sum.steps++;
    }
    if (told.fault) sum.faults.push({ ...at, ...told.fault });
    if (told.reached) ({ reached } = told);
  }
  clearTimeout(timer);
  const [code, signal] = await ended;
  for (const [what, more] of Object.entries(reached)) sum.reached[what] = (sum.reached[what] ?? 0) + more;
  if (hangs) sum.faults.push({ ...at, judge: 'hang', message: 'the last step does not end' });
  else if (code !== 0 && Date.now() < until)
    sum.faults.push({ ...at, judge: 'death', message: `the process ended with ${code ?? signal}` });
  return code === 0 ? seed + count : at.seed + 1;
}
