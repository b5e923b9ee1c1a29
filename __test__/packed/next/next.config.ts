import { dirname } from 'node:path';
import type { NextConfig } from 'next';

const config: NextConfig = {
  serverExternalPackages: ['palimpsest'],
  // The dependencies are installed in the folder above.
  turbopack: { root: dirname(process.cwd()) },
};

export default config;
