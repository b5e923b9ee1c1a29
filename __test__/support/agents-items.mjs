// Items of OpenAI's Agents SDK as its own model for the Responses API sends them. The package does not export the converter.
const { getInputItems } = await import(new URL('./openaiResponsesConverter.mjs', import.meta.resolve('@openai/agents-openai')));

const OUTPUTS = new Set(['text', 'image', 'file']);

/**
 * The items that the SDK sends.
 *
 * @throws {Error} the SDK refuses them, or would send `[object Object]`
 */
export function asResponses(items) {
  for (const { type, output } of items) {
    const isOutput = typeof output === 'string' || Array.isArray(output) || OUTPUTS.has(output?.type);
    if (type === 'function_call_result' && !(isOutput && (output.type !== 'text' || typeof output.text === 'string')))
      throw new Error('an output that the SDK makes a string of');
  }
  return JSON.parse(JSON.stringify(getInputItems(items)));
}
