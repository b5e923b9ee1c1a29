import { checkOwnOptions } from '../options/index.js';
import { oneOf } from '../options/kinds.js';
import { Integration } from './core.js';
import { copyClient } from './http-client.js';
import { recallToolOf, withRecall } from './recall.js';
import { chooserFor } from './requests.js';
import type { Option } from '../options/shared.js';

const CALLER = 'withPalimpsest()';

const TOOL_OPTIONS: Record<string, Option> = { api: { kind: oneOf(['chat', 'responses']), default: 'chat' } };

/** See `withPalimpsest` in `integrations/openai.d.ts`. */
export function withPalimpsest(client, options) {
  const integrations = ['openai-chat', 'openai-responses'].map((format) => new Integration(CALLER, options, { format }));
  const [chat, responses] = integrations;
  // The last event of Responses holds the response.
  const usageOf = ({ usage, response }) => usage ?? response?.usage;
  const chooserOf = (integration, format) => {
    const choose = chooserFor(integration, format);
    return {
      async choose(body) {
        const chosen = await choose(() => body, body);
        chosen.look(() => chosen.called(body?.messages?.at(-1)));
        return chosen;
      },
      guard: integration.guard,
      usageOf,
    };
  };
  const apis = {
    '/chat/completions': { ...chooserOf(chat, 'openai-chat'), callsOf: callsOfChat },
    '/responses': { ...chooserOf(responses, 'openai-responses'), callsOf: callsOfResponses },
  };
  return withRecall(
    copyClient(CALLER, client, { subpath: 'openai', resource: 'responses' }, (path) => apis[path]),
    ...integrations,
  );
}

/** The calls in an answer of Chat Completions or a chunk of its stream; the first chunk of a call has its id and name. */
const callsOfChat = ({ choices }) => (choices ?? []).flatMap(({ message, delta }) => callsIn((message ?? delta)?.tool_calls));

const callsIn = (calls) => (calls ?? []).map(({ id, function: called }) => ({ id, name: called?.name }));

/** What identifies a call for a runner, which doesn't tell its id: the last message of the request, and the calls of the answer to it. */
function keysOf(messages) {
  const answer = messages.findLastIndex(({ tool_calls: calls }) => calls);
  return [messages[answer - 1], ...callsIn(messages[answer]?.tool_calls).map(({ id }) => id)];
}

/** The calls in an answer of Responses, or in an event of its stream. */
const callsOfResponses = ({ output, item, response }) =>
  [output ?? response?.output ?? [], item ?? []]
    .flat()
    .filter(({ type }) => type === 'function_call')
    .map(({ call_id: id, name }) => ({ id, name }));

/** See `recallTool` in `integrations/openai.d.ts`. */
export function recallTool(from, options) {
  const { api } = { ...checkOwnOptions('recallTool()', TOOL_OPTIONS, options) };
  const { name, description, parameters, execute } = recallToolOf(from, 'a client that withPalimpsest() returned');
  if (api === 'responses') return withExecute({ type: 'function', name, description, parameters, strict: false }, execute);
  const called = {
    name,
    description,
    parameters,
    parse: JSON.parse,
    function: (input, runner) => execute(input, ...keysOf(runner?.messages ?? [])),
  };
  return withExecute({ type: 'function', function: called }, execute);
}

/** Adds a method for loops of the caller's own, which is not sent. */
const withExecute = (tool, execute) =>
  Object.defineProperty(tool, 'execute', { value: (input, id) => execute(typeof input === 'string' ? parsed(input) : input, id) });

/** Arguments as the model wrote them; undefined if they are no JSON. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
