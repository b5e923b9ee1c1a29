// Written by scripts/entries.mjs.
import integration from './web.js';

export const { createChatParser } = integration;
