// Cline: a folder for each task, with the messages as Anthropic takes them, and what the user saw, which has the usage.
import { basename, dirname, join, sep } from 'node:path';
import { digestOf } from './answers.mjs';
import { readBeside, readJson } from './lines.mjs';
import { requestsOf } from './messages.mjs';
import { Unreadable } from './unreadable.mjs';
import { isObject, parsed, stringOf, timeOf, titleIn, tokensOf } from './values.mjs';
import type { Agent, Transcript, Usage } from '../types.mjs';
import type { Json } from './values.mjs';

export const HISTORY = 'api_conversation_history.json';
/** What the user saw, and what is known of the task. */
const BESIDE = ['ui_messages.json', 'task_metadata.json'];

/** The files that are read with one. */
export const filesBeside = (file: string) => BESIDE.map((name) => join(dirname(file), name));

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

const usageOf = ({ tokensIn, cacheReads, cacheWrites, tokensOut }: Json): Usage => ({
  input: tokensOf(tokensIn),
  cacheRead: tokensOf(cacheReads),
  cacheWrite: tokensOf(cacheWrites),
  output: tokensOf(tokensOut),
});

/**
 * Which requests that got an answer are those of the replies. Of retries and of what was undone no message is left.
 *
 * @param times of the replies
 * @returns undefined where it can't be told
 */
function matchedWith(times: (number | undefined)[], uses: Json[]): { matched?: (Json | undefined)[]; beside: Json[] } {
  if (uses.length === times.length) return { matched: uses, beside: [] };
  const isTimed = [...times, ...uses.map(({ time }) => time)].every((time) => time !== undefined);
  if (uses.length < times.length || !isTimed) return { beside: [] };
  const beside = [];
  const matched: (Json | undefined)[] = [];
  let at = 0;
  for (const time of times) {
    // The last one that began before the reply was there.
    while (uses[at + 1]?.time <= Number(time)) beside.push(uses[at++]);
    matched.push(uses[at]?.time <= Number(time) ? uses[at++] : undefined);
  }
  return { matched, beside: [...beside, ...uses.slice(at)] };
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
  const [shown, metadata] = await Promise.all(filesBeside(file).map(readBeside));
  const uses = answered(shown);
  const models = isObject(metadata) && Array.isArray(metadata.model_usage) ? metadata.model_usage.filter(isObject) : [];
  const requests = requestsOf(messages);
  const times = requests.map(({ messages: at }) => timeOf(known[at].ts));
  const { matched, beside } = matchedWith(times, uses);
  requests.forEach((request, index) => {
    const said = known[request.messages];
    const use = matched?.[index];
    const time = use?.time ?? timeOf(said.ts);
    const model =
      use?.model ??
      stringOf(said.modelInfo?.modelId) ??
      stringOf(models.findLast(({ ts }) => time === undefined || !(ts > time))?.model_id);
    if (time !== undefined) request.time = time;
    if (model !== undefined) request.model = model;
    if (use) request.usage = usageOf(use);
    else {
      const usage = measured(said.metrics);
      if (usage) request.usage = usage;
    }
  });
  const all = (Array.isArray(shown) ? shown : known).map((one) => timeOf(one?.ts)).filter((time) => time !== undefined);
  const title = Array.isArray(shown) ? titleIn(shown.find((one) => one?.say === 'task')?.text) : undefined;
  const model = requests.findLast((request) => request.model)?.model;
  yield {
    agent: MADE_OF_IT.find(([name]) => file.includes(`${sep}${name}${sep}`))?.[1] ?? 'cline',
    id: basename(folder),
    file,
    ...(title && { title }),
    ...(model && { model }),
    ...(all.length > 0 && { started: all[0], ended: all.at(-1) }),
    format: 'anthropic',
    messages,
    requests,
    ...(beside.length > 0 && {
      beside: beside.map((use) => ({
        kind: 'retry' as const,
        ids: [digestOf('cline', use)],
        ...(use.time !== undefined && { time: use.time }),
        ...((use.model ?? model) && { model: use.model ?? model }),
        usage: usageOf(use),
      })),
    }),
    skipped: history.length - known.length,
    notes:
      uses.length > 0 && matched === undefined && requests.every(({ usage }) => usage === undefined)
        ? ['usage left out: its requests are not those of the messages']
        : [],
  };
}
