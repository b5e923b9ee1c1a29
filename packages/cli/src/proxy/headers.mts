// Headers that pass, in the order and spelling in which they came.

/** Headers of one connection (RFC 9110, 7.6.1), and those that Node.js answers itself. */
const HOP = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The header with this proxy's own token, which no provider sees. */
export const TOKEN_HEADER = 'x-palimpsest-token';

/** The header with which a request switches palimpsest off for itself: `off`. No provider sees it. */
export const SWITCH_HEADER = 'x-palimpsest';

/**
 * Returns headers without those of the connection.
 *
 * @param raw names and values in turn
 * @param without names of further headers, in lower case
 */
export function passed(raw: string[], without: string[] = []) {
  const dropped = new Set(without);
  for (let index = 0; index < raw.length; index += 2) {
    if (raw[index].toLowerCase() !== 'connection') continue;
    // Some clients name headers here that are not of the connection; of those, the ones that say what the body is have to stay.
    for (const name of raw[index + 1].toLowerCase().split(',')) if (!/^\s*content-/.test(name)) dropped.add(name.trim());
  }
  const result: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index].toLowerCase();
    if (!HOP.has(name) && !dropped.has(name)) result.push(raw[index], raw[index + 1]);
  }
  return result;
}
