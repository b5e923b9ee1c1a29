import { checkArray, checkMessageList, checkNumber, describe, isIndex, mismatch } from '../checks.js';
import { FLOW_FLAG } from '../generated/layout.js';
import { textOf } from '../messages.js';
import native from '../native.js';
import type { FlowChain } from '../../drop-in.js';
import type { Message } from '../messages.js';

const SPEAKERS = new Map<unknown, number>([
  ['user', FLOW_FLAG.USER],
  ['assistant', FLOW_FLAG.ASSISTANT],
]);
const ROLE_UNIT = 1 << FLOW_FLAG.COUNT;

const TYPES = ['qa', 'request_action', 'correction', 'acknowledgment'];

/** See `index.d.ts`. */
export function detectFlowChains(messages: readonly Message[], recencyStart: number, preserveRoles: unknown) {
  checkMessageList('detectFlowChains(): messages', messages);
  checkNumber('detectFlowChains(): recencyStart', recencyStart);
  if (!(preserveRoles instanceof Set)) throw mismatch('detectFlowChains(): preserveRoles', 'a Set', preserveRoles);
  const roles = new Map<unknown, number>();
  const old = messages.slice(0, Math.max(0, Math.ceil(recencyStart)));
  const flags = old.map(({ role = '', tool_calls: calls }) => {
    if (!roles.has(role)) roles.set(role, roles.size * ROLE_UNIT);
    const isFree = !preserveRoles.has(role) && !(Array.isArray(calls) && calls.length > 0);
    return (roles.get(role) as number) + (SPEAKERS.get(role) ?? 0) + (isFree ? FLOW_FLAG.FREE : 0);
  });
  return native.detectFlowChains(old.map(textOf), flags);
}

/** See `index.d.ts`. */
export function summarizeChain(chain: FlowChain, messages: readonly Message[]) {
  checkMessageList('summarizeChain(): messages', messages);
  if (!TYPES.includes(chain?.type)) {
    const names = TYPES.map((name) => `'${name}'`).join(', ');
    throw new TypeError(`summarizeChain(): chain.type must be one of ${names}, got ${describe(chain?.type)}`);
  }
  return native.summarizeChain(chain.type, textsAt('summarizeChain(): chain.indices', messages, chain.indices));
}

/**
 * Returns the texts of the messages at `indices`.
 *
 * @param name of the list, for errors
 * @throws {TypeError} an index is no position; names the first
 */
export function textsAt(name: string, messages: readonly Message[], indices: unknown): string[] {
  checkArray(name, indices);
  // `Array.from` visits holes too.
  return Array.from(indices, (index, place) => {
    if (isIndex(index) && index < messages.length) return textOf(messages[index]);
    const found = typeof index === 'number' ? index : describe(index);
    throw new TypeError(`${name}[${place}] must be the position of a message, got ${found}`);
  });
}
