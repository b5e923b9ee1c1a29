import { Integration } from './core.js';
import { copyClient } from './http-client.js';
import { recallToolOf, withRecall } from './recall.js';
import { chooserFor } from './requests.js';
import { shortenResults } from './tool-runner.js';

const CALLER = 'withPalimpsest()';

/** See `withPalimpsest` in `integrations/anthropic.d.ts`. */
export function withPalimpsest(client, options) {
  // A streamed tool runner reads the response itself.
  const integration = new Integration(CALLER, options, { format: 'anthropic', isAnswerHidden: true });
  const chooseWhole = chooserFor(integration, 'anthropic');
  const choose = async (body) => {
    const chosen = await chooseWhole(() => wholeOf(body), body);
    const isThreadOff = body?.thread === false;
    if (chosen.request === undefined && !isThreadOff) return chosen;
    const request = { ...body, ...chosen.request };
    // It is for tool runners, and those before version 1 hand it on to the API, which refuses it.
    if (isThreadOff) delete request.thread;
    // The session has set the breakpoint at the end, and a request may have four.
    if (integration.options.cacheControl && chosen.request !== undefined) delete request.cache_control;
    return { ...chosen, request };
  };
  const api = { choose, guard: integration.guard, usageOf, callsOf };
  return withRecall(
    copyClient(CALLER, client, { subpath: 'anthropic', resource: 'messages' }, (path) => (path === '/v1/messages' ? api : undefined)),
    integration,
  );
}

/** A request without its thread. A new thread is sent all of its messages, as is a request without one; a thread that goes on has the rest of them at the provider. */
function wholeOf({ thread, ...rest }) {
  return !thread || thread.type === 'create' ? rest : undefined;
}

/** The calls in an answer, or in an event of a stream that starts a block. */
const callsOf = ({ content, content_block: block }) => [content ?? [], block ?? []].flat().filter(({ type }) => type === 'tool_use');

/** See `recallTool` in `integrations/anthropic.d.ts`. */
export function recallTool(from) {
  const { name, description, parameters, execute } = recallToolOf(from, 'a client that withPalimpsest() returned');
  return {
    type: 'custom',
    name,
    description,
    input_schema: parameters,
    run: (input, context) => execute(input, context?.toolUse, context?.toolUse?.id),
    parse: (content) => content,
  };
}

/** Usage of an answer or of the first event of a stream. The last event counts what server tools read besides the request. */
function usageOf({ type, message, usage }) {
  if (type === 'message_start') return message?.usage;
  return type === 'message' ? usage : undefined;
}

export { shortenResults } from './tool-runner.js';
