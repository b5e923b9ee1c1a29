// Row 24: how the time grows with the inputs of `growth/`, on which a careless loop takes quadratic time.
import { FAMILIES } from '../growth/index.mjs';
import { growthOf } from '../measure.mjs';
import { targets } from '../targets.mjs';

/** The worst growth of a family's cases from a quarter of the input to the whole. */
const growing = (family, cases) => ({
  workloads: [],
  async measure({ palimpsest }) {
    let worst = { growth: 0 };
    for (const { name, size, prepare } of cases) {
      const [quarter, whole] = [size / 4, size].map((length) => prepare(palimpsest, length));
      const { growth, ms } = await growthOf(quarter, whole);
      if (growth > worst.growth) worst = { name, growth, ms };
    }
    const workload = `${family}, ${cases.length} cases`;
    return [
      { number: 24, workload, worst: worst.name, value: worst.ms, unit: 'ms', ratio: worst.growth, of: 'a quarter', ...targets.growth },
    ];
  },
});

export const growthRows = Object.entries(FAMILIES).map(([family, cases]) => growing(family, cases));
