// Writes an agent's work in every format, and reads it back with readers that share nothing with the package.
import { createHash } from 'node:crypto';
import { PreservedThinking } from '../support/providers/preserved-thinking.mjs';
import { Refusal } from '../support/providers/refusal.mjs';
import { sayIn } from '../support/transcripts.mjs';

/** Returns the messages of turns to append to a conversation. `serial` makes ids unique. */
export function say(format, turns, serial, system = null) {
  const messages = sayIn(format, { system, turns });
  const calls = turns.flatMap((turn) => turn.calls ?? []);
  const answered = calls.filter((call) => call.answered);
  let called = 0;
  let answers = 0;
  messages.forEach((message, index) => {
    if (/^openai-(responses|agents)$/.test(format) && message.id) message.id = `${message.id}_${serial}`;
    if (format === 'ai-sdk-ui' || format === 'mastra' || format === 'ag-ui') message.id = `${message.id}-${serial}`;
    if (format === 'message') Object.assign(message, { id: `m${serial}_${index}`, index: serial });
    if (format === 'langchain' && message.id) message.id = `${message.id}_${serial}`;
    if (format === 'gemini') {
      for (const { functionCall, functionResponse } of message.parts) {
        if (functionCall) functionCall.id = calls[called++].id;
        if (functionResponse) functionResponse.id = answered[answers++].id;
      }
    }
  });
  return messages;
}

const listOf = (content) => (typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []));
const parsed = (json) => {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
};

/** The parts of each message: `{ message, who, kind, text, id, name, value }` with kind text, call, result or other. */
export function contentsOf(format, messages) {
  return messages.flatMap((message, index) => READ[format](message).map((one) => ({ message: index, ...one })));
}

const text = (who, value) => ({ who, kind: 'text', value });
const call = (id, name, value) => ({ who: 'assistant', kind: 'call', id, name, value });
const result = (id, value) => ({ who: 'tool', kind: 'result', id, value });
const other = (who, value) => ({ who, kind: 'other', value });
/** Texts of blocks in a result, as one. */
const blocksOf = (content) => (typeof content === 'string' ? content : content.map((block) => block.text ?? block));

function chat({ role, content, tool_calls: calls, tool_call_id: id }) {
  if (role === 'tool') return [result(id, blocksOf(content))];
  const said = listOf(content).map((part) => (part.type === 'text' ? text(role, part.text) : other(role, part)));
  return [...said, ...(calls ?? []).map((one) => call(one.id, one.function.name, parsed(one.function.arguments)))];
}

const READ = {
  'openai-chat': chat,
  message: chat,
  'ag-ui': ({ toolCalls, toolCallId, ...message }) =>
    ['reasoning', 'activity'].includes(message.role)
      ? [other('assistant', message)]
      : chat({ ...message, tool_calls: toolCalls, tool_call_id: toolCallId }),
  'openai-responses'(item) {
    if (item.type === 'function_call') return [call(item.call_id, item.name, parsed(item.arguments))];
    if (item.type === 'function_call_output') return [result(item.call_id, blocksOf(item.output))];
    if (item.content === undefined) return [other('assistant', item)];
    return listOf(item.content).map((part) => (typeof part.text === 'string' ? text(item.role, part.text) : other(item.role, part)));
  },
  'openai-agents'(item) {
    if (item.type === 'function_call') return [call(item.callId, item.name, parsed(item.arguments))];
    if (item.type === 'function_call_result') {
      const { output } = item;
      const blocks = typeof output === 'string' || Array.isArray(output) ? output : [output];
      return [result(item.callId, output.type === 'text' ? output.text : blocksOf(blocks))];
    }
    if (item.role === undefined) return [other('assistant', item)];
    return listOf(item.content).map((part) => (typeof part.text === 'string' ? text(item.role, part.text) : other(item.role, part)));
  },
  anthropic: ({ role, content }) =>
    listOf(content).map((block) => {
      if (block.type === 'text') return text(role, block.text);
      if (block.type === 'tool_use') return call(block.id, block.name, block.input);
      if (block.type === 'tool_result') return result(block.tool_use_id, blocksOf(block.content ?? ''));
      return other(role, block);
    }),
  'ai-sdk-model': ({ role, content }) =>
    listOf(content).map((part) => {
      if (part.type === 'text') return text(role, part.text);
      if (part.type === 'tool-call') return call(part.toolCallId, part.toolName, part.input);
      if (part.type === 'tool-result')
        return result(part.toolCallId, part.output.type === 'content' ? blocksOf(part.output.value) : part.output.value);
      return other(role, part);
    }),
  'ai-sdk-ui': ({ role, parts }) =>
    parts.flatMap((part) => {
      if (part.type === 'text') return [text(role, part.text)];
      if (part.toolCallId) {
        const name = part.type.replace(/^tool-/, '');
        return [
          call(part.toolCallId, name, part.input),
          ...(part.state === 'input-available' ? [] : [result(part.toolCallId, part.errorText ?? part.output)]),
        ];
      }
      return [other(role, part)];
    }),
  mastra: ({ role, content }) =>
    content.parts.flatMap((part) => {
      if (part.type === 'text') return [text(role, part.text)];
      if (part.type !== 'tool-invocation') return [other(role, part)];
      const { toolCallId, toolName, args, state, ...end } = part.toolInvocation;
      return [call(toolCallId, toolName, args), ...(state === 'call' ? [] : [result(toolCallId, end.errorText ?? end.result)])];
    }),
  gemini: ({ role, parts }) =>
    parts.map((part) => {
      if (part.functionCall) return call(part.functionCall.id, part.functionCall.name, part.functionCall.args);
      if (part.functionResponse) {
        const { response } = part.functionResponse;
        const [key, ...more] = Object.keys(response);
        return result(part.functionResponse.id, more.length === 0 && /^(output|error)$/.test(key) ? response[key] : response);
      }
      const who = role === 'model' ? 'assistant' : 'user';
      return typeof part.text === 'string' && !part.thought ? text(who, part.text) : other(who, part);
    }),
  langchain(message) {
    if (message.type === 'tool') return [result(message.tool_call_id, blocksOf(message.content))];
    const who = { human: 'user', ai: 'assistant' }[message.type] ?? 'system';
    // A call in the content repeats the one in `tool_calls`.
    return [
      ...listOf(message.content)
        .filter(({ type }) => type !== 'tool_use')
        .map((part) => (part.type === 'text' ? text(who, part.text) : other(who, part))),
      ...(message.tool_calls ?? []).map((one) => call(one.id, one.name, one.args)),
    ];
  },
};

/** Calls that have no result yet. */
export function openCalls(format, messages) {
  const contents = contentsOf(format, messages);
  const answered = new Set(contents.flatMap(({ kind, id }) => (kind === 'result' ? [id] : [])));
  return contents.filter(({ kind, id }) => kind === 'call' && !answered.has(id));
}

// ---- Signed thinking ----------------------------------------------------------------------------------------------

/** A conversation as a list of items in order; `seal` is the path of an item's signature. */
function* things(format, messages) {
  for (const [index, message] of messages.entries()) {
    const rest = {
      ...(format === 'langchain'
        ? { type: message.type, tool_calls: message.tool_calls, tool_call_id: message.tool_call_id }
        : { role: message.role, tool_calls: message.tool_calls, tool_call_id: message.tool_call_id }),
    };
    const content =
      format === 'ai-sdk-ui'
        ? message.parts
        : format === 'mastra'
          ? message.content.parts
          : format === 'langchain' || format === 'ai-sdk-model'
            ? listOf(message.content)
            : listOf(message.content);
    for (const seal of message.reasoning_details ?? []) yield { index, value: seal, seal };
    for (const part of content) {
      if (part.type === 'step-start') continue;
      const seal = part.providerOptions?.anthropic ?? part.providerMetadata?.anthropic ?? (part.type === 'thinking' ? part : undefined);
      yield { index, value: { role: rest.role ?? rest.type, part }, seal };
    }
    yield { index, value: rest };
  }
}

/** Claude behind another SDK: it signs its thinking, and accepts it only after the content that it was signed over. */
class Seals {
  #issued = new Map();
  #count = 0;

  *#read(format, messages) {
    const hash = createHash('sha256');
    for (const { index, value, seal } of things(format, messages)) {
      if (seal?.signature !== undefined) yield { index, seal, before: hash.copy().digest('hex') };
      hash.update(JSON.stringify(value));
    }
  }

  /** Signs the messages from `from` on. */
  issue(format, messages, from) {
    for (const { index, seal } of things(format, messages)) {
      if (index >= from && seal?.signature !== undefined) seal.signature = `issued-${++this.#count}`;
    }
    for (const { index, seal, before } of this.#read(format, messages)) if (index >= from) this.#issued.set(seal.signature, before);
  }

  refusal(format, messages) {
    for (const { index, seal, before } of this.#read(format, messages)) {
      if (this.#issued.get(seal.signature) !== before)
        return `messages.${index}: signed thinking must stand behind exactly what it was generated for`;
    }
    return null;
  }
}

/**
 * Claude behind a format: `issue` returns the messages, signed from `from` on; `refusal` returns its objection to
 * messages, or null.
 */
export function sealsOf(format) {
  if (format !== 'anthropic') {
    const seals = new Seals();
    return {
      issue: (messages, from) => (seals.issue(format, messages, from), messages),
      refusal: (messages) => seals.refusal(format, messages),
    };
  }
  const preserved = new PreservedThinking();
  return {
    issue(messages, from) {
      const sent = messages.slice(0, from);
      for (const message of messages.slice(from)) sent.push(preserved.answer(sent, message));
      return sent;
    },
    refusal(messages) {
      try {
        preserved.check({ messages });
        return null;
      } catch (error) {
        if (error instanceof Refusal) return error.message;
        throw error;
      }
    },
  };
}
