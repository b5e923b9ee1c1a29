import { createRequire } from 'node:module';

import type { z } from 'zod/v4';
import { isBundled, requires } from '../installed.js';

/** Returns Zod as the SDK has it, which depends on it; in a bundle the one that the bundler finds. */
export function zodOf(sdk: string): typeof z {
  if (!isBundled()) return createRequire(requires()[0].resolve(sdk))('zod/v4').z;
  try {
    return (require('zod/v4') as typeof import('zod/v4')).z;
  } catch (cause) {
    throw new Error(`palimpsest needs Zod in a bundle with ${sdk}: run npm install zod`, { cause });
  }
}
