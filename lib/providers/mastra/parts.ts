import { isObject } from '../../checks.js';
import { pace } from '../../steps.js';
import aiSdkUi from '../ai-sdk-ui/parts.js';
import { copyOf } from '../shared/copy.js';
import { Reader } from '../shared/reader.js';
import { readBody } from '../ai-sdk-ui/blocks.js';
import type { Fields } from '../shared/shapes.js';
import type { FormatModule, Part, Role } from '../../types.js';

/** A signal is sent as a message of the user. */
const ROLES = new Map(Object.entries({ system: 'system', user: 'user', assistant: 'assistant', signal: 'user' })) as Map<unknown, Role>;

/** `MastraDBMessage`, as Mastra's memory stores it: with `content.format` 2, and in it the parts of a UI message of the AI SDK 4. */
const mastra: FormatModule = { reading, replace, without };

function* reading(messages: readonly Fields[]) {
  const reader = new Reader();
  for (const message of messages) {
    if (pace.isDue) yield;
    reader.start(message);
    const role = ROLES.get(message.role);
    if (role !== undefined) readBody(reader, role, reader.object(message.content, ['content']), ['content']);
    else reader.roleless(message.role);
    reader.end(role ?? 'user', ['content', 'parts']);
  }
  return reader.parts;
}

/** A part as the UI message in `content` has it. */
const inContent = (part: Part) => ({ ...part, path: part.path.slice(1) });

function replace({ content }: Fields, part: Part, text: string): ReturnType<FormatModule['replace']> {
  return aiSdkUi.replace(content, inContent(part), text).map(({ path, value }) => ({ path: ['content', ...path], value }));
}

function without(message: Fields, parts: Part[]) {
  // A message of an unknown role may have any content.
  const content: unknown = isObject(message.content) ? aiSdkUi.without(message.content, parts.map(inContent)) : undefined;
  return content === undefined ? undefined : Object.assign(copyOf(message), { content });
}

export default mastra;
