import { isObject } from '../../checks.js';
// Mastra's stored messages: what its `MessageList` throws for, and what a provider refuses of the prompt that it makes of them. Calls without
// results it leaves out itself.

import { isText, show } from '../shared/shapes.js';
import type { Fields } from '../shared/shapes.js';
import type { Path } from '../../types.js';
import type { Problems } from '../shared/problems.js';

const ROLES = new Set<unknown>(['system', 'user', 'assistant', 'signal']);
/** States of a call that is sent. */
const ANSWERED = new Set<unknown>(['result', 'output-error', 'output-denied']);

export function check(messages: readonly unknown[], problems: Problems) {
  let isAnySent = false;
  for (const [index, { role, content }] of problems.objects(messages)) {
    if (!ROLES.has(role)) problems.add('unknown-role', [index, 'role'], `there is no role ${show(role)}`);
    else if (!isObject(content) || !Array.isArray(content.parts))
      problems.add('content-shape', [index, 'content'], 'the content has to be an object with an array of parts');
    else if (checkParts(content.parts, role, [index, 'content', 'parts'], problems)) isAnySent = true;
  }
  if (!isAnySent) problems.add('no-messages', [], 'the messages hold nothing that is sent');
}

type Part = (Fields & { toolInvocation?: Fields | null }) | null | undefined;

/** Returns whether something of the parts is sent. */
function checkParts(parts: Part[], role: unknown, at: Path, problems: Problems) {
  const called = new Set<string>(); // in the present step
  let isSent = false;
  parts.forEach((part, index) => {
    const path = [...at, index];
    // Mastra passes holes over.
    if (part === null || part === undefined) return;
    const { toolInvocation: tool } = part;
    if (!isText(part.type)) return problems.add('content-shape', path, 'a part has to be an object with a type');
    if (part.type === 'step-start') called.clear();
    else if (part.type === 'text' && typeof part.text !== 'string')
      problems.add('content-shape', [...path, 'text'], `the text of a part has to be a string, not ${show(part.text)}`);
    else if (part.type === 'text' || part.type === 'file') isSent = true;
    else if (part.type === 'tool-invocation' && role === 'assistant' && tool && ANSWERED.has(tool.state)) {
      checkCall(tool, [...path, 'toolInvocation'], called, problems);
      isSent = true;
    }
  });
  // What the system says is in the instructions of an agent, not in its memory.
  return isSent && role !== 'system';
}

function checkCall({ toolCallId: id, toolName, args }: Fields, path: Path, called: Set<string>, problems: Problems) {
  if (!isText(id)) problems.add('tool-call-shape', path, `the toolCallId of a call has to be a text, not ${show(id)}`);
  else if (called.has(id)) problems.add('duplicate-tool-call', path, `a second call has the id ${show(id)}`);
  else called.add(id);
  if (!isText(toolName)) problems.add('tool-call-shape', path, `a call has to name its tool, not ${show(toolName)}`);
  if (!isObject(args)) problems.add('arguments-not-object', [...path, 'args'], `the arguments have to be an object, not ${show(args)}`);
}
