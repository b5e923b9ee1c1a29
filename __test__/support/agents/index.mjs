export { checkLongRun, epochsOf, observer, sent } from './long-run.mjs';
export { longAgent, MISSING } from './script.mjs';
export { startProvider } from './server.mjs';
export { agentTools, image } from './tools.mjs';
