import { createRequire } from 'node:module';
import { contract } from './contract.mjs';

const { memoryStore } = createRequire(import.meta.url)('palimpsest/store/memory');

contract('memory', async () => ({ store: memoryStore(), close: async () => {} }));
