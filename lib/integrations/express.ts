import { isObject } from '../checks.js';
import { BadRequest } from './bad-request.js';
import { checkHeaders, readStream } from './body.js';
import { Endpoint } from './endpoint.js';

const CALLER = 'palimpsestMiddleware()';

/** See `integrations/express.d.ts`. */
export function palimpsestMiddleware(options) {
  const endpoint = new Endpoint(CALLER, options);
  return (request, response, next) => {
    handle(endpoint, request).then(
      // If the client is gone, there is nobody to answer.
      (isThere) => isThere && next(),
      (error) => (error instanceof BadRequest ? refuse(response, error) : next(error)),
    );
  };
}

/** @returns whether the client is still there */
async function handle(endpoint, request): Promise<boolean> {
  if (!isParsed(request)) {
    checkHeaders((name) => request.headers[name], endpoint.maxBytes);
    const body = await readStream(request, endpoint.maxBytes);
    if (body === undefined) return false;
    request.body = body;
  }
  request.palimpsest = await endpoint.fit(request.body, request);
  return true;
}

/** Returns whether a parser put the body into `request.body`. With Express 4, a parser that takes no other types leaves an empty object. */
function isParsed({ body, readableDidRead, readableEnded }) {
  const isRead = readableDidRead || readableEnded;
  if (body !== undefined && (isRead || !isObject(body) || Object.keys(body).length > 0)) return true;
  if (isRead) throw new TypeError(`${CALLER}: the body was read before, and request.body is not set`);
  return false;
}

function refuse(response, error) {
  response.statusCode = error.status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(JSON.stringify(error));
}
