// Conversations from a seed: the same in every run, realistic in length, structure and variety of names.
import { code, json, markdown } from './generate/code.mjs';
import { chineseText, emojiText, japaneseText } from './generate/other.mjs';
import { document, prose, sentence, sentences } from './generate/prose.mjs';
import { Random } from './generate/random.mjs';
import { toolUse } from './generate/tools.mjs';
import { hash } from './generate/vocabulary.mjs';

/** The share of messages that repeat an earlier one exactly, and of those that differ from one in a line. */
const EXACT_DUPLICATES = 0.04;
const NEAR_DUPLICATES = 0.03;

export const contentLength = (messages) => messages.reduce((sum, { content }) => sum + content.length, 0);

/** Answers that are repeated now and then, because an agent reads a file twice, before and after an edit. */
class Repeats {
  constructor(random) {
    this.random = random;
    this.texts = [];
  }

  of(text) {
    const { random, texts } = this;
    const kind = random.next();
    if (texts.length > 0 && kind < EXACT_DUPLICATES) return random.pick(texts);
    if (texts.length > 0 && kind < EXACT_DUPLICATES + NEAR_DUPLICATES) return changed(random, random.pick(texts));
    texts.push(text);
    return text;
  }
}

/** `text` with one of its lines replaced. */
function changed(random, text) {
  const lines = text.split('\n');
  lines[random.between(0, lines.length - 1)] = sentence(random);
  return lines.join('\n');
}

/** A coding agent at work: `count` messages, their contents about `length` characters altogether. */
export function agentSession(seed, count, length) {
  const random = new Random(seed);
  const repeats = new Repeats(random);
  const messages = [];
  const add = (message) => messages.push({ id: `msg_${messages.length}`, index: messages.length, ...message });
  add({ role: 'system', content: sentences(random, 20) });
  let size = 0;
  const push = (message) => {
    add(message);
    size += message.content.length;
  };
  while (messages.length < count) {
    if (random.chance(0.1)) push({ role: 'user', content: sentences(random, random.between(1, 4)) });
    if (random.chance(0.15)) push({ role: 'assistant', content: sentences(random, random.between(2, 12)) });
    const { name, input, answer } = toolUse(random);
    const call = `toolu_${hash(random, 24)}`;
    const calls = [{ id: call, type: 'function', function: { name, arguments: JSON.stringify(input) } }];
    push({ role: 'assistant', content: random.chance(0.3) ? sentence(random) : '', tool_calls: calls });
    // Answers are cut or left out where the session would grow beyond its size.
    const room = Math.max(0, Math.round((length * messages.length) / count) - size);
    push({ role: 'tool', content: repeats.of(answer).slice(0, Math.max(room * 3, 60)), tool_call_id: call });
  }
  return messages.slice(0, count);
}

/** The same as OpenAI's chat completions take it: without the keys that only `compress` knows. */
export const session = (seed, count, length) => agentSession(seed, count, length).map(({ id, index, ...message }) => message);

const kinds = { prose, json, document, code, markdown, chinese: chineseText, japanese: japaneseText, emoji: emojiText };

/** A conversation of two that consists of one kind of text: `count` messages, about `length` characters altogether. */
export function conversation(kind, seed, count, length) {
  const random = new Random(seed);
  const repeats = new Repeats(random);
  const mean = length / count;
  return Array.from({ length: count }, (_, index) => ({
    id: `msg_${index}`,
    index,
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: repeats.of(kinds[kind](random, random.between(Math.round(mean * 0.2), Math.round(mean * 1.75)))),
  }));
}
