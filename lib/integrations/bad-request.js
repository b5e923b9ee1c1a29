// @ts-check
'use strict';

/** Something that the client did wrong: what to answer. Its texts name places and kinds, never what the client sent. */
class BadRequest extends Error {
  /**
   * @param {string} message
   * @param {{ status?: 400 | 413 | 415, path?: string, rule?: string }} [details] `path`: the place in the body, `rule`: that of `validate`
   */
  constructor(message, { status = 400, path, rule } = {}) {
    super(message);
    this.name = 'BadRequest';
    this.status = status;
    this.path = path;
    this.rule = rule;
  }

  /** The answer's body. */
  toJSON() {
    const { message, path, rule } = this;
    return { error: { message, path, rule } };
  }
}

module.exports = { BadRequest };
