// What a breakpoint at the end of instructions and tools is worth at the prices of GPT-5.6, in recorded sessions with 30,000 and 60,000 tokens of them.
//
//   npm run build && node benches/quality/breakpoints.mjs
import { EXPLICIT } from './sessions/bills.mjs';
import { everything, session } from './sessions/policies.mjs';
import { createReader } from './sessions/reading.mjs';
import { replay } from './sessions/replay.mjs';
import { readTracks } from './sessions/tracks.mjs';
import { FIXED } from './sessions.mjs';

const shared = new URL('../../../shared/', import.meta.url);
const percent = (share) => `${(100 * share).toFixed(1)} %`;
const mean = (list) => list.reduce((sum, one) => sum + one, 0) / list.length;

for (const { window, fixed, enough, least, most } of FIXED) {
  const read = createReader();
  const tracks = readTracks(shared, (message) => read(message).tokens, { enough: enough * window, least: least * window, most });
  const options = { limit: window, fixed, read, prices: EXPLICIT, decide: EXPLICIT.explicit };
  const rows = tracks.map((track) => {
    const uncut = replay(track, everything, options).bills.explicit.cost;
    const { bills, breaks } = replay(track, session(), options);
    return { explicit: bills.explicit.cost / uncut, implicit: bills.implicit.cost / uncut, breaks };
  });
  const [explicit, implicit, breaks] = ['explicit', 'implicit', 'breaks'].map((name) => mean(rows.map((row) => row[name])));
  console.log(
    `${fixed} tokens in front, a limit of ${window}, ${tracks.length} sessions, ${percent(breaks)} of the requests break the prefix: ` +
      `${percent(explicit)} of never cutting with the breakpoint, ${percent(implicit)} without: ${percent(1 - explicit / implicit)} less`,
  );
}
