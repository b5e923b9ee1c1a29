// @ts-check
'use strict';

const { Integration } = require('./core.js');
const { copyClient } = require('./http-client.js');
const { optionsFor } = require('./one-session.js');
const { chooserFor } = require('./requests.js');
const { shortenResults } = require('./tool-runner.js');

const CALLER = 'withPalimpsest()';

/** See `withPalimpsest` in `integrations/anthropic.d.ts`. */
function withPalimpsest(client, options) {
  const chooseWhole = chooserFor(new Integration(CALLER, optionsFor(options), { format: 'anthropic' }), 'anthropic');
  const choose = async (request) => {
    const { thread, ...whole } = request;
    // A new thread is sent all of its messages; one that goes on has the rest of them at the provider.
    if (thread?.type !== 'create') return chooseWhole(request);
    const chosen = await chooseWhole(whole);
    return { ...chosen, request: chosen.request === whole ? request : { ...chosen.request, thread } };
  };
  const api = { choose, usageOf };
  return copyClient(CALLER, client, 'messages', (path) => (path === '/v1/messages' ? api : undefined));
}

/** Usage of an answer or of the first event of a stream. The last event counts what server tools read besides the request. */
function usageOf({ type, message, usage }) {
  if (type === 'message_start') return message.usage;
  return type === 'message' ? usage : undefined;
}

module.exports = { shortenResults, withPalimpsest };
