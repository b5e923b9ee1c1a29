// Rules of programs that can't be called as functions, written again from what is documented or known of them. Their thresholds are for windows of
// 100,000 tokens and more. Here the threshold is the setting that is brought to the size.

/** The positions of results, the newest first. */
const resultsOf = (messages) => messages.flatMap(({ role }, index) => (role === 'tool' ? [index] : [])).reverse();
/** Both programs count a quarter of the characters. */
const estimated = (text) => Math.ceil(text.length / 4);

function replaced(messages, old, write) {
  const left = [...messages];
  for (const index of old) left[index] = { ...messages[index], content: write(messages[index].content) };
  return left;
}

/** The results behind the newest that take `protect` tokens. */
function behind(messages, protect) {
  let tokens = 0;
  return resultsOf(messages).filter((index) => {
    tokens += estimated(messages[index].content);
    return tokens > protect;
  });
}
const allTokens = (messages) => resultsOf(messages).reduce((sum, index) => sum + estimated(messages[index].content), 0);

const PREVIEW = 250;
/** Gemini CLI leaves a preview, and writes the whole result to a file. */
function preview(content) {
  if (content.length <= 2 * PREVIEW) return content;
  const shown = `${content.slice(0, PREVIEW)}\n... [TRUNCATED] ...\n${content.slice(-PREVIEW)}`;
  const text = `<tool_output_masked>\n${shown}\n\nOutput too large. Full output available at: tool-outputs/output.txt\n</tool_output_masked>`;
  return text.length < content.length ? text : content;
}

export const RULES = [
  {
    name: "Anthropic's `clear_tool_uses`, by its rules",
    // `keep` newest results stay; calls stay with their inputs, and the model is told that a result is gone.
    most: (messages) => resultsOf(messages).length,
    cut: (messages, { setting: keep }) => replaced(messages, resultsOf(messages).slice(keep), () => '[Tool result cleared]'),
  },
  {
    name: "OpenCode's pruning, by its rules",
    most: allTokens,
    cut: (messages, { setting }) => replaced(messages, behind(messages, setting), () => '[Old tool result content cleared]'),
  },
  {
    name: "Gemini CLI's masking, by its rules",
    most: allTokens,
    cut: (messages, { setting }) => replaced(messages, behind(messages, setting), preview),
  },
];
