import { createRequire } from 'node:module';
import { contract } from './contract.mjs';

const { memoryStore } = createRequire(import.meta.url)('../../store/memory.js');

contract('memory', async () => ({ store: memoryStore(), close: async () => {} }));
