import { checkMessageList, checkNumber, checkStrings } from '../checks.js';
import { textsAt } from './flow.js';
import native from '../native.js';
import type { MessageCluster } from '../../drop-in.js';
import type { Message } from '../messages.js';

/** Maximum number of messages that are compared: the last ones. */
const MAX_MESSAGES = 200;

/** See `index.d.ts`. */
export function clusterMessages(messages: readonly Message[], eligibleIndices: number[], similarityThreshold = 0.15) {
  checkMessageList('clusterMessages(): messages', messages);
  const texts = textsAt('clusterMessages(): eligibleIndices', messages, eligibleIndices);
  checkNumber('clusterMessages(): similarityThreshold', similarityThreshold);
  const indices = eligibleIndices.slice(-MAX_MESSAGES);
  return native.clusterMessages(texts.slice(-MAX_MESSAGES), indices, similarityThreshold);
}

/** See `index.d.ts`. */
export function summarizeCluster(cluster: Partial<MessageCluster> | null | undefined, messages: readonly Message[]) {
  checkMessageList('summarizeCluster(): messages', messages);
  const { indices, sharedEntities = [] } = cluster ?? {};
  const texts = textsAt('summarizeCluster(): cluster.indices', messages, indices);
  checkStrings('summarizeCluster(): cluster.sharedEntities', sharedEntities);
  return native.summarizeCluster(sharedEntities, texts);
}
