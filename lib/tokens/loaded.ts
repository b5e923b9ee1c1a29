import { getIn } from '../providers/shared/copy.js';
import native from '../native.js';
import type { Part, Tokenizer, Tool } from '../types.js';

/** A reference to a tool, in Anthropic's blocks and as SDKs have them. */
const REFERENCES = /"(?:tool_name|toolName|name)":"([^"\\]+)"/g;

/** Tools that the model gets where something in the messages loads them. */
export class Loaded {
  #waiting: Map<string, Tool>;
  #tokenizer;
  #byCalls;

  /** @param byCalls whether calls load a tool, too: those of all messages follow a reference where there is one */
  constructor(schemas: readonly Tool[], tokenizer: Tokenizer, byCalls: boolean) {
    this.#waiting = new Map(schemas.filter(({ isDeferred }) => isDeferred).map((tool) => [tool.name, tool]));
    this.#tokenizer = tokenizer;
    this.#byCalls = byCalls;
  }

  /** Whether there are tools that nothing loaded yet. */
  get isWaiting() {
    return this.#waiting.size > 0;
  }

  /** The tokens of the tools that a part is the first to load. */
  tokensBy(part: Part, message: object) {
    const texts: string[] = [];
    for (const name of this.#namesIn(part, message)) {
      const tool = this.#waiting.get(name);
      if (tool === undefined) continue;
      this.#waiting.delete(name);
      texts.push(JSON.stringify({ name, description: tool.description, input_schema: tool.parameters }));
    }
    return texts.length === 0 ? 0 : native.countTexts(texts, this.#tokenizer).reduce((sum, tokens) => sum + tokens, 0);
  }

  #namesIn({ kind, name, path, text, locked }: Part, message: object) {
    if (kind === 'call') return this.#byCalls && name !== undefined ? [name] : [];
    if (kind !== 'opaque' && (kind !== 'result' || locked === undefined)) return [];
    const json = kind === 'result' ? text : jsonOf(getIn(message, path));
    return Array.from(json.matchAll(REFERENCES), ([, one]) => one);
  }
}

function jsonOf(value: unknown) {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}
