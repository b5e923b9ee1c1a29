// The groups of rows, in the order in which they are measured and shown.
import { readCorpus, readProviders } from './corpus.mjs';
import { agentRows, shortAgentRows } from './rows/agent.mjs';
import { growthRows } from './rows/growth.mjs';
import { hostileRows, shortHostileRows } from './rows/hostile.mjs';
import { processRows } from './rows/process.mjs';
import { recallRows } from './rows/recall.mjs';
import { epochTime, requestRows } from './rows/requests.mjs';
import { shortSpeedRows, speedRows } from './rows/speed.mjs';
import { serverRows } from './rows/server.mjs';
import { restoring } from './rows/uncompress.mjs';
import { waitingRows } from './rows/waiting.mjs';

/**
 * @param {{ short?: boolean, corpus?: string }} options `corpus`: a folder of conversations of the user's
 */
export function groupsOf({ short, corpus }) {
  if (short) return [...shortSpeedRows(), ...shortHostileRows, ...growthRows, ...shortAgentRows(), ...recallRows(), ...requestRows()];
  return [
    ...speedRows(corpus === undefined ? [] : readCorpus(corpus)),
    ...hostileRows,
    ...growthRows,
    ...waitingRows,
    ...processRows,
    restoring,
    ...agentRows(corpus === undefined ? [] : readProviders(corpus)),
    ...recallRows(),
    ...requestRows(),
    epochTime,
    ...serverRows,
  ];
}
