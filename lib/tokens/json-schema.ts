import { hasMembers, isObject } from '../checks.js';
import { isUnawaited } from '../promises.js';

/** What is looked for in a schema of any library. */
interface Schema {
  (): unknown;
  '~standard'?: { jsonSchema?: { input(options: { target: string }): unknown } };
  toJSONSchema?(): unknown;
  toJsonSchema?(): unknown;
  jsonSchema?: unknown;
  _def?: { innerType?: unknown; schema?: unknown; type?: unknown };
  description?: unknown;
  shape?: unknown;
  entries?: unknown;
}

/** Maximum depth to which an estimate looks into a schema; deeper arguments count nothing. */
const MAX_DEPTH = 8;

/**
 * Returns the JSON schema of a tool's arguments, as an SDK sends it: a JSON schema itself, the AI SDK's `jsonSchema()`, zod 4 and others with
 * Standard JSON Schema, or a function that returns one of these. Schemas that only another package can convert (zod 3, valibot) are
 * estimated by the names and descriptions of the arguments.
 */
export function jsonSchemaOf(given: unknown): unknown {
  if (given === null || (typeof given !== 'object' && typeof given !== 'function')) return given;
  const schema = given as Schema;
  const standard = schema['~standard'];
  const ways = [
    () => closed(standard?.jsonSchema?.input({ target: 'draft-07' })),
    () => closed(schema.toJSONSchema?.()),
    () => closed(schema.toJsonSchema?.()),
    () => (typeof schema === 'function' && standard === undefined ? jsonSchemaOf(schema()) : undefined),
    () => schema.jsonSchema,
  ];
  for (const way of ways) {
    const found = attempt(way);
    if (found !== undefined && found !== null && !isUnawaited(found)) return found;
  }
  const isPlain = standard === undefined && schema._def === undefined && schema.jsonSchema === undefined && typeof schema !== 'function';
  return isPlain ? schema : { type: 'object', ...estimateOf(schema, MAX_DEPTH) };
}

/** A library's JSON schema whose objects have no members but their own: the SDKs add that. */
const closed = (schema: unknown): unknown =>
  schema &&
  JSON.parse(JSON.stringify(schema), (_, value: Record<string, unknown> | null) =>
    value?.type === 'object' && isObject(value.properties)
      ? { ...value, additionalProperties: value.additionalProperties ?? false }
      : value,
  );

/** What a conversion returns, or undefined if it can't express the schema. */
function attempt(way: () => unknown) {
  try {
    return way();
  } catch {
    return undefined;
  }
}

/** The names and descriptions in a schema that can't be converted; each member is taken for a string. */
function estimateOf(schema: Partial<Schema> | null | undefined, depth: number): object {
  const told = typeof schema?.description === 'string' ? { description: schema.description } : {};
  if (depth === 0) return told;
  const inner = schema?._def?.innerType ?? schema?._def?.schema ?? schema?._def?.type;
  if (hasMembers(inner)) return { ...estimateOf(inner, depth - 1), ...told };
  const members = schema?.shape ?? schema?.entries;
  if (!hasMembers(members)) return told;
  const properties = Object.entries(members).map(([name, member]) => [
    name,
    { type: 'string', ...estimateOf(member as Partial<Schema>, depth - 1) },
  ]);
  return { ...told, type: 'object', properties: Object.fromEntries(properties) };
}
