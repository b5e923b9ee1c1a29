import { Pairs } from '../shared/pairs.js';
import { isText, show } from '../shared/shapes.js';
import type { Path } from '../../types.js';
import type { Problems } from '../shared/problems.js';

/**
 * Tracks calls, results and approvals as the AI SDK does. A result may stand anywhere before the next message of the
 * user or system; a call that runs at the provider needs none; an approval that has just been given stands in for it.
 */
export class AiSdkCalls {
  #problems;
  #pairs;
  #requests: Map<unknown, unknown> = new Map(); // calls by approval
  #calls = new Set();
  #responses: { approvalId: unknown; path: Path }[] = []; // approvals in the present message, if that is of the role tool
  #results = new Set(); // and the calls that it answers

  constructor(problems: Problems) {
    this.#problems = problems;
    this.#pairs = new Pairs(problems);
  }

  /** The start of a message of this role. */
  message(role: unknown) {
    this.#responses = [];
    this.#results.clear();
    if (role === 'user' || role === 'system') this.#pairs.close('tool-call-without-result');
  }

  call(id: unknown, atProvider: unknown, path: Path) {
    if (!isText(id)) return this.#problems.add('tool-call-shape', path, `the toolCallId of a call has to be a text, not ${show(id)}`);
    this.#calls.add(id);
    if (atProvider !== true) this.#pairs.call(id, path);
  }

  result(id: unknown, path: Path) {
    this.#results.add(id);
    if (isText(id)) this.#pairs.answer(id, path);
    else this.#problems.add('tool-result-shape', path, `a result has to name the call it answers, not ${show(id)}`);
  }

  /** A result in an assistant message comes from the provider, with the call or in a later message. */
  providerResult(id: unknown, path: Path) {
    if (!this.#calls.has(id)) this.#problems.add('server-result-without-call', path, `no call before it has the id ${show(id)}`);
  }

  request(approvalId: unknown, callId: unknown) {
    this.#requests.set(approvalId, callId);
  }

  response(approvalId: unknown, path: Path) {
    this.#responses.push({ approvalId, path });
  }

  /** The end of the conversation: `generateText` runs the calls whose approvals stand in the last message. */
  close() {
    for (const { approvalId, path } of this.#responses) {
      const id = this.#requests.get(approvalId);
      if (this.#requests.has(approvalId) && this.#results.has(id)) continue; // nothing is left to approve
      if (this.#calls.has(id)) this.#pairs.excuse(id as string);
      else
        this.#problems.add(
          'approval-without-request',
          path,
          `no request before it has the approvalId ${show(approvalId)}, or its call is gone`,
        );
    }
    this.#pairs.close('tool-call-at-end');
  }
}
