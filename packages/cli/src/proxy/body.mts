// Bodies of requests, as far as there is room for them.
import type { ClientRequest, IncomingMessage } from 'node:http';

/** Room for the bodies of all requests that are read at the same time. */
export class Room {
  #left;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** Takes room; returns whether there was enough. */
  take(bytes: number) {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  give(bytes: number) {
    this.#left += bytes;
  }
}

/**
 * Reads a body until its end, or until there is no room. What was not read stays in the request.
 *
 * @param max bytes
 * @returns `taken`: the room to give back
 */
export async function readBody(
  request: IncomingMessage,
  max: number,
  room: Room,
): Promise<{ bytes: Buffer; isWhole: boolean; taken: number }> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > max) return { bytes: Buffer.alloc(0), isWhole: false, taken: 0 };
  const chunks = [];
  let taken = 0;
  let length = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > max || !room.take(chunk.length)) return { bytes: Buffer.concat(chunks), isWhole: false, taken };
      taken += chunk.length;
    }
  } catch (error) {
    room.give(taken);
    throw error;
  }
  return { bytes: Buffer.concat(chunks), isWhole: true, taken };
}

/** Sends what was read of a body, and the rest as it comes. */
export const sendingOn =
  (head: Buffer, request: IncomingMessage): ((out: ClientRequest) => void) =>
  (out) => {
    // An upstream may answer and close before it has read everything.
    request.on('error', () => out.destroy());
    out.on('close', () => request.resume());
    if (head.length > 0) out.write(head);
    request.pipe(out);
  };
