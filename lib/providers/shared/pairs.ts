import { show } from './shapes.js';
import type { Path } from '../../types.js';
import type { RuleName } from './rules.js';
import type { Problems } from './problems.js';

/** Tracks calls that wait for their results. Each format decides when it is too late: `close`. */
export class Pairs {
  #problems;
  #open: Map<string, Path> = new Map();
  #answered = new Set();

  constructor(problems: Problems) {
    this.#problems = problems;
  }

  /** Adds a call at `path`. */
  call(id: string, path: Path) {
    if (this.#open.has(id)) return this.#problems.add('duplicate-tool-call', path, `a second call has the id ${show(id)}`);
    this.#open.set(id, path);
    this.#answered.delete(id); // some models use an id again, in a later exchange
  }

  /** Adds a result; returns whether it answers an open call. */
  answer(id: string, path: Path) {
    if (this.#open.delete(id)) {
      this.#answered.add(id);
      return true;
    }
    if (this.#answered.has(id)) this.#problems.add('duplicate-tool-result', path, `a second result answers the call ${show(id)}`);
    else this.#problems.add('tool-result-without-call', path, `no call before it has the id ${show(id)}`);
    return false;
  }

  /** Removes a call that needs no result. */
  excuse(id: string) {
    this.#open.delete(id);
  }

  /** Reports the open calls: no later result can answer them. `rule` may be a function of a call's path. */
  close(rule: RuleName | ((path: Path) => RuleName)) {
    for (const [id, path] of this.#open) {
      this.#problems.add(typeof rule === 'function' ? rule(path) : rule, path, `nothing answers the call ${show(id)}`);
    }
    this.#open.clear();
    this.#answered.clear();
  }
}
