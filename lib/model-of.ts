import { mismatch, shown } from './checks.js';
import type { Model } from './models.js';
import type { Roles } from './types.js';

/** A prefix that Google and AWS put before names of models; any other prefix with a slash is a gateway's. */
const CLOUD = /^(?:models|publishers|projects|arn:)/;

/** Returns whether a model is called through a gateway, whose API is not the provider's. */
export const isAtGateway = (name: string) => name.includes('/') && !CLOUD.test(name);

/**
 * Returns the model that options name; without a provider if it is called through a gateway.
 *
 * @param at name of the options in errors
 * @param instead what can be given in its place, for errors
 * @returns undefined if they name none
 * @throws {TypeError} the name is no string, or there is no such model in the table
 */
export function modelOf({ model: name }: { model?: unknown }, at: string, instead: string = 'tokenizer and window'): Model | undefined {
  if (name === undefined || name === null) return undefined;
  if (typeof name !== 'string') throw mismatch(`${at}.model`, "a model's name", name);
  // The table is loaded when a model is named.
  const { findModel, modelMeant } = require('./models.js') as typeof import('./models.js');
  const model = findModel(name);
  if (model !== undefined) return isAtGateway(name) ? { ...model, provider: undefined, maker: model.provider } : model;
  const meant = modelMeant(name);
  const remedy = `${meant === undefined ? '' : `did you mean ${meant}? If not, `}give ${instead} in its place`;
  throw new TypeError(
    `${at}.model must be a model that palimpsest knows (https://github.com/palimpsest-dev/palimpsest/blob/main/docs/reference/models.md), got ${shown(name)}: ${remedy}`,
  );
}

/** Returns how the server of a request wants the roles of messages: as the options say, or as the model that they name is known to. */
export function rolesOf({ roles, model }: { roles?: Roles; model?: unknown }): Roles {
  if ((roles !== undefined && roles !== null) || model === undefined || model === null) return roles;
  return (require('./models.js') as typeof import('./models.js')).rolesFor(model);
}
