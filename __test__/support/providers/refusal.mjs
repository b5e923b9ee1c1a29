/** A request that the provider answers with status 400. */
export class Refusal extends Error {
  /** `param`: the field of the request, as OpenAI names it. */
  constructor(message, param) {
    super(message);
    this.param = param;
  }
}

export function refuse(message, param) {
  throw new Refusal(message, param);
}

export const typeName = (value) => (value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value);

/** Parses arguments as the servers behind these APIs do. */
export function parsesToObject(json) {
  let value;
  try {
    value = JSON.parse(json);
  } catch {
    return false;
  }
  return Object.prototype.toString.call(value) === '[object Object]';
}
