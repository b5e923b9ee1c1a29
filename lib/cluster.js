'use strict';

const { checkMessageList } = require('./analysis.js');
const { describe } = require('./arguments.js');
const { textsAt } = require('./flow.js');
const native = require('./native.js');

/** Messages that are compared at most: the last ones. */
const MAX_MESSAGES = 200;

/** See `index.d.ts`. */
function clusterMessages(messages, eligibleIndices, similarityThreshold = 0.15) {
  checkMessageList(messages, 'clusterMessages');
  const texts = textsAt(messages, eligibleIndices, 'clusterMessages', 'eligibleIndices');
  if (typeof similarityThreshold !== 'number') {
    throw new TypeError(
      `clusterMessages(): similarityThreshold must be a number, got ${describe(similarityThreshold)}`,
    );
  }
  const indices = eligibleIndices.slice(-MAX_MESSAGES);
  return native.clusterMessages(texts.slice(-MAX_MESSAGES), indices, similarityThreshold);
}

/** See `index.d.ts`. */
function summarizeCluster(cluster, messages) {
  checkMessageList(messages, 'summarizeCluster');
  const { indices, sharedEntities = [] } = cluster ?? {};
  const texts = textsAt(messages, indices, 'summarizeCluster', 'cluster.indices');
  if (!Array.isArray(sharedEntities) || sharedEntities.some((entity) => typeof entity !== 'string')) {
    throw new TypeError('summarizeCluster(): cluster.sharedEntities must be an array of strings');
  }
  return native.summarizeCluster(sharedEntities, texts);
}

module.exports = { clusterMessages, summarizeCluster };
