// Transcripts of Claude Code and Codex, made up, and what is in them by a reading of their lines that shares nothing with the readers.

const at = (second) => new Date(Date.UTC(2026, 6, 1, 8, 0, 0) + 1000 * second).toISOString();
const lines = (list) => list.map((one) => `${JSON.stringify(one)}\n`).join('');

/**
 * @typedef {{ user: string, reply: string }} Turn
 *
 * @param {Turn[]} turns
 * @param {{ cwd: string, compactedAfter?: number }} more `compactedAfter`: turns after which the agent compacted its history
 */
export function claudeText(turns, { cwd, compactedAfter }) {
  const list = [];
  let parentUuid = null;
  const add = (line) => {
    const uuid = `u${list.length}`;
    list.push({ uuid, parentUuid, sessionId: 's', cwd, timestamp: at(list.length), ...line });
    parentUuid = uuid;
  };
  for (const [index, { user, reply }] of turns.entries()) {
    if (index === compactedAfter) {
      add({ type: 'system', subtype: 'compact_boundary' });
      add({ type: 'user', isCompactSummary: true, message: { role: 'user', content: 'So far the two talked.' } });
    }
    add({ type: 'user', message: { role: 'user', content: user } });
    const usage = { input_tokens: 10 + index, cache_read_input_tokens: 2000, cache_creation_input_tokens: 300, output_tokens: 5 };
    add({
      type: 'assistant',
      message: { role: 'assistant', id: `m${index}`, model: 'claude-opus-5', content: [{ type: 'text', text: reply }], usage },
    });
  }
  return lines(list);
}

export function codexText(turns, { cwd, compactedAfter }) {
  const spoken = (role, text) => ({ type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] });
  const list = [
    { type: 'session_meta', payload: { id: 'c', cwd } },
    { type: 'turn_context', payload: { model: 'gpt-5.5' } },
  ];
  for (const [index, { user, reply }] of turns.entries()) {
    if (index === compactedAfter)
      list.push({ type: 'compacted', payload: { message: '', replacement_history: [spoken('user', 'So far the two talked.')] } });
    list.push({ type: 'response_item', payload: spoken('user', user) }, { type: 'response_item', payload: spoken('assistant', reply) });
  }
  return lines(list.map((line, second) => ({ timestamp: at(second), ...line })));
}

/**
 * Reads the lines of either.
 *
 * @returns `messages`: who said what; `requests`: first and last message of each, exclusive; `from`: the first message after the compaction
 */
export function readLines(text) {
  const messages = [];
  const requests = [];
  let from = 0;
  const say = (role, said) => {
    if (role === 'assistant') requests.push([from, messages.length]);
    messages.push({ role, text: said });
  };
  for (const { type, subtype, message, payload } of text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))) {
    if (subtype === 'compact_boundary') from = messages.length;
    if (type === 'compacted') {
      from = messages.length;
      for (const { role, content } of payload.replacement_history) say(role, content[0].text);
    }
    if (message) say(message.role, typeof message.content === 'string' ? message.content : message.content[0].text);
    if (type === 'response_item') say(payload.role, payload.content[0].text);
  }
  return { messages, requests, from };
}
