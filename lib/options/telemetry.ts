// Options of `instrument`.

import { mismatch } from '../checks.js';
import * as kinds from './kinds.js';
import type { Check } from './kinds.js';
import type { Table } from './shared.js';
import type { InstrumentOptions } from '../integrations/opentelemetry.js';

const of =
  (what: string, method: string): Check =>
  (name, value) => {
    if (typeof (value as Record<string, unknown>)[method] !== 'function') throw mismatch(name, `a ${what} of OpenTelemetry`, value);
  };

export const instrument = {
  tracer: { kind: of('Tracer', 'startSpan') },
  meter: { kind: of('Meter', 'createHistogram') },
  metricTags: { kind: kinds.strings, default: [] },
} satisfies Table<InstrumentOptions>;
