'use strict';

const { DEPTHS } = require('./options/table.js');
const { textOf } = require('./messages.js');

// What stands here in bits and positions, `src/node/conversation.rs` and `src/node/outcome.rs` know too.

// Bits of a message's flags; the number of its role stands above them.
const PRESERVED_ROLE = 1;
const TOOL_CALLS = 2;
const ANSWERS_TOOL_CALL = 4;
const STRING_ID = 8;
const HAS_ROLE = 16;
const USER = 32;
const ASSISTANT = 64;
const ROLE_UNIT = 128;

/** Numbers per message: three going in, four coming back. */
const COLUMNS = 4;

/**
 * Flattens messages into what the engine reads in one call: reading properties is ten times cheaper here than from
 * native code.
 */
function gatherMessages(messages, preserve) {
  const count = messages.length;
  const texts = new Array(count);
  const ids = new Array(count);
  const columns = new Uint32Array(COLUMNS * count);
  const roles = new Map();
  let idUnits = 0;
  for (let index = 0; index < count; index++) {
    const message = messages[index];
    const text = textOf(message);
    texts[index] = text;
    columns[index] = text.length;
    const id = message.id;
    const idText = typeof id === 'string' ? id : String(id);
    ids[index] = idText;
    idUnits += idText.length;
    columns[count + index] = idUnits;
    const role = message.role;
    let flag = roles.get(role);
    if (flag === undefined) {
      const isPreserved = typeof role === 'string' && role !== '' && preserve.has(role);
      flag = roles.size * ROLE_UNIT + (isPreserved ? PRESERVED_ROLE : 0) + (role ? HAS_ROLE : 0);
      if (role === 'user') flag |= USER;
      if (role === 'assistant') flag |= ASSISTANT;
      roles.set(role, flag);
    }
    const calls = message.tool_calls;
    if (Array.isArray(calls) && calls.length > 0) flag |= TOOL_CALLS;
    if (message.tool_call_id !== undefined && message.tool_call_id !== null) flag |= ANSWERS_TOOL_CALL;
    columns[2 * count + index] = typeof id === 'string' ? flag | STRING_ID : flag;
  }
  return { texts, ids: ids.join(''), columns };
}

// Bits of the switches among the options' numbers.
const DEDUP = 1;
const FUZZY_DEDUP = 2;
const EMBED_SUMMARY_ID = 4;
const FORCE_CONVERGE = 8;
const FULL_CLASSIFIER_MODE = 16;
const TRACE = 32;
const HAS_TOKEN_BUDGET = 64;
const HAS_OBSERVATION_THRESHOLD = 128;
const IMPORTANCE_SCORING = 256;
const CONTRADICTION_DETECTION = 512;
const TIERED = 1024;
const CONVERSATION_FLOW = 2048;
const SEMANTIC_CLUSTERING = 4096;
const COREFERENCE = 8192;
const DISCOURSE_AWARE = 16384;

/** As many numbers as the engine takes for options and, more of them, gives back as statistics. */
const NUMBERS = 21;

/** The options as the engine takes them, every default put in. */
function gatherOptions(options) {
  const { tokenBudget, observationThreshold } = options;
  const hasBudget = tokenBudget !== undefined && tokenBudget !== null;
  const hasThreshold = observationThreshold !== undefined && observationThreshold !== null;
  const numbers = new Float64Array(NUMBERS);
  numbers[0] = options.recencyWindow ?? 4;
  numbers[1] = options.fuzzyThreshold ?? 0.85;
  numbers[2] = hasBudget ? tokenBudget : 0;
  numbers[3] = options.minRecencyWindow ?? 0;
  numbers[4] = hasThreshold ? observationThreshold : 0;
  numbers[5] =
    ((options.dedup ?? true) ? DEDUP : 0) |
    (options.fuzzyDedup ? FUZZY_DEDUP : 0) |
    (options.embedSummaryId ? EMBED_SUMMARY_ID : 0) |
    (options.forceConverge ? FORCE_CONVERGE : 0) |
    (options.classifierMode === 'full' && options.classifier ? FULL_CLASSIFIER_MODE : 0) |
    (options.trace ? TRACE : 0) |
    (hasBudget ? HAS_TOKEN_BUDGET : 0) |
    (hasThreshold ? HAS_OBSERVATION_THRESHOLD : 0) |
    (options.importanceScoring ? IMPORTANCE_SCORING : 0) |
    (options.contradictionDetection ? CONTRADICTION_DETECTION : 0) |
    (hasBudget && options.budgetStrategy === 'tiered' ? TIERED : 0) |
    (options.conversationFlow ? CONVERSATION_FLOW : 0) |
    (options.semanticClustering ? SEMANTIC_CLUSTERING : 0) |
    (options.coreference ? COREFERENCE : 0) |
    (options.discourseAware ? DISCOURSE_AWARE : 0);
  numbers[6] = options.importanceThreshold ?? 0.65;
  numbers[7] = options.contradictionTopicThreshold ?? 0.15;
  numbers[8] = options.relevanceThreshold ?? 0;
  numbers[9] = DEPTHS.indexOf(options.compressionDepth ?? 'gentle');
  numbers[10] = options.clusterThreshold ?? 0.15;
  return numbers;
}

/** The statistics that the engine left in the numbers, in its order. */
function statisticsOf(numbers) {
  return {
    /** Messages of the result; -1 where the input is the result. */
    count: numbers[0],
    ratio: numbers[1],
    tokenRatio: numbers[2],
    messagesCompressed: numbers[3],
    messagesPreserved: numbers[4],
    messagesDeduped: numbers[5],
    messagesFuzzyDeduped: numbers[6],
    messagesPatternPreserved: numbers[7],
    messagesLlmPreserved: numbers[8],
    /** Entity retention, structural integrity, reference coherence and quality score, where they were computed. */
    quality: numbers[9] === 1 ? numbers.subarray(10, 14) : undefined,
    fits: numbers[14] === -1 ? undefined : numbers[14] === 1,
    tokenCount: numbers[15],
    recencyWindow: numbers[16],
    messagesImportancePreserved: numbers[17],
    messagesContradicted: numbers[18],
    messagesRelevanceDropped: numbers[19],
    scorerFallbacks: numbers[20],
  };
}

module.exports = { ANSWERS_TOOL_CALL, COLUMNS, TOOL_CALLS, gatherMessages, gatherOptions, statisticsOf };
