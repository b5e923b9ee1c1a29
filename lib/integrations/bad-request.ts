/** Something that the client did wrong: what to answer. Its texts name places and kinds, never what the client sent. */
export class BadRequest extends Error {
  name: string;
  status: 400 | 413 | 415;
  path: string | undefined;
  rule: string | undefined;

  /** @param details `path`: the place in the body, `rule`: that of `validate` */
  constructor(message: string, { status = 400, path, rule }: { status?: 400 | 413 | 415; path?: string | undefined; rule?: string } = {}) {
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
