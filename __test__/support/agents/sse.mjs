// Server-sent events, in writes that end anywhere.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** Parts of a text, of up to 20 code points. */
export const split = (text) => text.match(/.{1,20}/gsu) ?? [];

const SIZES = [1, 61, 7, 509, 2039]; // bytes

function encode({ event, data }) {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${event ? `event: ${event}\n` : ''}data: ${text}\n\n`;
}

/**
 * Writes events, until the client goes.
 * @param {number} pause ms between writes; with a pause a write is one event, so that a client can abort between any two
 * @param {number} [cut] number of bytes after which the connection ends
 * @returns {Promise<boolean>} whether everything was written
 */
export async function writeEvents(response, events, pause, cut = Number.POSITIVE_INFINITY) {
  const all = [...events].map(encode);
  const bytes = Buffer.from(all.join(''));
  let at = 0;
  for (let n = 0; at < bytes.length; n++) {
    const size = pause > 0 ? Buffer.byteLength(all[n]) : SIZES[n % SIZES.length];
    const end = Math.min(at + size, cut);
    if (response.destroyed) return false;
    response.write(bytes.subarray(at, end));
    at = end;
    if (at >= cut) {
      await sleep(5); // so that what was written arrives
      response.destroy();
      return false;
    }
    await (pause > 0 ? sleep(pause) : nextTurn());
  }
  return !response.destroyed;
}
