// JSON that is read as it comes: the elements of an array, or values one behind the other (JSONL), each parsed alone, so that a file need not
// be in memory as a text.
import { Problem } from './errors.mjs';

/** Maximum length of one value in UTF-16 code units: strings of V8 have at most 2^29 - 24. */
const MAX_VALUE = 500_000_000;
/** Maximum nesting: deeper values overflow the stack of whatever walks them. */
const MAX_DEPTH = 1000;

const BLANK = /[^\s]/g;
const STRUCTURE = /["[\]{}\n]/g;
const IN_STRING = /["\\\n]/g;

/** What may come next between values. */
const VALUE_OR_END = 0;
const VALUE = 1;
const COMMA_OR_END = 2;
const NOTHING = 3;

/** Splits JSON into values. Feed it with `push`, then call `end`. */
export class ValueReader {
  /** Whether the values are the elements of an array. Known after the first value. */
  isArray = false;
  /** Number of values so far. */
  count = 0;
  #name;
  #next = VALUE_OR_END;
  #depth = 0;
  #inString = false;
  /** Whether the text so far ended in a backslash of a string. */
  #isEscaped = false;
  /** text of the value so far */
  #parts: string[] = [];
  #length = 0;
  #line = 1;
  #firstLine = 1;
  #isStart = true;

  /** @param name of the input, for errors */
  constructor(name: string) {
    this.#name = name;
  }

  #fail(what: string, line: number): never {
    const place = this.count > 0 || this.isArray ? ` in message ${this.count + 1}` : '';
    throw new Problem(`${this.#name}: ${what}${place} (line ${line})`);
  }

  #skipBlank(text: string, from: number) {
    BLANK.lastIndex = from;
    const found = BLANK.exec(text);
    const end = found ? found.index : text.length;
    for (let at = text.indexOf('\n', from); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) this.#line++;
    return end;
  }

  /** Takes a character between values. Returns whether a value starts with it. */
  #between(character: string) {
    if (this.#next !== NOTHING && (this.#next === COMMA_OR_END) === (character === ',')) {
      if (character === ',') {
        this.#next = VALUE;
        return false;
      }
      if (character === '{' || (character === '[' && (this.isArray || this.count > 0))) return true;
      if (character === '[') {
        this.isArray = true;
        return false;
      }
    }
    if (character === ']' && this.isArray && (this.#next === COMMA_OR_END || this.#next === VALUE_OR_END)) {
      this.#next = NOTHING;
      return false;
    }
    if (this.#next === NOTHING) throw new Problem(`${this.#name}: there is more behind the end of the array (line ${this.#line})`);
    return this.#fail('is not JSON with objects', this.#line);
  }

  /**
   * @param text the next part
   * @returns the values that end in it
   */
  *push(text: string): Generator<unknown> {
    let from = 0;
    if (this.#isStart && text !== '') {
      this.#isStart = false;
      if (text.charCodeAt(0) === 0xfeff) from = 1;
    }
    while (from < text.length) {
      if (this.#depth === 0) {
        from = this.#skipBlank(text, from);
        if (from === text.length) return;
        if (!this.#between(text[from])) {
          from++;
          continue;
        }
        this.#firstLine = this.#line;
      }
      const end = this.#scan(text, from);
      this.#parts.push(text.slice(from, end));
      this.#length += end - from;
      if (this.#length > MAX_VALUE) this.#fail(`has a value of more than ${MAX_VALUE / 1e6} million characters`, this.#firstLine);
      from = end;
      if (this.#depth === 0) yield this.#take();
    }
  }

  /** Returns where the value ends, or the length of the text. */
  #scan(text: string, from: number) {
    let at = this.#isEscaped ? from + 1 : from;
    this.#isEscaped = false;
    for (;;) {
      const pattern = this.#inString ? IN_STRING : STRUCTURE;
      pattern.lastIndex = at;
      const found = pattern.exec(text);
      if (!found) return Math.max(at, text.length);
      at = found.index + 1;
      switch (found[0]) {
        case '\n':
          this.#line++;
          break;
        case '"':
          this.#inString = !this.#inString;
          break;
        case '\\':
          // An escaped character; the text may end before it.
          if (at === text.length) this.#isEscaped = true;
          at++;
          break;
        case '{':
        case '[':
          if (++this.#depth > MAX_DEPTH) this.#fail(`is nested more than ${MAX_DEPTH} deep`, this.#line);
          break;
        default:
          if (--this.#depth === 0) return at;
      }
    }
  }

  #take() {
    const text = this.#parts.length === 1 ? this.#parts[0] : this.#parts.join('');
    this.#parts = [];
    this.#length = 0;
    if (this.isArray) this.#next = COMMA_OR_END;
    try {
      return JSON.parse(text);
    } catch {
      return this.#fail('is not JSON', this.#firstLine);
    } finally {
      this.count++;
    }
  }

  /** @throws {Problem} the input ended too early */
  end() {
    if (this.#depth > 0) this.#fail('was cut off', this.#firstLine);
    if (this.isArray && this.#next !== NOTHING)
      throw new Problem(`${this.#name}: was cut off after message ${this.count} (line ${this.#line})`);
    if (this.#isStart || (this.count === 0 && !this.isArray)) throw new Problem(`${this.#name}: is empty`);
  }
}
