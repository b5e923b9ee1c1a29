/** Part types of the AI SDK and of OpenAI's Responses API, which neither chat completions nor Anthropic's messages have. */
export const FOREIGN = ['tool-call', 'tool-result', 'reasoning', 'input_text', 'output_text', 'input_image', 'input_file'];
