// What the next message of the model asks of a request, in Anthropic's format: the texts that its edits replace, and the results that it asks for again.

/** Minimum length of a text that an edit replaces, in UTF-16 code units. */
const MIN_QUOTE = 12;
/** Number of messages before a step whose texts are there under every policy. */
const RECENT = 4;
/** Minimum length of a result that is worth asking for again. */
const MIN_RESULT = 200;

const blocksOf = ({ content }) => (Array.isArray(content) ? content : []);
const leaves = (value) => {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(leaves) : [];
};
const plains = new WeakMap();
/** What a message says: its strings, without the numbers that readers of files put before lines. */
function plainOf(message) {
  let text = plains.get(message);
  if (text === undefined) {
    text = leaves(message.content)
      .join('\n')
      .replace(/^\s*\d+(?:→|\t|\|)/gm, '');
    plains.set(message, text);
  }
  return text;
}
/** The text of a result, without the blanks before numbers of lines: a session leaves them out. */
const resultText = ({ content }) =>
  (typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join('\n')).replace(/^ +(?=\d+[→\t])/gm, '');
const isAlike = (text, again) => {
  const lines = new Set(text.split('\n'));
  const others = again.split('\n');
  return others.filter((line) => lines.has(line)).length >= Math.min(lines.size, others.length) / 2;
};

/** Reads a track. Returns for each step what judges a request: how many quotes are there, of how many, and how many faults follow. */
export function asksOf(messages) {
  const results = new Map();
  const keys = new Map();
  const again = new Map();
  messages.forEach((message, index) => {
    for (const block of blocksOf(message)) {
      if (block.type === 'tool_use')
        keys.set(block.id, {
          key: `${block.name} ${block.input?.file_path ?? block.input?.path ?? JSON.stringify(block.input)}`,
          step: index,
        });
      if (block.type !== 'tool_result') continue;
      const { key, step } = keys.get(block.tool_use_id) ?? {};
      const text = resultText(block);
      if (key === undefined || text.length < MIN_RESULT) continue;
      const before = results.get(key);
      if (before !== undefined && isAlike(before, text)) again.set(step, [...(again.get(step) ?? []), before]);
      results.set(key, text);
    }
  });
  return (step, request) => {
    const olds = blocksOf(messages[step]).flatMap(({ type, input }) => (type === 'tool_use' ? [input?.old_string ?? input?.old_str] : []));
    const quotes = olds.filter((old) => {
      if (typeof old !== 'string' || old.length < MIN_QUOTE) return false;
      const place = messages.slice(0, step).findLastIndex((message) => plainOf(message).includes(old));
      return place >= 0 && step - place > RECENT;
    });
    const isThere = (text) => request.some((message) => plainOf(message).includes(text));
    const sent = (text) =>
      request.some((message) => blocksOf(message).some((block) => block.type === 'tool_result' && resultText(block) === text));
    return {
      quotes: quotes.map(isThere),
      faults: (again.get(step) ?? []).filter((text) => !sent(text)).length,
    };
  };
}
