import { mismatch } from '../checks.js';
import { BadRequest } from './bad-request.js';
import { checkHeaders, readWeb } from './body.js';
import { Endpoint } from './endpoint.js';

/** See `integrations/web.d.ts`. */
export function createChatParser(options) {
  const endpoint = new Endpoint('createChatParser()', options);
  return async function parseChat(request) {
    if (typeof request?.headers?.get !== 'function') throw mismatch('parseChat(): request', 'a Request', request);
    if (request.bodyUsed) throw new TypeError('parseChat(): the body of the request was read before');
    try {
      checkHeaders((name) => request.headers.get(name), endpoint.maxBytes);
      return await endpoint.fit(await readWeb(request, endpoint.maxBytes), request);
    } catch (error) {
      if (error instanceof BadRequest) return Response.json(error, { status: error.status });
      throw error;
    }
  };
}
