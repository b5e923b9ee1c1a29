// Refusals, and the checks that all providers have.
import { Refusal, refuse, typeName } from '../providers/refusal.mjs';

/** Refuses with more than a message: `status` (default 400), `code`, `details`. */
export function refuseWith(more, message, param) {
  throw Object.assign(new Refusal(message, param), more);
}

/** Names of tools, each once. `nameOf` gives the name that a tool has, or undefined where it needs none. */
export function readToolNames(tools, nameOf, where = 'tools') {
  if (tools === undefined || tools === null) return new Set();
  if (!Array.isArray(tools)) refuse(`${where}: Input should be a valid list`, where);
  const names = new Set();
  tools.forEach((tool, i) => {
    if (typeName(tool) !== 'object') refuse(`${where}.${i}: Input should be an object`, `${where}[${i}]`);
    const name = nameOf(tool, i);
    if (name === undefined) return;
    if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,128}$/.test(name))
      refuse(`${where}.${i}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`, `${where}[${i}].name`);
    if (names.has(name)) refuse(`${where}: Tool names must be unique.`, where);
    names.add(name);
  });
  return names;
}

/** Schemas of a tool's input are objects. */
export function readSchema(schema, where) {
  if (typeName(schema) !== 'object') refuse(`${where}: Field required`, where);
  if (schema.type !== 'object') refuse(`${where}.type: Input should be 'object'`, where);
}

export function readFields(body, allowed, message) {
  for (const key of Object.keys(body)) if (!allowed.has(key)) refuse(message(key), key);
}

export function readCount(value, least, where) {
  if (!Number.isInteger(value) || value < least) refuse(`${where}: Input should be an integer greater than or equal to ${least}`, where);
}
