// @ts-check
'use strict';

const { Integration } = require('./core.js');
const { copyClient } = require('./http-client.js');
const { chooserFor } = require('./requests.js');

const CALLER = 'withPalimpsest()';

/** See `withPalimpsest` in `integrations/openai.d.ts`. */
function withPalimpsest(client, options) {
  const apiWith = (format) => ({
    choose: chooserFor(new Integration(CALLER, options, { format }), format),
    // The last event of Responses holds the response.
    usageOf: ({ usage, response }) => usage ?? response?.usage,
  });
  const apis = { '/chat/completions': apiWith('openai-chat'), '/responses': apiWith('openai-responses') };
  return copyClient(CALLER, client, 'responses', (path) => apis[path]);
}

module.exports = { withPalimpsest };
