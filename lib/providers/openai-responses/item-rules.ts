import { isObject } from '../../checks.js';
// A flat list of items, as the Responses API and OpenAI's Agents SDK have it: a call and its output have the same id, in any place.

import { Pairs } from '../shared/pairs.js';
import { isFunctionName, isJsonObject, isText, show } from '../shared/shapes.js';
import type { Fields } from '../shared/shapes.js';
import type { Path } from '../../types.js';
import type { RuleName } from '../shared/rules.js';
import type { Problems } from '../shared/problems.js';

/** How one of them writes items. */
export interface Dialect {
  roles: Set<unknown>;
  /** type of the item that answers a call → type of the call */
  callOf: Map<unknown, string>;
  /** key of a call's id */
  callId: string;
  /** the id of the call that an output answers */
  answered: (item: Fields) => unknown;
  /** key of the summary of reasoning */
  summary: string;
  /** whether there may be items of a type */
  isItem: (type: string) => boolean;
  /** whether an item can't follow reasoning: the caller's messages, and results */
  isInput: (item: Fields) => boolean;
  /** of a message with a known role */
  checkContent: (item: Fields, index: number, problems: Problems) => void;
  /** of a call */
  checkOutput: (item: Fields, index: number, problems: Problems) => void;
}

export const isMessage = ({ type }: { type?: unknown }) => type === undefined || type === 'message';

const LONGEST = 64; // characters of a function's name and of a call's id

const TEXT_PARTS = new Set(['input_text', 'output_text']);

/** @param holder what errors call what holds them */
export function checkParts(
  parts: unknown,
  isWrong: (type: string) => boolean,
  holder: string,
  path: Path,
  problems: Problems,
  rule: RuleName = 'content-shape',
) {
  if (!Array.isArray(parts)) return problems.add(rule, path, `it has to be a string or an array of parts, not ${show(parts)}`);
  parts.forEach((part: unknown, index) => {
    const at = [...path, index];
    if (!isObject(part) || !isText(part.type)) problems.add(rule, at, 'a part has to be an object with a type');
    else if (isWrong(part.type)) problems.add('part-role', at, `${holder} can't hold ${show(part.type)}`);
    else if (TEXT_PARTS.has(part.type) && typeof part.text !== 'string') {
      problems.add(rule, [...at, 'text'], `the text of a part has to be a string, not ${show(part.text)}`);
    }
  });
}

function checkCall({ callId }: Dialect, item: Fields, index: number, problems: Problems, pairs: Pairs) {
  const id = item[callId];
  if (isText(id)) pairs.call(`${item.type} ${id}`, [index]);
  else problems.add('tool-call-shape', [index, callId], `a call has to have a ${callId}, not ${show(id)}`);
  if (isText(id) && id.length > LONGEST) problems.add('call-id-length', [index, callId], `this one has ${id.length}`);
  if (item.type !== 'function_call' && item.type !== 'custom_tool_call') return;
  if (!isText(item.name)) problems.add('tool-call-shape', [index, 'name'], 'a call has to name its function');
  else if (!isFunctionName(item.name, LONGEST))
    problems.add('function-name', [index, 'name'], `there can't be a function ${show(item.name)}`);
  if (item.type === 'custom_tool_call') {
    if (typeof item.input !== 'string') problems.add('tool-call-shape', [index, 'input'], 'the input of a custom call has to be a string');
  } else if (!isJsonObject(item.arguments)) {
    problems.add('arguments-not-object', [index, 'arguments'], `the arguments of ${show(item.name)} are no JSON object`);
  }
}

function checkOutput(
  { callOf, callId, answered, checkOutput: check }: Dialect,
  item: Fields,
  index: number,
  problems: Problems,
  pairs: Pairs,
) {
  const id = answered(item);
  if (isText(id)) pairs.answer(`${callOf.get(item.type)} ${id}`, [index]);
  else problems.add('tool-result-shape', [index, callId], `an output has to name the call it answers, not ${show(id)}`);
  check(item, index, problems);
}

/** Checks that an item of the model follows reasoning; several reasoning items may come together. */
function checkReasoning({ summary, isInput }: Dialect, items: readonly unknown[], item: Fields, index: number, problems: Problems) {
  if (!Array.isArray(item[summary])) {
    problems.add('reasoning-summary', [index, summary], `the summary has to be an array, if an empty one, not ${show(item[summary])}`);
  }
  const next = items[index + 1];
  // The user interrupted the model while it was thinking. The provider looks for the item only where it has stored the reasoning.
  const isEncrypted = isText(item.encrypted_content ?? (item.providerData as Fields | null | undefined)?.encrypted_content);
  if (isEncrypted && isObject(next) && isMessage(next)) return;
  if (index + 1 === items.length || (isObject(next) && isInput(next))) {
    problems.add('reasoning-without-item', [index], `nothing that the model did follows the reasoning ${show(item.id)}`);
  }
}

/** Returns the validator of a dialect. */
export function checker(dialect: Dialect) {
  const { callOf, roles, isItem } = dialect;
  const calls = new Set<unknown>(callOf.values());

  return function check(items: readonly unknown[], problems: Problems) {
    const pairs = new Pairs(problems);
    const ids = new Set();
    let lastInput = -1; // the last message that isn't the model's
    for (let index = 0; index < items.length; index++) {
      const item = items[index];
      if (!isObject(item) || (item.type !== undefined && !(isText(item.type) && isItem(item.type)))) {
        problems.add(
          'message-shape',
          [index],
          isObject(item) ? `no item has the type ${show(item.type)}` : `an item has to be an object, not ${show(item)}`,
        );
        continue;
      }
      const { type, id, role } = item;
      if (isText(id) && type !== 'item_reference' && !callOf.has(type)) {
        if (ids.has(id)) problems.add('duplicate-item', [index, 'id'], `an item before it has the id ${show(id)}`);
        ids.add(id);
      }
      if (isMessage(item)) {
        if (roles.has(role)) dialect.checkContent(item, index, problems);
        else problems.add('unknown-role', [index, 'role'], `there is no role ${show(role)}`);
        if (role !== 'assistant') lastInput = index;
      } else if (calls.has(type)) checkCall(dialect, item, index, problems, pairs);
      else if (callOf.has(type)) checkOutput(dialect, item, index, problems, pairs);
      else if (type === 'reasoning') checkReasoning(dialect, items, item, index, problems);
    }
    pairs.close(([index]) => (Number(index) < lastInput ? 'tool-call-without-result' : 'tool-call-at-end'));
  };
}
