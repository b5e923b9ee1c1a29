// A builder of an agent's conversations in OpenAI's format.
import { countTokens } from 'palimpsest';

/** A conversation that grows; `messages` is what a program would send. */
export class Talk {
  messages = [];

  constructor(system = 'You are a careful assistant.') {
    if (system) this.messages.push({ role: 'system', content: system });
  }

  user(content) {
    this.messages.push({ role: 'user', content });
    return this;
  }

  assistant(content) {
    this.messages.push({ role: 'assistant', content });
    return this;
  }

  /** A call and its result. */
  call(name, args, output) {
    const id = `call_${this.messages.length}`;
    const call = { id, type: 'function', function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) } };
    this.messages.push({ role: 'assistant', content: null, tool_calls: [call] }, { role: 'tool', tool_call_id: id, content: output });
    return this;
  }

  get tokens() {
    return countTokens(this.messages);
  }
}

/** Ends a turn of the agent, so that the messages before are not the current exchange. */
export const closed = (talk) => talk.assistant('All of that is done now.').user('Thanks. What is next?');

const WORDS = 'river lantern copper meadow signal harbor velvet thunder pocket orchard window gravel timber saddle candle marble'.split(
  ' ',
);

/** A sentence that names `number`, with no other word that other messages contain. */
export const sentence = (number) =>
  `The ${WORDS[number % 16]} of station_${number} was moved to ${WORDS[(number >> 4) % 16]}/shelf_${number * 7}.md on day ${1000 + number}.`;

export const lines = (count, line = sentence) => Array.from({ length: count }, (_, number) => line(number)).join('\n');

/** A mark, which stands in a cut text between the lines that are kept. */
export const MARK = /^\[…( [^\n]*)?\]$/;

/** The text of the result number `index` in a conversation. */
export const resultOf = (messages, index = 0) => messages.filter(({ role }) => role === 'tool')[index]?.content;
