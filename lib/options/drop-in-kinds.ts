// Kinds of options that only the drop-in's functions take.

import { isIterable, mismatch } from '../checks.js';
import { func } from './kinds.js';

export function roles(name: string, value: unknown): void {
  // A string is an iterable of strings too, but of letters: `preserve: 'tool'` would protect the roles t, o and l.
  if (!isIterable(value)) {
    throw mismatch(name, 'an iterable of role strings such as an array or a Set', value);
  }
  // Other iterables may be readable only once: their reader checks the roles.
  if (!Array.isArray(value) && !(value instanceof Set)) return;
  for (const role of value as Iterable<unknown>) if (typeof role !== 'string') throw mismatch(name, 'an iterable of role strings', role);
}

export function labelledPatterns(name: string, value: unknown): void {
  if (!Array.isArray(value)) throw mismatch(name, 'an array of { re, label }', value);
  for (let index = 0; index < value.length; index++) {
    const pattern: { re?: { test?: unknown }; label?: unknown } | null = value[index];
    const at = `${name}[${index}]`;
    if (pattern === null || typeof pattern !== 'object') throw mismatch(at, 'an object { re, label }', pattern);
    if (typeof pattern.re?.test !== 'function') throw mismatch(`${at}.re`, 'a RegExp or an object with a test method', pattern.re);
    if (typeof pattern.label !== 'string') throw mismatch(`${at}.label`, 'a string', pattern.label);
  }
}

const ADAPTER_METHODS = ['detect', 'extractPreserved', 'extractCompressible', 'reconstruct'];

export function adapters(name: string, value: unknown): void {
  if (!Array.isArray(value)) throw mismatch(name, 'an array of adapters', value);
  for (let index = 0; index < value.length; index++) {
    const adapter: Record<string, unknown> | null = value[index];
    const at = `${name}[${index}]`;
    if (adapter === null || typeof adapter !== 'object') throw mismatch(at, 'an adapter', adapter);
    if (typeof adapter.name !== 'string') throw mismatch(`${at}.name`, 'a string', adapter.name);
    for (const method of ADAPTER_METHODS) func(`${at}.${method}`, adapter[method]);
  }
}
