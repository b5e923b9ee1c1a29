import { whatIs } from '../given.js';
import native from '../native.js';
import { modelOf } from '../model-of.js';
import { named } from '../places.js';
import { checkOptions, defaultOf } from '../options/index.js';
import { inOneGo } from '../steps.js';
import { Recalled } from './recalled.js';
import type { Tokenizer } from '../types.js';

const AT = 'countTokens(): options';

/** See `index.d.ts`. */
function countTokens(input: unknown, options: unknown) {
  const { tokenizer, format, system, tools, model } = checked(options);
  if (typeof input === 'string') {
    if (tools !== undefined) throw new TypeError(`${AT}.tools needs messages, got string`);
    if (system !== undefined) throw new TypeError(`${AT}.system needs messages, got string`);
    return native.countTexts([input], tokenizer)[0];
  }
  if (!Array.isArray(input))
    throw new TypeError(`countTokens(): input must be a string or an array of messages, got ${whatIs(input, 'messages')}`);
  // A string needs no formats.
  const [{ hintsOf }, { addressed, formatOf }] = [
    require('../providers/hints.js') as typeof import('../providers/hints.js'),
    require('../providers/index.js') as typeof import('../providers/index.js'),
  ];
  const read = addressed(formatOf(input, format, hintsOf({ tools, system, provider: model?.provider })), model);
  const known = inOneGo(Recalled.recalling(input, read, tokenizer, tools));
  return known.sum(inOneGo(known.counting({ tools, system }, AT)));
}

function checked(options: unknown) {
  const given = checkOptions('countTokens', options);
  const { tokenizer, format, system, tools } = given;
  const model = modelOf(given, AT, 'tokenizer');
  return {
    tokenizer: tokenizer ?? model?.tokenizer ?? (defaultOf('countTokens', 'tokenizer') as Tokenizer),
    model,
    format: format ?? 'auto',
    system: system ?? undefined,
    tools: tools ?? undefined,
  };
}

const countTokensNamed = named('countTokens', countTokens);
export { countTokensNamed as countTokens };
