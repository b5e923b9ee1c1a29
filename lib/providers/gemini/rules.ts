import { isObject } from '../../checks.js';
// Gemini contents: the responses to all calls of a turn stand in the content directly behind it, as many as there are calls.

import { isText, show } from '../shared/shapes.js';
import { bothOf, memberOf, spelled } from './spelling.js';
import type { Fields } from '../shared/shapes.js';
import type { Path } from '../../types.js';
import type { Problems } from '../shared/problems.js';

/** A content without a role is the user's. */
/** What the provider ran in a turn of the model. */
const HOSTED = ['executableCode', 'codeExecutionResult', 'toolCall', 'toolResponse'] as const;

const ROLES = new Set<unknown>([undefined, 'user', 'model', 'function']);

/**
 * Keys of a part's properties, and keys of other objects. Any other key is the part's content, because there may be new
 * kinds.
 */
const NO_DATA = new Set([
  'thought',
  ...bothOf('thoughtSignature', 'videoMetadata', 'mediaResolution', 'partMetadata'),
  'role',
  'parts',
  'content',
  'type',
  'id',
  'name',
  'args',
  'response',
]);

function checkCall(call: unknown, path: Path, problems: Problems) {
  if (!isObject(call) || !isText(call.name)) return problems.add('tool-call-shape', path, 'a functionCall has to name its function');
  if (call.args != null && !isObject(call.args)) {
    problems.add('arguments-not-object', [...path, 'args'], `the args of ${show(call.name)} have to be an object, not ${show(call.args)}`);
  }
}

function checkResponse(response: unknown, path: Path, problems: Problems) {
  if (!isObject(response) || !isText(response.name)) {
    return problems.add('tool-result-shape', path, 'a functionResponse has to name its function');
  }
  if (!isObject(response.response)) {
    problems.add(
      'tool-result-shape',
      [...path, 'response'],
      `the response of ${show(response.name)} has to be an object, not ${show(response.response)}`,
    );
  }
}

function checkPart(part: unknown, role: unknown, path: Path, problems: Problems) {
  if (!isObject(part)) return problems.add('content-shape', path, `a part has to be an object, not ${show(part)}`);
  const signature = memberOf(part, 'thoughtSignature');
  if (signature != null && !isText(signature)) {
    problems.add('thought-signature', [...path, spelled(part, 'thoughtSignature')], `a signature is a text, not ${show(signature)}`);
  }
  if (!Object.keys(part).some((key) => !NO_DATA.has(key))) return problems.add('content-shape', path, 'the part holds nothing');
  if (part.text != null && typeof part.text !== 'string') {
    problems.add('content-shape', [...path, 'text'], `the text of a part has to be a string, not ${show(part.text)}`);
  }
  const [call, response] = [memberOf(part, 'functionCall'), memberOf(part, 'functionResponse')];
  if (call != null) {
    if (role === 'model') checkCall(call, [...path, spelled(part, 'functionCall')], problems);
    else problems.add('part-role', path, 'only a model content can hold a functionCall');
  }
  const hosted = role === 'model' ? undefined : HOSTED.find((name) => memberOf(part, name) != null);
  if (hosted !== undefined) problems.add('part-role', path, `only a model content can hold ${hosted}`);
  if (response != null) {
    if (role !== 'model') checkResponse(response, [...path, spelled(part, 'functionResponse')], problems);
    else problems.add('part-role', path, "a model content can't hold a functionResponse");
  }
}

/** Checks the parts of a content and returns them, in an array even if it has none. */
function partsOf(content: Fields, index: number, problems: Problems): { part: Fields; path: Path }[] {
  const path = [index, 'parts'];
  const { parts, role } = content;
  if (!Array.isArray(parts)) {
    problems.add('content-shape', path, `parts has to be an array, not ${show(parts)}`);
    return [];
  }
  if (parts.length === 0) problems.add('empty-content', path, 'a content has to have a part');
  parts.forEach((part: unknown, position) => checkPart(part, role, [...path, position], problems));
  return parts.map((part: Fields, position) => ({ part, path: [...path, position] })).filter(({ part }) => isObject(part));
}

type Named = { name?: unknown; id?: unknown } | null | undefined;
interface Call {
  path: Path;
  call: Named;
  signed: boolean;
}
interface Response {
  path: Path;
  response: Named;
}

/** Compares the calls of a model content with the responses in the content behind it, which may have none of either. */
function checkPairs(calls: Call[], responses: Response[], problems: Problems) {
  if (responses.length !== calls.length && responses.length > 0 && calls.length > 0) {
    const path = responses[0].path.slice(0, 1);
    return problems.add('function-response-count', path, `${responses.length} responses follow ${calls.length} calls`);
  }
  for (const { path, call } of responses.length === 0 ? calls : []) {
    problems.add('tool-call-without-result', path, `no response follows the call of ${show(call?.name)}`);
  }
  const ids = new Set(calls.map(({ call }) => call?.id));
  for (const { path, response } of responses) {
    if (calls.length === 0) problems.add('tool-result-without-call', path, `no call precedes the response of ${show(response?.name)}`);
    else if (isText(response?.id) && !ids.has(undefined) && !ids.has(response.id)) {
      problems.add('tool-result-without-call', path, `no call before it has the id ${show(response.id)}`);
    }
  }
}

/** Models that sign their calls. */
const SIGNING = /(?:^|\/)gemini-3(?:$|[.-])/;

/**
 * Gemini 3 signs the first call of each step, and wants the signatures of the current turn back. The turn starts with the newest user content
 * that holds standard content, such as text, even if it also gives responses (https://ai.google.dev/gemini-api/docs/thought-signatures).
 */
function checkSignatures(steps: Call[][], problems: Problems, model?: string | null) {
  const isSigning = SIGNING.test(model ?? '');
  // The calls of a model that signs none.
  if (!isSigning && !steps.some((calls) => calls.some(({ signed }) => signed))) return;
  const current = steps.slice(steps.findLastIndex((calls) => calls.length === 0) + 1);
  for (const [first] of current) {
    if (!first.signed) problems.add('thought-signature', first.path, `the call of ${show(first.call?.name)} has lost its signature`);
  }
}

/** @param model name of the model that the request goes to, if it is known */
export function check(contents: readonly unknown[], problems: Problems, model?: string | null) {
  let calls: Call[] = []; // of the content before
  const steps: Call[][] = []; // the calls of each model content that has some; an empty array where a turn starts
  for (const [index, content] of problems.objects(contents, 'a content')) {
    if (!ROLES.has(content.role)) {
      problems.add('unknown-role', [index, 'role'], `there is no role ${show(content.role)}`);
      continue;
    }
    if (index === 0 && content.role === 'model') problems.add('first-message', [0], 'the first content is not of the role user');
    const parts = partsOf(content, index, problems);
    const isModel = content.role === 'model';
    const responses = isModel ? [] : parts.filter(({ part }) => memberOf(part, 'functionResponse') != null);
    checkPairs(
      calls,
      responses.map(({ part, path }) => ({ path, response: memberOf(part, 'functionResponse') as Named })),
      problems,
    );
    calls = (isModel ? parts : [])
      .filter(({ part }) => memberOf(part, 'functionCall') != null)
      .map(({ part, path }) => ({
        path,
        call: memberOf(part, 'functionCall') as Named,
        signed: memberOf(part, 'thoughtSignature') != null,
      }));
    if (calls.length > 0 || (!isModel && responses.length < parts.length)) steps.push(calls);
  }
  checkSignatures(steps, problems, model);
}
