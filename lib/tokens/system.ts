import { checkArray, checkString, hasMembers, mismatch } from '../checks.js';
import { wordOf } from '../providers/shared/shape.js';

const ROLES = new Set<unknown>(['system', 'developer']);
const TEXTS = new Set<unknown>([undefined, 'text', 'input_text']);

/**
 * Reads the system prompts that are sent beside the messages, each as its texts. Blocks and parts without a message around them are one prompt.
 *
 * @param system a string, Anthropic's text blocks, Gemini's `systemInstruction` (a `Content`, its parts, or one of them),
 * `instructions` of the AI SDK (system messages), or LangChain's `SystemMessage`
 * @param name what errors call it: `fit(): options.system`
 * @returns none where nothing is given
 * @throws {TypeError} it is none of these; the place is named
 */
export function systemPrompts(system: unknown, name: string): string[][] {
  if (system === undefined || system === null) return [];
  if (!Array.isArray(system)) return [messageTexts(system, name) ?? [textOf(system, name)]];
  const messages: string[][] = [];
  const loose: string[] = [];
  // `entries` sees holes too.
  for (const [index, item] of (system as unknown[]).entries()) {
    const at = `${name}[${index}]`;
    const texts = messageTexts(item, at);
    if (texts === undefined) loose.push(textOf(item, at));
    else messages.push(texts);
  }
  return loose.length > 0 ? [loose, ...messages] : messages;
}

/** The texts of a system message, or undefined where the value is none. */
function messageTexts(value: unknown, at: string) {
  if (!hasMembers(value)) return undefined;
  if (typeof value.getType === 'function' || typeof value._getType === 'function') {
    const typed = value as { getType?(): unknown; _getType(): unknown };
    const type = typeof typed.getType === 'function' ? typed.getType() : typed._getType();
    if (!ROLES.has(type)) throw new TypeError(`${at} must be a system message, got one of type ${wordOf(type)}`);
    return textsOf(value.content, `${at}.content`);
  }
  if (value.parts !== undefined) {
    checkArray(`${at}.parts`, value.parts);
    return textsOf(value.parts, `${at}.parts`);
  }
  if (value.content === undefined) return undefined;
  if (!ROLES.has(value.role)) throw new TypeError(`${at}.role must be 'system' or 'developer', got ${wordOf(value.role)}`);
  return textsOf(value.content, `${at}.content`);
}

function textsOf(content: unknown, at: string) {
  if (typeof content === 'string') return [content];
  checkArray(at, content, 'texts or a string');
  return Array.from(content, (part, index) => textOf(part, `${at}[${index}]`));
}

function textOf(part: unknown, at: string) {
  if (typeof part === 'string') return part;
  if (!hasMembers(part) || Array.isArray(part) || (part.type ?? part.text) === undefined)
    throw mismatch(at, 'a string, a block with a text or a system message', part);
  if (!TEXTS.has(part.type)) throw new TypeError(`${at}.type must be 'text', got ${wordOf(part.type)}`);
  checkString(`${at}.text`, part.text);
  return part.text;
}
