import { isObject } from '../../checks.js';
import { mediaTypeIn } from './files.js';
import { isText } from './shapes.js';
import type { Path, Role } from '../../types.js';
import type { Typed } from './files.js';
import type { Reader } from './reader.js';
import type { Fields } from './shapes.js';

/** Texts with their places in a value. */
export interface Texts {
  path: Path;
  text: string;
  /** why it may not be changed */
  locked?: string;
}

interface Document {
  source?: unknown;
  citations?: { enabled?: unknown } | null;
  title?: unknown;
  context?: unknown;
}

/**
 * The texts of a document of Anthropic's: its source is a text, or a list of blocks. Answers cite a document with `citations` by the place of
 * characters or blocks, and quote them: it stays as it is.
 *
 * @returns undefined for a file, or a document that can be cited
 */
export function documentTexts({ source, citations, title, context }: Document): Texts[] | undefined {
  if (!isObject(source) || citations?.enabled === true) return undefined;
  const texts = sourceTexts(source);
  if (texts === undefined) return undefined;
  if (isText(context)) texts.unshift({ path: ['context'], text: context });
  if (isText(title)) texts.unshift({ path: ['title'], text: title, locked: 'title of a document' });
  return texts;
}

function sourceTexts({ type, data, content }: Fields): Texts[] | undefined {
  if (type === 'text' && typeof data === 'string') return [{ path: ['source', 'data'], text: data }];
  if (type !== 'content') return undefined;
  if (typeof content === 'string') return [{ path: ['source', 'content'], text: content }];
  const isOfTexts =
    Array.isArray(content) && content.length > 0 && content.every((block: Fields | null) => typeof block?.text === 'string');
  return isOfTexts ? content.map(({ text }: { text: string }, index) => ({ path: ['source', 'content', index, 'text'], text })) : undefined;
}

/** Members with the texts of a result that is an object: what code wrote, a file that was viewed, an advisor's answer. */
const RESULT_TEXTS = ['stdout', 'stderr', 'content', 'text'];

/**
 * The texts in what a tool gave that ran at Anthropic: of code, a fetched page, an advisor or MCP; or code at Google, as the AI SDK has it. What is
 * encrypted stands elsewhere.
 *
 * @param content of the result, an object or a list of blocks
 * @returns none if there are others than texts
 */
export function hostedTexts(content: unknown): Texts[] {
  if (Array.isArray(content)) {
    if (content.some((block: Fields | null) => block?.type !== 'text' || typeof block.text !== 'string')) return [];
    return content.map(({ text }: { text: string }, index) => ({ path: [index, 'text'], text }));
  }
  if (!isObject(content)) return [];
  const keys = typeof content.outcome === 'string' ? ['output'] : RESULT_TEXTS;
  const found = keys.filter((key) => typeof content[key] === 'string' && content[key] !== '');
  const texts: Texts[] = found.map((key) => ({ path: [key], text: content[key] as string }));
  const document = isObject(content.content) ? documentTexts(content.content) : undefined;
  for (const inner of document ?? []) texts.push({ ...inner, path: ['content', ...inner.path] });
  return texts;
}

/** Whether a result, or one of several, has something encrypted: a page that Claude's search found, or what code wrote. */
export const isEncrypted = (content: unknown) =>
  [content].flat().some((one) => isObject(one) && Object.keys(one).some((key) => key.startsWith('encrypted')));

/** A file of the AI SDK's. */
interface File extends Typed {
  type?: unknown;
  filename?: unknown;
  providerOptions?: Options;
  providerMetadata?: Options;
}
type Options = { anthropic?: Pick<Document, 'title' | 'context'> } | null;

/** Reads what the AI SDK sends Claude beside the content of a document: its title or file name, and its context. */
export function readTold(reader: Reader, role: Role, part: File, path: Path) {
  if (role !== 'user' || part.type !== 'file' || reader.to !== 'anthropic' || mediaTypeIn(part)?.startsWith('image')) return;
  const key = part.providerOptions === undefined ? 'providerMetadata' : 'providerOptions';
  const { title, context } = part[key]?.anthropic ?? {};
  const name = title ?? part.filename;
  const at = title === undefined ? ['filename'] : [key, 'anthropic', 'title'];
  if (isText(name)) reader.document(role, [...path, ...at], name, 'title of a document');
  if (isText(context)) reader.document(role, [...path, key, 'anthropic', 'context'], context);
}
