// Generated from src/layout.rs by `npm run layout`. Changes belong there.

/** Stands for "none" in columns of signed numbers and in statistics. */
export const SENTINEL = Object.freeze({
  NONE: -1,
});

/** Columns of the messages given to `compress`, one after the other. */
export const MESSAGE_COLUMN = Object.freeze({
  /** Length of the text in UTF-16 code units. */
  LENGTH: 0,
  /** End of the id in the string of all ids. */
  ID_END: 1,
  /** Bits of `MESSAGE_FLAG`, and above them the number of the role. */
  FLAGS: 2,
  COUNT: 3,
});

/** Bits of a message's flags. */
export const MESSAGE_FLAG = Object.freeze({
  PRESERVED_ROLE: 1,
  TOOL_CALLS: 2,
  ANSWERS_TOOL_CALL: 4,
  STRING_ID: 8,
  HAS_ROLE: 16,
  USER: 32,
  ASSISTANT: 64,
  COUNT: 7,
});

/** Slots of the options of `compress`; see `CompressOptions` in `index.d.ts`. */
export const OPTION = Object.freeze({
  RECENCY_WINDOW: 0,
  FUZZY_THRESHOLD: 1,
  TOKEN_BUDGET: 2,
  MIN_RECENCY_WINDOW: 3,
  OBSERVATION_THRESHOLD: 4,
  /** Bits of `SWITCH`. */
  SWITCHES: 5,
  IMPORTANCE_THRESHOLD: 6,
  CONTRADICTION_TOPIC_THRESHOLD: 7,
  RELEVANCE_THRESHOLD: 8,
  /** A number of `DEPTH`. */
  COMPRESSION_DEPTH: 9,
  CLUSTER_THRESHOLD: 10,
  COUNT: 11,
});

/** Options that are on or off. */
export const SWITCH = Object.freeze({
  DEDUP: 1,
  FUZZY_DEDUP: 2,
  EMBED_SUMMARY_ID: 4,
  FORCE_CONVERGE: 8,
  FULL_CLASSIFIER_MODE: 16,
  TRACE: 32,
  HAS_TOKEN_BUDGET: 64,
  HAS_OBSERVATION_THRESHOLD: 128,
  IMPORTANCE_SCORING: 256,
  CONTRADICTION_DETECTION: 512,
  TIERED: 1024,
  CONVERSATION_FLOW: 2048,
  SEMANTIC_CLUSTERING: 4096,
  COREFERENCE: 8192,
  DISCOURSE_AWARE: 16384,
  COMBINE_SCORES: 32768,
  COUNT: 16,
});

/** Values of `compressionDepth`. */
export const DEPTH = Object.freeze({
  gentle: 0,
  moderate: 1,
  aggressive: 2,
  auto: 3,
});

/** Kinds of messages that the trimming of tool results tells apart. */
export const TURN_KIND = Object.freeze({
  other: 0,
  assistant: 1,
  trimmable: 2,
  tool: 3,
});

/** Columns of a message of the result. */
export const OUTPUT_COLUMN = Object.freeze({
  /** First input message that it stands for. */
  START: 0,
  /** Number of input messages that it stands for. */
  MESSAGES: 1,
  /** Number of its text plus one; 0: the input message itself. */
  TEXT: 2,
  /** Hash of the ids that it stands for. */
  IDS_HASH: 3,
  COUNT: 4,
});

/** Slots of the statistics of `compress`. */
export const STATISTIC = Object.freeze({
  /** Messages of the result; `NONE` where the input is the result. */
  OUTPUTS: 0,
  RATIO: 1,
  TOKEN_RATIO: 2,
  COMPRESSED: 3,
  PRESERVED: 4,
  DEDUPED: 5,
  FUZZY_DEDUPED: 6,
  PATTERN_PRESERVED: 7,
  LLM_PRESERVED: 8,
  /** 1 where the result has a quality, which is computed when it is read. */
  HAS_QUALITY: 9,
  /** 1 or 0; `NONE` without a limit. */
  FITS: 10,
  TOKEN_COUNT: 11,
  RECENCY_WINDOW: 12,
  IMPORTANCE_PRESERVED: 13,
  CONTRADICTED: 14,
  RELEVANCE_DROPPED: 15,
  SCORER_FALLBACKS: 16,
  COUNT: 17,
});

/** Columns of a decision in a trace. */
export const DECISION_COLUMN = Object.freeze({
  MESSAGE: 0,
  /** Number of the action's name. */
  ACTION: 1,
  /** Number of the reason's name. */
  REASON: 2,
  /** Length of the text in the result, in UTF-16 code units. */
  OUTPUT_LENGTH: 3,
  /** Number of the pattern, adapter or cluster. */
  DETAIL: 4,
  COUNT: 5,
});

/** Columns of the sentences that a scorer is asked about: a range of the text. */
export const SENTENCE_COLUMN = Object.freeze({
  START: 0,
  END: 1,
  COUNT: 2,
});

/** Bits of a message in `detectFlowChains`; above them stands the number of its role. */
export const FLOW_FLAG = Object.freeze({
  FREE: 1,
  USER: 2,
  ASSISTANT: 4,
  COUNT: 3,
});

/** Columns of a part of the conversation. */
export const PART_COLUMN = Object.freeze({
  MESSAGE: 0,
  /** A `PART_ROLE`, a `PART_KIND` shifted by `KIND_SHIFT`, and bits, all of `PART_FLAG`. */
  FLAGS: 1,
  /** Number of the name of the tool that it calls, or `NONE`. */
  NAME: 2,
  /** Part with the call that it answers, or `NONE`. */
  CALL: 3,
  /** Number of its medium, or `NONE`: equal media have equal numbers. */
  MEDIA: 4,
  /** Length of its text, in UTF-16 code units. */
  LENGTH: 5,
  COUNT: 6,
});

/** Bits of a part's flags. */
export const PART_FLAG = Object.freeze({
  ROLE_MASK: 3,
  KIND_SHIFT: 2,
  KIND_MASK: 7,
  /** The format says that the tool did what it was asked for. */
  OK: 32,
  /** The format says that it failed. */
  ERROR: 64,
  /** May not be edited. */
  LOCKED: 128,
  /** The text is the JSON of a value. */
  VALUE: 256,
  /** May be removed only with all that stands between two turns of the user. */
  WITH_TURN: 512,
  /** May be removed only with the message before its own. */
  WITH_PREVIOUS: 1024,
  /** May not be removed. */
  FIXED: 2048,
});

/** Roles of parts. */
export const PART_ROLE = Object.freeze({
  system: 0,
  user: 1,
  assistant: 2,
  tool: 3,
});

/** Kinds of parts. */
export const PART_KIND = Object.freeze({
  text: 0,
  call: 1,
  result: 2,
  reasoning: 3,
  media: 4,
  opaque: 5,
});

/** Rules of `prune`. */
export const RULE = Object.freeze({
  staleRead: 0,
  staleEdit: 1,
  staleCommand: 2,
  failedCommand: 3,
  overlappingRead: 4,
  staleSearch: 5,
  identicalResult: 6,
  oversizedOutput: 7,
  repeatedMedia: 8,
  emptyMessage: 9,
  announcement: 10,
});

/** What a rule of `shorten` writes shorter. */
export const SHORTENING = Object.freeze({
  lineNumbers: 0,
  escapes: 1,
  json: 2,
  tables: 3,
  repeats: 4,
});

/** Columns of an edit by `prune`. */
export const PRUNE_EDIT_COLUMN = Object.freeze({
  PART: 0,
  /** A number of `RULE`. */
  RULE: 1,
  /** Part that supersedes it, or `NONE`. */
  SUPERSEDED_BY: 2,
  /** Number of its pieces; `NONE`: the part goes. */
  PIECES: 3,
  COUNT: 4,
});

/** Columns of a piece of an edited text. */
export const PIECE_COLUMN = Object.freeze({
  /** Start of the range of the original, or a number of `PIECE`. */
  START: 0,
  /** End of the range, or of the mark in those of all pieces, which stand one after the other. */
  END: 1,
  COUNT: 2,
});

/** Pieces that are no range of the original. */
export const PIECE = Object.freeze({
  MARK: -1,
  /** A mark that needs a key in front of it, and the start of a marker in front of that. */
  MARKER: -2,
});

/** Columns of a range of a part's text. */
export const RANGE_COLUMN = Object.freeze({
  PART: 0,
  START: 1,
  END: 2,
  COUNT: 3,
});

/** Columns of an edit by `fit`. */
export const FIT_EDIT_COLUMN = Object.freeze({
  PART: 0,
  /** Number of its pieces; `NONE`: the part goes. */
  PIECES: 1,
  COUNT: 2,
});

/** Reasons why `fit` keeps a message; `limit` is why it doesn't. */
export const KEEP_REASON = Object.freeze({
  limit: 0,
  system: 1,
  keep: 2,
  valid: 3,
  current: 4,
  user: 5,
  rules: 6,
  task: 7,
  state: 8,
  worth: 9,
  asked: 10,
});

/** Kinds of what has to be in every request. */
export const DUTY = Object.freeze({
  rules: 0,
  task: 1,
  state: 2,
  said: 3,
});

/** Columns of what had to be in a request, and is not. */
export const LOST_COLUMN = Object.freeze({
  DUTY: 0,
  MESSAGE: 1,
  /** Number of its lines and sentences. */
  LINES: 2,
  COUNT: 3,
});

/** Columns of a part whose tokens are counted. */
export const COUNTED_PART_COLUMN = Object.freeze({
  MESSAGE: 0,
  /** A kind of content and bits, all of `CONTENT`. */
  CONTENT: 1,
  /** Number of a text, tokens, length of JSON in UTF-16 code units, or width of an image in pixels. */
  FIRST: 2,
  /** Height of an image in pixels. */
  SECOND: 3,
  /** Number of the name of the tool that it calls, or `NONE`. */
  NAME: 4,
  /** Number of the id of its call, or `NONE`. */
  ID: 5,
  COUNT: 6,
});

/** Columns of a message whose tokens are counted. */
export const COUNTED_MESSAGE_COLUMN = Object.freeze({
  /** Number of its role, or `NONE` if nothing of it is sent. */
  ROLE: 0,
  /** Number of its name, or `NONE`. */
  NAME: 1,
  COUNT: 2,
});

/** Columns of a row beside the messages. */
export const EXTRA_COLUMN = Object.freeze({
  /** A number of `EXTRA`. */
  KIND: 0,
  /** Number of its text, or `NONE`. */
  TEXT: 1,
  COUNT: 2,
});

/** Kinds of content, and bits beside them. */
export const CONTENT = Object.freeze({
  NOTHING: 0,
  TEXT: 1,
  TOKENS: 2,
  IMAGE: 3,
  MEDIA: 4,
  JSON: 5,
  KIND_MASK: 7,
  /** The part is a call. */
  CALL: 8,
  /** The image is sent in low detail. */
  LOW_DETAIL: 16,
});

/** Rows of tool schemas and system prompts. */
export const EXTRA = Object.freeze({
  tool: 0,
  properties: 1,
  property: 2,
  enum: 3,
  enumValue: 4,
  prompt: 5,
  promptText: 6,
});

/** Columns of a cut that `restore` looks for. */
export const CUT_COLUMN = Object.freeze({
  /** Its index among the messages that the round left. */
  AT: 0,
  /** Number of messages that replace it. */
  LEFT: 1,
  /** Number of messages that it took out. */
  TAKEN: 2,
  /** 1 where it agrees with the round about the messages around it. */
  IS_CONSISTENT: 3,
  COUNT: 4,
});

/** Pieces of the texts that are hashed: a kind, and above it a number. Strings stand beside them, in order: those of up to `MAX_SHORT` UTF-16 code units joined to one, and the others. */
export const CANONICAL_PIECE = Object.freeze({
  /** What stood in the texts before, by its number. */
  KNOWN: 0,
  /** A string of that length, as a text. It gets the next number. */
  TEXT: 1,
  /** The same without a number. */
  LONG_TEXT: 2,
  /** A string of that length as it is. It gets the next number. */
  SCALAR: 3,
  /** The same without a number. */
  RAW: 4,
  /** The start of an object of so many members. */
  OBJECT: 5,
  /** The start of an array of so many items. */
  ARRAY: 6,
  /** The end of the text. */
  END: 7,
  KIND_MASK: 7,
  KIND_BITS: 3,
  MAX_SHORT: 256,
});

/** Columns of a run of messages that an edit removed or replaced. */
export const RUN_COLUMN = Object.freeze({
  /** Index of the first message that replaces it, among those that the round left. */
  START: 0,
  /** Index after the last one. */
  END: 1,
  /** Number of messages of the run. */
  TAKEN: 2,
  COUNT: 3,
});
