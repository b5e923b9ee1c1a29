export { longAgent, MISSING } from './script.mjs';
export { startProvider } from './server.mjs';
export { agentTools, image } from './tools.mjs';
