import { hostedTexts, isEncrypted } from '../shared/documents.js';
import { holdsFile } from '../shared/files.js';
import { fileAs, structured } from '../shared/write.js';
import type { SdkPart } from '../shared/unsent.js';
import type { Part, Path, Status } from '../../types.js';
import type { Reader } from '../shared/reader.js';
import type { Fields } from '../shared/shapes.js';

/** Why a call and its result are not edited. */
export const BY_PROVIDER = 'executed by the provider';

/** What a result says to the model whose call the user denied without a reason. */
const DENIED = 'Tool call execution denied.';

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
}

/** What an adapter writes for a part of an output, where that is not its text. */
function sentOf({ path, text }: Part, type: string, { value, reason }: Fields, { adapter, to }: Reader): (() => string) | undefined {
  if (type === 'execution-denied') return reason == null ? () => DENIED : undefined;
  if (adapter?.wrapsErrors && type.startsWith('error')) return () => jsonOf({ error: value }) ?? text;
  if (adapter?.api === 'chat' && type === 'content') return () => itemOf(value as unknown[], path[4] as number) ?? text;
  // Google's takes a string as it is.
  return type === 'json' && typeof value === 'string' && to !== 'gemini' ? () => JSON.stringify(text) : undefined;
}

/** An item as it stands in the JSON of a list. */
function itemOf(list: readonly unknown[], index: number) {
  const json = jsonOf(list[index]);
  return json && `${index === 0 ? '[' : ','}${json}${index === list.length - 1 ? ']' : ''}`;
}

/** Undefined for what is no JSON. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
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
