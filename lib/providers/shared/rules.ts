// Every rule: which formats it is of, why the provider refuses what breaks it, and where that is known from. docs/reference/message-formats.md
// shows this table. `source` names a line of the list of sources there (C: OpenAI chat, R: Responses, A: Anthropic, G: Gemini),
// an error text of the API, or the check of a library.

const CHAT = 'openai-chat';
const RESPONSES = 'openai-responses';
const AGENTS = 'openai-agents';
const ANTHROPIC = 'anthropic';
const MODEL = 'ai-sdk-model';
const UI = 'ai-sdk-ui';
const GEMINI = 'gemini';
const LANGCHAIN = 'langchain';
const MASTRA = 'mastra';
const AG_UI = 'ag-ui';
const MESSAGE = 'message';
const PROVIDERS = [CHAT, RESPONSES, AGENTS, ANTHROPIC, MODEL, UI, GEMINI, LANGCHAIN, AG_UI];
// What Mastra makes of its messages has no open calls and no other results.
const ALL = [...PROVIDERS, MASTRA];

export const rules = {
  // The conversation.
  'no-messages': { formats: ALL, why: 'a request needs at least one message', source: 'A4; "messages must not be empty" (AI SDK)' },
  'message-shape': {
    formats: [...ALL, MESSAGE],
    why: 'each entry has to be a message of this format',
    source: 'the schemas of the APIs',
  },
  'missing-id': {
    formats: [UI, AG_UI, MESSAGE],
    why: 'each message needs an id',
    source: 'validateUIMessages; the schema of AG-UI; compress',
  },
  'unknown-role': { formats: ALL, why: 'the role has to be one that the format knows', source: 'the schemas of the APIs' },
  'first-message': { formats: [ANTHROPIC, GEMINI], why: 'a conversation has to begin with the user', source: 'A6, G2' },
  'system-placement': {
    formats: [ANTHROPIC],
    why: "an instruction among the messages has to follow one of the user's, and to precede one of the assistant's or end the request",
    source: 'A9',
  },
  'duplicate-item': { formats: [RESPONSES, AGENTS], why: 'the id of an item has to be unique', source: '"Duplicate item found with id"' },

  // Content.
  'content-shape': { formats: ALL, why: 'content has to have the shape that the format defines', source: 'the schemas of the APIs' },
  'part-role': {
    formats: [CHAT, RESPONSES, AGENTS, ANTHROPIC, MODEL, GEMINI, AG_UI],
    why: 'this kind of content belongs to messages of another role',
    source: 'the schemas of the APIs',
  },
  'empty-content': {
    formats: [CHAT, ANTHROPIC, GEMINI, UI, AG_UI],
    why: 'where content is wanted it must not be empty',
    source: 'A4; "empty array. Expected an array with minimum length 1"',
  },
  'empty-text': {
    formats: [ANTHROPIC],
    why: 'a text has to have more than blanks',
    source: 'A4; "text content blocks must contain non-whitespace text"',
  },
  'trailing-blank': {
    formats: [ANTHROPIC],
    why: 'an answer that the model is to continue must not end in a blank',
    source: '"final assistant content cannot end with trailing whitespace"',
  },
  'text-after-call': {
    formats: [ANTHROPIC],
    why: 'the calls of an assistant turn come last in it',
    source: 'A7',
  },
  'cache-control-on-thinking': {
    formats: [ANTHROPIC],
    why: 'thinking can not be marked with cache_control; mark the block after it',
    source: '"thinking.cache_control: Extra inputs are not permitted"',
  },
  'too-many-cache-controls': { formats: [ANTHROPIC], why: 'a request may have 4 blocks with cache_control', source: 'A6' },
  'cache-control-order': {
    formats: [ANTHROPIC],
    why: 'a breakpoint that lasts an hour has to stand before all that last five minutes',
    source: 'A10',
  },

  // Calls.
  'tool-call-shape': {
    formats: ALL,
    why: 'a call needs an id, a name and a type that the format knows',
    source: 'the schemas of the APIs',
  },
  'function-name': {
    formats: [CHAT, RESPONSES, AGENTS, ANTHROPIC, AG_UI],
    why: 'the name of a function has to consist of letters, digits, _ and -: at most 64 for OpenAI, 128 for Anthropic',
    source: '"string does not match pattern \'^[a-zA-Z0-9_-]+$\'", "tool_use.name: String should match pattern"',
  },
  'call-id-length': {
    formats: [RESPONSES, AGENTS],
    why: 'a call_id has at most 64 characters',
    source: '"call_id: string too long. Expected a string with maximum length 64"',
  },
  'arguments-not-object': {
    formats: ALL,
    why: 'the arguments of a call have to be a JSON object',
    source: 'the schemas of the APIs; servers parse them',
  },
  'duplicate-tool-call': {
    formats: ALL.filter((format) => format !== GEMINI),
    why: 'the result could not be told from that of the other call',
    source: '"tool_use ids must be unique" (in the whole request); elsewhere, two calls that wait at the same time',
  },
  'tool-call-without-result': {
    formats: PROVIDERS,
    why: 'every call has to be answered before the conversation goes on',
    source: 'C1, R1, A1, G1; MissingToolResultsError (AI SDK)',
  },
  'tool-call-at-end': {
    formats: PROVIDERS.filter((format) => format !== GEMINI),
    why: 'in the middle of an agent loop that is as it should be, but sent now it is refused: every call has to be answered',
    source: 'C1, R1, A1; MissingToolResultsError (AI SDK)',
  },

  // Results.
  'tool-result-shape': {
    formats: PROVIDERS,
    why: 'a result has to name its call and to have content of the shape that the format defines',
    source: 'the schemas of the APIs',
  },
  'tool-result-without-call': {
    formats: PROVIDERS.filter((format) => format !== UI),
    why: 'a result has to answer a call that waits for it',
    source: 'C2, R1, A1, G1',
  },
  'duplicate-tool-result': {
    formats: PROVIDERS.filter((format) => format !== GEMINI && format !== UI),
    why: 'a call has one result',
    source: '"each tool_use must have a single result", "Duplicate value for \'tool_call_id\'"',
  },
  'tool-result-placement': {
    formats: [ANTHROPIC],
    why: 'the message after tool_use has to begin with the results; text goes behind them',
    source: 'A2',
  },
  'function-response-count': {
    formats: [GEMINI],
    why: 'there have to be as many functionResponse parts as functionCall parts in the content before',
    source: 'G1',
  },
  'server-call-without-result': {
    formats: [ANTHROPIC],
    why: 'the result of a server tool has to follow its call',
    source: '"tool use … was found without a corresponding … block"',
  },
  'server-result-without-call': { formats: [ANTHROPIC, MODEL], why: 'the result of a server tool needs its call before it', source: 'A3' },
  'approval-without-request': {
    formats: [MODEL],
    why: 'an approval has to answer a request for a call in the history',
    source: 'InvalidToolApprovalError, ToolCallNotFoundForApprovalError',
  },

  // Reasoning.
  'thinking-signature': {
    formats: [ANTHROPIC],
    why: 'thinking is accepted only as it was signed',
    source: 'A5; "signature: Field required"',
  },
  'thinking-at-end': {
    formats: [ANTHROPIC],
    why: 'the final block of an assistant turn can not be thinking',
    source: '"The final block in an assistant message cannot be `thinking`"',
  },
  'reasoning-without-item': { formats: [RESPONSES, AGENTS], why: 'reasoning has to be followed by the item that it led to', source: 'R2' },
  'reasoning-summary': { formats: [RESPONSES, AGENTS], why: 'a reasoning item needs a summary', source: 'R3' },
  'thought-signature': {
    formats: [GEMINI],
    why: 'the first functionCall of each step since the user spoke needs the thoughtSignature that it came with',
    source: 'G3',
  },

  // Limits beside tokens.
  'too-many-bytes': {
    formats: [ANTHROPIC, GEMINI],
    why: 'a longer request is refused; fit and sessions take out the oldest images and documents, and requestLimits.bytes changes the limit',
    source: 'A8, G4',
  },
  'too-many-media': {
    formats: [ANTHROPIC],
    why: 'a request with more is refused; fit and sessions take out the oldest, and requestLimits.media changes the limit',
    source: '"Too much media: 0 document pages + 101 images > 100"',
  },
  'too-many-images': {
    formats: [CHAT, RESPONSES, AGENTS, GEMINI],
    why: 'a request with more is refused; fit and sessions take out the oldest, and requestLimits.images changes the limit',
    source: 'C3, G5',
  },
  'too-many-documents': {
    formats: [] as string[],
    why: 'a request with more is refused; fit and sessions take out the oldest, and requestLimits.documents changes the limit',
    source: 'the caller of palimpsest',
  },
  'too-many-pages': {
    formats: [GEMINI],
    why: 'a request with more is refused; fit and sessions take out the oldest, and requestLimits.pages changes the limit',
    source: 'G6',
  },
  'image-bytes': {
    formats: [ANTHROPIC],
    why: 'a larger one is refused; send a smaller one, or let fit take it out, and requestLimits.imageBytes changes the limit',
    source: '"image exceeds 5 MB maximum: … bytes > 5242880 bytes"',
  },
  'image-pixels': {
    formats: [ANTHROPIC],
    why: 'a larger one is refused; send a smaller one, or let fit take it out, and requestLimits.imagePixels changes the limit',
    source: 'ImageDimensionsTooLargeError; "image dimensions exceed max allowed size: 8000 pixels"',
  },
  'many-image-pixels': {
    formats: [ANTHROPIC],
    why: 'of more than 20 images such a one is refused; send smaller ones, or let fit take out the oldest, and requestLimits.manyImagePixels changes the limit',
    source: 'ImageDimensionsTooLargeError; "image dimensions exceed max allowed size for many-image requests: 2000 pixels"',
  },
};

export type RuleName = keyof typeof rules;
