/** Part types of the AI SDK and of OpenAI's Responses API, which neither chat completions nor Anthropic's messages have. */
export const FOREIGN = ['tool-call', 'tool-result', 'reasoning', 'input_text', 'output_text', 'input_image', 'input_file'];

const SOURCES = new Set<unknown>(['data', 'url', 'file']);

/** Whether this is where AG-UI has a file: its bytes, its URL or its id stand in `value`. */
export const isAgUiSource = (source: { type?: unknown; value?: unknown } | null | undefined) =>
  SOURCES.has(source?.type) && typeof source?.value === 'string';

/** Whether a part is Mistral's reasoning: that of Anthropic's is a text. */
export const isMistralThinking = (part: { type?: unknown; thinking?: unknown } | null | undefined) =>
  part?.type === 'thinking' && Array.isArray(part.thinking);
