// Cline: a folder for each task, with the messages as Anthropic takes them, and what the user saw, which has the usage.
import { basename, dirname, join, sep } from 'node:path';
import { readBeside, readJson } from './lines.mjs';
import { requestsOf } from './messages.mjs';
import { Unreadable } from './unreadable.mjs';
import { isObject, parsed, stringOf, timeOf, titleIn, tokensOf } from './values.mjs';
import type { Agent, Transcript, Usage } from '../types.mjs';
import type { Json } from './values.mjs';

export const HISTORY = 'api_conversation_history.json';

/** Editors' extensions that were made of Cline, by the folder they keep their tasks in. */
const MADE_OF_IT: [string, Agent][] = [
  ['rooveterinaryinc.roo-cline', 'roo-code'],
  ['kilocode.kilo-code', 'kilo-code'],
];

/** What a message says of its request. Providers whose prompts have the cached tokens among them never have more of those, others have them apart. */
function measured(metrics: unknown): Usage | undefined {
  if (!isObject(metrics) || !isObject(metrics.tokens)) return undefined;
  const [prompt, cacheRead] = [tokensOf(metrics.tokens.prompt), tokensOf(metrics.tokens.cached)];
  if (prompt + cacheRead === 0) return undefined;
  return {
    input: cacheRead <= prompt ? prompt - cacheRead : prompt,
    cacheRead,
    cacheWrite: 0,
    output: tokensOf(metrics.tokens.completion),
  };
}

/** Requests that got an answer. @param shown what the user saw */
function answered(shown: unknown): Json[] {
  if (!Array.isArray(shown)) return [];
  return shown.flatMap((one) => {
    if (!isObject(one) || one.say !== 'api_req_started' || typeof one.text !== 'string') return [];
    const said = parsed(one.text);
    return isObject(said) && tokensOf(said.tokensOut) !== 0
      ? [{ ...said, time: timeOf(one.ts), model: stringOf(one.modelInfo?.modelId) }]
      : [];
  });
}

/** @throws {Unreadable} it is no array of messages */
export async function* readCline(file: string): AsyncGenerator<Transcript> {
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
        input: tokensOf(use.tokensIn),
        cacheRead: tokensOf(use.cacheReads),
        cacheWrite: tokensOf(use.cacheWrites),
        output: tokensOf(use.tokensOut),
      };
    else {
      const usage = measured(said.metrics);
      if (usage) request.usage = usage;
    }
  });
  const times = (Array.isArray(shown) ? shown : known).map((one) => timeOf(one?.ts)).filter((time) => time !== undefined);
  const title = Array.isArray(shown) ? titleIn(shown.find((one) => one?.say === 'task')?.text) : undefined;
  const model = requests.findLast((request) => request.model)?.model;
  yield {
    agent: MADE_OF_IT.find(([name]) => file.includes(`${sep}${name}${sep}`))?.[1] ?? 'cline',
    id: basename(folder),
    file,
    ...(title && { title }),
    ...(model && { model }),
    ...(times.length > 0 && { started: times[0], ended: times.at(-1) }),
    format: 'anthropic',
    messages,
    requests,
    skipped: history.length - known.length,
    notes:
      uses.length > 0 && !isMatched && requests.every(({ usage }) => usage === undefined)
        ? ['usage left out: its requests are not those of the messages']
        : [],
  };
}
