import { hostedTexts, isEncrypted } from '../shared/documents.js';
import { itemOf, jsonOf } from '../shared/json.js';
import { holdsFile, mediaTypeIn } from '../shared/files.js';
import { fileAs, structured } from '../shared/write.js';
import type { SdkPart } from '../shared/unsent.js';
import type { Adapter, Part, Path, Status } from '../../types.js';
import type { Reader } from '../shared/reader.js';
import type { Fields } from '../shared/shapes.js';

type Api = Adapter['api'] | undefined;

/** Why a call and its result are not edited. */
export const BY_PROVIDER = 'executed by the provider';

/** What a result says to the model whose call the user denied without a reason. */
const DENIED = 'Tool call execution denied.';

/** What `@ai-sdk/google` writes beside the files of a result. */
const GAVE_FILES = 'Tool executed successfully.';
const gaveFile = (what: 'image' | 'file') => `Tool executed successfully and returned this ${what} as a response`;

const FILES = /^(media|image|file|audio|video)\b/;

/** Reads the output of an AI SDK `tool-result`: typed as `{ type, value }` from version 5 on, a plain `result` before. */
export function readToolResult(reader: Reader, part: SdkPart, path: Path, locked: string | undefined) {
  const { output, toolCallId: id } = part;
  if (output === undefined) {
    const status = typeof part.isError === 'boolean' ? (part.isError ? 'error' : 'ok') : undefined;
    const at = [...path, 'result'];
    return reader.result(at, reader.shown(part.result, at), id, status, locked);
  }
  const given = reader.object(output as unknown, [...path, 'output']);
  const type = reader.string(given.type, [...path, 'output', 'type']);
  const at = [...path, 'output', 'value'];
  const status = type.startsWith('error') ? 'error' : 'ok';
  const first = reader.parts.length;
  if (type === 'text' || type === 'error-text') reader.result(at, reader.string(given.value, at), id, status, locked);
  else if (locked === BY_PROVIDER && readHosted(reader, given.value, at, id, status)) return;
  else if (type === 'json' || type === 'error-json') reader.result(at, reader.shown(given.value, at), id, status, locked);
  else if (type === 'execution-denied')
    reader.result([...path, 'output'], reader.string(given.reason ?? '', path, 'output', 'reason'), id, undefined, 'execution denied');
  else if (type === 'content') readContent(reader, reader.array(given.value, at), at, id, locked);
  else reader.answers(reader.known('tool', path, `output of type ${type}`), id);
  if (locked === BY_PROVIDER) return;
  for (const one of reader.parts.slice(first)) {
    const sent = sentOf(one, type, given, reader);
    if (sent !== undefined) one.sent = sent;
  }
  if (type === 'content') noteBeside(reader.parts.slice(first), given.value as Fields[], reader.adapter?.api);
}

/** What an adapter writes for a part of an output, where that is not its text. */
function sentOf({ path, text }: Part, type: string, { value, reason }: Fields, { adapter, to }: Reader): (() => string) | undefined {
  if (type === 'execution-denied') return reason == null ? () => DENIED : undefined;
  if (adapter?.wrapsErrors && type.startsWith('error')) return () => jsonOf({ error: value }) ?? text;
  if (adapter?.api === 'chat' && type === 'content') return () => itemOf(value as unknown[], path[4] as number) ?? text;
  if (isGoogle(adapter?.api) && type === 'content') {
    const item = (value as Fields[])[path[4] as number];
    return isText(item) || isInline(item, adapter?.api) ? undefined : () => jsonOf(item) ?? text;
  }
  // Google's takes a string as it is.
  return type === 'json' && typeof value === 'string' && to !== 'gemini' ? () => JSON.stringify(text) : undefined;
}

const isGoogle = (api: Api) => api === 'gemini-2' || api === 'gemini-3';
const isText = (item: Fields | undefined) => item === undefined || item.type === 'text';

/** Whether an item goes to Google as a file: its data are there. What is only referred to goes as JSON. */
function isInline({ type, data }: Fields, api: Api) {
  if (type !== 'file') return type === 'media' || type === 'image-data' || type === 'file-data';
  const { type: held, url } = (data ?? {}) as Fields;
  return held === 'data' || (held === 'url' && api === 'gemini-3' && String(url).startsWith('data:'));
}

/** Notes what Google's adapter writes beside the items of a result: the id once more, or what stands for a text where there is none. */
function noteBeside(parts: readonly Part[], items: readonly Fields[], api: Api) {
  if (!isGoogle(api)) return;
  const itemOf = ({ path }: Part) => items[path[4] as number];
  if (api === 'gemini-3') {
    if (items.every((item) => isInline(item, api))) parts[0].beside = GAVE_FILES;
    return;
  }
  const [, ...laterTexts] = parts.filter((part) => isText(itemOf(part)));
  for (const part of laterTexts) if (part.callId !== undefined) part.beside = part.callId;
  for (const part of parts) {
    const item = itemOf(part);
    if (!isText(item) && isInline(item, api)) part.beside = gaveFile(/^image\b/.test(mediaTypeIn(item) ?? 'image') ? 'image' : 'file');
  }
}

/**
 * Reads what a tool gave that ran at the provider: the texts that the SDK sends back to Anthropic or Google may be changed. OpenAI gets the id of
 * its own result, or nothing.
 *
 * @param locked why not, if it is so
 * @returns false if it has neither such texts nor files, and nothing of it is encrypted
 */
export function readHosted(
  reader: Reader,
  output: unknown,
  at: Path,
  id: unknown,
  status: Status | undefined,
  locked?: string | undefined,
) {
  const texts = hostedTexts(output);
  for (const { path, text, locked: why } of texts) reader.result([...at, ...path], text, id, status, locked ?? why);
  if (texts.length > 0) return true;
  if (!holdsFile(output) && !isEncrypted(output)) return false;
  reader.answers(reader.known('tool', at, BY_PROVIDER), id);
  return true;
}

function readContent(reader: Reader, items: readonly Fields[], at: Path, id: unknown, locked?: string) {
  items.forEach((item, index) => {
    const path = [...at, index];
    const type = reader.string(reader.object(item, path).type, [...path, 'type']);
    if (type === 'text') reader.result([...path, 'text'], reader.string(item.text, [...path, 'text']), id, 'ok', locked);
    else if (FILES.test(type)) reader.resultFile(path, item, id, 'ok', locked);
    else reader.answers(reader.known('tool', path, `content of type ${type}`), id);
  });
  if (items.length === 0) reader.result(at, '', id, 'ok', locked ?? 'no content');
}

/** Returns the values that a text edit of a result sets; an object stays an object. */
export function replaceResult(part: Part, before: unknown, text: string) {
  return [{ path: part.path, value: fileAs(part, before, text) ?? structured(before, text) }];
}
