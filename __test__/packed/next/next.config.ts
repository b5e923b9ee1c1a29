import { dirname } from 'node:path';
import type { NextConfig } from 'next';

// The dependencies are installed in the folder above. Nothing here is for palimpsest.
const root = dirname(process.cwd());
const config: NextConfig = { turbopack: { root }, outputFileTracingRoot: root };

export default config;
