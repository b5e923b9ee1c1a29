// Tool schemas as the rows and texts that the engine counts: `crates/tokens/src/measure` knows what each row takes.

import { ofVendor } from '../providers/index.js';
import { EXTRA } from '../generated/layout.js';
import type { Provider, Tool } from '../types.js';

/** What is read of a JSON schema, which nobody has checked. */
type Schema =
  | {
      type?: unknown;
      description?: unknown;
      enum?: unknown;
      items?: Schema;
      properties?: Record<string, Schema> | null;
      $defs?: Record<string, Schema> | null;
      definitions?: Record<string, Schema> | null;
      anyOf?: unknown;
      oneOf?: unknown;
      allOf?: unknown;
    }
  | null
  | undefined;

/** Adds the rows of tool schemas: of the JSON that they are sent as, or of functions as OpenAI counts them. */
export function addTools(schemas: readonly Tool[], provider: Provider, add: (row: number, text?: string) => void) {
  const { tool: jsonOf } = ofVendor(provider).counts;
  for (const { name, description, parameters, isDeferred } of schemas) {
    if (isDeferred) continue;
    if (jsonOf === undefined) addFunction(name, description, parameters, add);
    else add(EXTRA.tool, jsonOf({ name, description, parameters }));
  }
}

/** Adds a function as OpenAI's Cookbook counts it. Its functions are flat; properties of properties count as further properties. */
function addFunction(name: string, description: string | undefined, parameters: Schema, add: (row: number, text?: string) => void) {
  add(EXTRA.tool, `${name}:${withoutFullStop(description)}`);
  addProperties(parameters, add);
}

function addProperties(schema: Schema, add: (row: number, text?: string) => void) {
  const properties = Object.entries(schema?.properties ?? {});
  if (properties.length > 0) add(EXTRA.properties);
  for (const [name, property] of properties) addProperty(name, property, add);
  // What the Cookbook's functions don't have is sent all the same.
  for (const [name, definition] of Object.entries(schema?.$defs ?? schema?.definitions ?? {})) addProperty(name, definition, add);
  for (const one of ALTERNATIVES.flatMap((key): Schema[] => (Array.isArray(schema?.[key]) ? schema[key] : []))) addNameless(one, add);
}

/** Adds a schema without a name, of which a type alone takes nothing. */
function addNameless(schema: Schema, add: (row: number, text?: string) => void) {
  if (typeof schema?.description === 'string' || Array.isArray(schema?.enum)) addProperty('', schema, add);
  else addProperties(schema, add);
}

function addProperty(name: string, property: Schema, add: (row: number, text?: string) => void) {
  add(EXTRA.property, `${name}:${typeOf(property)}:${withoutFullStop(property?.description)}`);
  // Of an array, JSON has the elements alone.
  if (Array.isArray(property)) return;
  if (Array.isArray(property?.enum)) {
    add(EXTRA.enum);
    for (const value of property.enum as unknown[]) add(EXTRA.enumValue, typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
  }
  addProperties(property, add);
  addNameless(property?.items, add);
}

const ALTERNATIVES = ['anyOf', 'oneOf', 'allOf'] as const;

const typeOf = (property: Schema) =>
  [property?.type]
    .flat()
    .filter((type: unknown) => typeof type === 'string')
    .join('|');

const withoutFullStop = (text: unknown) => (typeof text === 'string' ? text.replace(/\.$/, '') : '');
