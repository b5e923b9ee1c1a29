// LangChain messages: instances, or what LangChain makes instances of (`{ role, content }`, `[role, content]`, a text,
// serialised messages). Whatever the provider, its own package makes the wire format of them, where calls and results pair.

import { isCachePoint } from './recognise.js';
import { Pairs } from '../shared/pairs.js';
import { isObject } from '../../checks.js';
import { isJsonObject, isText, show } from '../shared/shapes.js';
import type { Path } from '../../types.js';
import type { Problems } from '../shared/problems.js';

/** LangChain's name of a type → ours. */
const TYPES: ReadonlyMap<unknown, string> = new Map([
  ['human', 'user'],
  ['user', 'user'],
  ['ai', 'assistant'],
  ['assistant', 'assistant'],
  ['system', 'system'],
  ['developer', 'system'],
  ['tool', 'tool'],
  ['function', 'function'],
  ['generic', 'generic'], // ChatMessage, with a role of its own
]);
/** LangChain makes no instances of these types: it has to be given them. */
const ONLY_INSTANCES: ReadonlySet<unknown> = new Set(['function', 'generic']);

/** What stands for a message: its type, and where its members are. */
interface Read {
  type: unknown;
  fields: Record<string, unknown>;
  under: Path;
  isPair?: boolean;
  isInstance?: boolean;
}

/** Returns the type, the fields and their path for any value that LangChain accepts as a message; undefined for others. */
function read(message: unknown): Read | undefined {
  if (typeof message === 'string') return { type: 'human', fields: { content: message }, under: [] };
  if (Array.isArray(message)) return { type: message[0], fields: { content: message[1] }, under: [], isPair: true };
  if (!isObject(message)) return undefined;
  if (typeof message._getType === 'function')
    return { type: message.type ?? message._getType(), fields: message, under: [], isInstance: true };
  if (message.lc === 1 && Array.isArray(message.id) && isObject(message.kwargs)) {
    const name: unknown = message.id.at(-1);
    const [, type] = (typeof name === 'string' && /^(\w+?)Message(?:Chunk)?$/.exec(name)) || [];
    return { type: type?.toLowerCase(), fields: message.kwargs, under: ['kwargs'] };
  }
  return { type: typeof message.role === 'string' ? message.role : message.type, fields: message, under: [] };
}

/** Checks a call in LangChain's shape, or in OpenAI's, which LangChain converts. */
function checkCall(call: unknown, path: Path, problems: Problems, pairs: Pairs) {
  if (!isObject(call)) return problems.add('tool-call-shape', path, `a call has to be an object, not ${show(call)}`);
  if (isText(call.id)) pairs.call(call.id as string, path);
  else problems.add('tool-call-shape', path, `the id of a call has to be a text, not ${show(call.id)}`);
  const called = call.function as Record<string, unknown> | null | undefined;
  const name = call.name ?? called?.name;
  if (!isText(name)) problems.add('tool-call-shape', path, `a call has to name its tool, not ${show(name)}`);
  if (!(isObject(called) ? isJsonObject(called.arguments) : isObject(call.args))) {
    problems.add('arguments-not-object', path, `the arguments of ${show(name)} are no object`);
  }
}

function checkContent(content: unknown, path: Path, problems: Problems) {
  if (typeof content === 'string') return;
  if (!Array.isArray(content)) {
    return problems.add('content-shape', path, `content has to be a string or an array of blocks, not ${show(content)}`);
  }
  content.forEach((block: unknown, position) => {
    if (typeof block !== 'string' && !isCachePoint(block) && (!isObject(block) || !isText(block.type))) {
      problems.add('content-shape', [...path, position], 'a block has to be an object with a type');
    }
  });
}

export function check(messages: readonly unknown[], problems: Problems) {
  const pairs = new Pairs(problems);
  for (let index = 0; index < messages.length; index++) {
    const message = read(messages[index]);
    if (message === undefined) {
      problems.add('message-shape', [index], `it stands for no message: ${show(messages[index])}`);
      continue;
    }
    const { fields, under, isPair, isInstance } = message;
    const type = isInstance || !ONLY_INSTANCES.has(message.type) ? TYPES.get(message.type) : undefined;
    if (type !== 'tool') pairs.close('tool-call-without-result');
    if (type === undefined) {
      problems.add('unknown-role', [index], `there is no message of the type ${show(message.type)}`);
      continue;
    }
    const { tool_calls: calls, tool_call_id: id } = fields;
    // Without content there has to be a call; LangChain itself makes an empty text of it.
    if (type !== 'assistant' || fields.content != null)
      checkContent(fields.content, isPair ? [index, 1] : [index, ...under, 'content'], problems);
    if (type === 'assistant' && Array.isArray(calls)) {
      calls.forEach((call, position) => checkCall(call, [index, ...under, 'tool_calls', position], problems, pairs));
    } else if (type === 'tool') {
      if (isText(id)) pairs.answer(id as string, [index]);
      else
        problems.add(
          'tool-result-shape',
          isPair ? [index] : [index, ...under, 'tool_call_id'],
          `a tool message has to name the call it answers, not ${show(id)}`,
        );
    }
  }
  pairs.close('tool-call-at-end');
}
