import { fingerprintOf } from '../equality/fingerprint.js';
import { toolSchemas } from '../tokens/schemas.js';
import { systemPrompts } from '../tokens/system.js';
import type { SessionSettings } from '../../index.d.ts';
import type { Adapter } from '../types.js';

/** Names settings of sessions: the same name for the same system prompt, tools, model and treatment of thinking, written by the same adapter. */
export class Settings {
  /** Fingerprints of the schemas of tools, by the first of them: to convert those of zod takes long. */
  #schemas: WeakMap<object, { tools: unknown[]; print: string }> = new WeakMap();
  /** The last settings that were named: requests of one agent have the same ones. */
  #last: { of: readonly unknown[]; name: string } | undefined;

  /**
   * @param settings options of a session
   * @param adapter what writes its requests
   */
  nameOf({ system, tools, model, maxOutputTokens, thinking, format }: SessionSettings, adapter?: Adapter): string {
    const prompts = systemPrompts(system, 'system');
    const rest = [model, maxOutputTokens, thinking, format, this.#schemasOf(tools), adapter];
    // Each prompt with the number of its texts.
    const of = [...rest, ...prompts.flatMap((texts) => [texts.length, ...texts])];
    if (this.#last === undefined || !areSame(this.#last.of, of)) this.#last = { of, name: fingerprintOf([prompts, ...rest]) };
    return this.#last.name;
  }

  #schemasOf(tools: SessionSettings['tools']) {
    if (tools === undefined || tools === null) return '';
    const given: readonly unknown[] = Array.isArray(tools) ? tools : Object.entries(tools).flat();
    const first = given.find((tool): tool is object => tool !== null && typeof tool === 'object');
    if (first === undefined) return fingerprintOf(toolSchemas(tools, 'tools'));
    const known = this.#schemas.get(first);
    if (known !== undefined && areSame(known.tools, given)) return known.print;
    const print = fingerprintOf(toolSchemas(tools, 'tools'));
    this.#schemas.set(first, { tools: [...given], print });
    return print;
  }
}

function areSame(one: readonly unknown[], other: readonly unknown[]) {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  return same === one.length && same === other.length;
}
