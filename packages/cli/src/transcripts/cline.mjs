// @ts-check
// Cline: a folder for each task, with the messages as Anthropic takes them, and what the user saw, which has the usage.
import { basename, dirname, join } from 'node:path';
import { readJson } from './lines.mjs';
import { requestsOf } from './messages.mjs';
import { reasonOf, Unreadable } from './unreadable.mjs';
import { countOf, isObject, parsed, stringOf, timeOf } from './values.mjs';

/** @typedef {import('./values.mjs').Json} Json */
/** @typedef {import('../types.d.ts').Transcript} Transcript */

export const HISTORY = 'api_conversation_history.json';

/** A file beside the messages; undefined if it is not there. @param {string} path */
async function readBeside(path) {
  try {
    return await readJson(path);
  } catch (error) {
    reasonOf(error);
    return undefined;
  }
}

/** Requests that got an answer. @param {unknown} shown what the user saw @returns {Json[]} */
function answered(shown) {
  if (!Array.isArray(shown)) return [];
  return shown.flatMap((one) => {
    if (!isObject(one) || one.say !== 'api_req_started' || typeof one.text !== 'string') return [];
    const said = parsed(one.text);
    return isObject(said) && countOf(said.tokensOut) > 0
      ? [{ ...said, time: timeOf(one.ts), model: stringOf(one.modelInfo?.modelId) }]
      : [];
  });
}

/**
 * @param {string} file
 * @returns {AsyncGenerator<Transcript>}
 * @throws {Unreadable} it is no array of messages
 */
export async function* readCline(file) {
  const history = await readJson(file);
  if (!Array.isArray(history)) throw new Unreadable('is no array of messages');
  const known = history.filter(
    (one) => isObject(one) && typeof one.role === 'string' && (typeof one.content === 'string' || Array.isArray(one.content)),
  );
  if (known.length === 0) throw new Unreadable('contains no messages');
  const messages = known.map(({ role, content }) => ({ role, content }));
  const folder = dirname(file);
  const [shown, metadata] = await Promise.all([
    readBeside(join(folder, 'ui_messages.json')),
    readBeside(join(folder, 'task_metadata.json')),
  ]);
  const uses = answered(shown);
  const models = isObject(metadata) && Array.isArray(metadata.model_usage) ? metadata.model_usage.filter(isObject) : [];
  const requests = requestsOf(messages);
  // Retries have no message, so that usage is only taken where each reply has one.
  const isMatched = uses.length === requests.length;
  requests.forEach((request, index) => {
    const said = known[request.messages];
    const use = isMatched ? uses[index] : undefined;
    const time = use?.time ?? timeOf(said.ts);
    const model =
      use?.model ??
      stringOf(said.modelInfo?.modelId) ??
      stringOf(models.findLast(({ ts }) => time === undefined || !(ts > time))?.model_id);
    if (time !== undefined) request.time = time;
    if (model !== undefined) request.model = model;
    if (use)
      request.usage = {
        input: countOf(use.tokensIn),
        cacheRead: countOf(use.cacheReads),
        cacheWrite: countOf(use.cacheWrites),
        output: countOf(use.tokensOut),
      };
  });
  const times = Array.isArray(shown) ? shown.map((one) => timeOf(one?.ts)).filter((time) => time !== undefined) : [];
  const title = Array.isArray(shown) ? stringOf(shown.find((one) => one?.say === 'task')?.text) : undefined;
  const model = requests.findLast((request) => request.model)?.model;
  yield {
    agent: 'cline',
    id: basename(folder),
    file,
    ...(title && { title: title.trim().split('\n')[0].slice(0, 120) }),
    ...(model && { model }),
    ...(times.length > 0 && { started: times[0], ended: times.at(-1) }),
    format: 'anthropic',
    messages,
    requests,
    skipped: history.length - known.length,
    notes: uses.length > 0 && !isMatched ? ['usage left out: its requests are not those of the messages'] : [],
  };
}
