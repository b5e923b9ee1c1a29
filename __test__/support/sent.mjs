// What a request costs as it is sent, counted from its body alone: every text that the model is shown, its files by the providers' rules, and what the
// providers' documents add to messages. Knows the APIs, but no SDK, and shares no code with the package.
import { countText } from './agents/tokens.mjs';
import { filesIn } from './providers/limits.mjs';

const sum = (list, of) => list.reduce((all, one) => all + of(one), 0);

/** Images as each guide has it, where both sides are from 512 to 768 pixels or a little more; pages as `docs/tokens.md` says. */
const FILES = {
  openai: { image: ([width, height]) => 85 + 170 * Math.ceil(width / 512) * Math.ceil(height / 512), page: 1500 },
  anthropic: { image: ([width, height]) => Math.ceil((width * height) / 750), page: 3000 },
  gemini: {
    image: ([width, height]) => {
      const edge = Math.floor(Math.min(width, height) / 1.5);
      return 258 * Math.ceil(width / edge) * Math.ceil(height / edge);
    },
    page: 258,
  },
};
const ofFile = (provider, block) =>
  sum(filesIn(block), ({ sides, pages }) => (sides ? FILES[provider].image(sides) : pages * FILES[provider].page));

/** Content of OpenAI's: a text, or texts and files. */
function ofContent(content) {
  if (typeof content === 'string') return countText(content);
  return sum(content ?? [], (part) => (typeof part.text === 'string' ? countText(part.text) : ofFile('openai', part)));
}

/** OpenAI's Cookbook: 3 tokens and the role for each message, 3 for the answer. A call is taken for a message. */
const MESSAGE = 4;
const ofCall = (name, input, id) => 3 + countText(name) + countText(input) + countText(id);

const chat = ({ messages }) =>
  3 +
  sum(messages, ({ content, tool_calls: calls = [], tool_call_id: id }) => {
    const called = sum(calls, (call) => ofCall(call.function.name, call.function.arguments, call.id));
    return MESSAGE + ofContent(content) + called + (id === undefined ? 0 : countText(id));
  });

const responses = ({ input }) =>
  3 +
  sum(input, (item) => {
    if (item.type === 'function_call') return MESSAGE + ofCall(item.name, item.arguments, item.call_id);
    if (item.type === 'function_call_output') return MESSAGE + ofContent(item.output) + countText(item.call_id);
    return MESSAGE + ofContent(item.content);
  });

function ofBlock(block) {
  if (block.type === 'text') return countText(block.text);
  if (block.type === 'tool_use') return 3 + countText(block.name) + countText(JSON.stringify(block.input)) + countText(block.id);
  if (block.type !== 'tool_result') return ofFile('anthropic', block);
  return countText(block.tool_use_id) + (typeof block.content === 'string' ? countText(block.content) : sum(block.content, ofBlock));
}
const anthropic = ({ system = [], messages }) =>
  1 +
  sum([system].flat(), (block) => countText(block.text ?? block)) +
  sum(messages, ({ content }) => 3 + (typeof content === 'string' ? countText(content) : sum(content, ofBlock)));

function ofPart({ text, functionCall: call, functionResponse: answer, inlineData }) {
  if (call) return 3 + countText(call.name) + countText(JSON.stringify(call.args)) + countText(call.id ?? '');
  if (answer) {
    // How the model is shown an object is not documented.
    const { content, error, output, result } = answer.response;
    const said = content ?? error ?? output ?? result ?? answer.response;
    const shown = typeof said === 'string' ? said : JSON.stringify(said);
    return countText(answer.id ?? '') + countText(shown) + ofFile('gemini', answer.parts);
  }
  return inlineData ? ofFile('gemini', inlineData) : countText(text);
}
const gemini = ({ systemInstruction, contents }) =>
  sum(systemInstruction?.parts ?? [], ofPart) + sum(contents, ({ parts }) => 1 + sum(parts, ofPart));

/** Tokens of the body of a request without tools, by its API. */
export const sentTokens = { chat, responses, anthropic, gemini };
