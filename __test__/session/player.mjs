// The process that plays. It prints a line before each step, so that the watching process knows where it hangs.
import { writeSync } from 'node:fs';
import { playOut, sessionOf, shrink } from './play.mjs';
import { json, reached } from './judge.mjs';

const tell = (what) => writeSync(1, `${json(what)}\n`);
const [first, count, format, shrinks] = process.argv.slice(2);
for (let seed = Number(first), end = seed + Number(count); seed < end; seed++) {
  const session = sessionOf(seed, format === '' ? undefined : format);
  tell({ seed, format: session.config.format });
  const note = (does) => tell({ does });
  let fault = await playOut(session, note);
  if (fault && shrinks === 'shrink') tell({ shrinking: true });
  if (fault && shrinks === 'shrink') ({ fault } = await shrink(session, fault));
  if (fault) tell({ fault: { judge: fault.judge, message: fault.message, stack: fault.stack, log: fault.log } });
  tell({ reached: Object.fromEntries(reached) });
}
