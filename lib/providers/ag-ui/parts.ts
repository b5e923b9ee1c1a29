import { pace } from '../../steps.js';
import { readMessage, withoutParts } from '../openai-chat/parts.js';
import { Reader } from '../shared/reader.js';
import { MEDIA, SILENT } from './recognise.js';
import { replaceText } from '../shared/write.js';
import type { Fields } from '../shared/shapes.js';
import type { FormatModule, Part } from '../../types.js';
import type { Dialect } from '../openai-chat/parts.js';

const AG_UI: Dialect = { calls: 'toolCalls', answers: 'toolCallId', media: MEDIA, nothing: '' };

/** `Message` of the AG-UI protocol, as CopilotKit and agents that speak it store them: chat completions in other names, and two roles more. */
const agUi: FormatModule = { reading, replace: replaceText, without, leads: (message?: Fields) => message?.role === 'reasoning' };

function* reading(messages: readonly Fields[]) {
  const reader = new Reader();
  for (const message of messages) {
    if (pace.isDue) yield;
    reader.start(message);
    const { role, content, error } = message;
    if (role === 'reasoning') reader.reasoning('assistant', [], reader.string(content, ['content']));
    // What the user sees of the agent's work is not sent to the model.
    else if (role === 'activity') reader.unsent('assistant', [], 'activity');
    else {
      readMessage(reader, message, AG_UI);
      if (role === 'tool') readError(reader, error, message.toolCallId);
    }
    readEncrypted(reader, message);
  }
  return reader.parts;
}

function readError(reader: Reader, error: unknown, callId: unknown) {
  if (error === undefined || error === null) return;
  reader.result(['error'], reader.string(error, ['error']), callId);
  for (const part of reader.parts.slice(reader.first)) if (part.kind === 'result') part.status = 'error';
}

/** Reads what an agent keeps of its reasoning, in the message or in the calls that it led to. These have to stay as they were. */
function readEncrypted(reader: Reader, { role, encryptedValue, toolCalls }: Fields) {
  if (role !== 'assistant' && role !== 'reasoning') return;
  const own = reader.parts.slice(reader.first);
  if (typeof encryptedValue === 'string') {
    for (const part of own) if (part.kind !== 'call') part.locked ??= 'encrypted reasoning';
    reader.reasoning('assistant', ['encryptedValue'], '');
  }
  if (!Array.isArray(toolCalls)) return;
  toolCalls.forEach((call: Fields | null, index) => {
    if (typeof call?.encryptedValue !== 'string') return;
    for (const part of own) if (part.kind === 'call' && part.path[1] === index) part.locked ??= 'encrypted reasoning';
    reader.reasoning('assistant', ['toolCalls', index, 'encryptedValue'], '');
  });
}

function without(message: Fields, parts: Part[]) {
  if (SILENT.has(message.role)) return undefined;
  // What a call's reasoning is encrypted in goes with the call.
  return withoutParts(
    message,
    parts.filter(({ kind, path }) => kind !== 'reasoning' || path.length === 1),
    AG_UI,
  );
}

export default agUi;
