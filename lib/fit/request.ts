import { checkRestorable } from '../agent/entries.js';
import { shown } from '../checks.js';
import { modelOf } from '../model-of.js';
import { findModel, rolesFor } from '../models.js';
import { checkOptions, copyOptions } from '../options/index.js';
import { tokensFrom0 } from '../options/limits.js';
import { calledBy, named } from '../places.js';
import { fitMessages, fitMessagesAsync } from './index.js';
import { listMessages } from './request-messages.js';
import { systemIn, toolsIn } from './request-parts.js';
import { firstOf, shapeOf } from '../providers/request.js';
import type { Shape } from '../providers/request.js';
import type { FitRequestResult, FitRequestSettings, FitResult } from '../../index.js';

/** Those of `fitRequest`. */
type Options = FitRequestSettings<object>;
/** What is read of a request. */
type Request = Record<string, unknown>;

const AT = 'fitRequest(): request';
const nameOf = (path: string) => `${AT}.${path}`;

/** See `index.d.ts`. */
function fitRequest(given: object, givenOptions: unknown): FitRequestResult<object> {
  const { messages, options, finish } = begin('fitRequest', given, givenOptions);
  return finish(fitMessages(messages, options));
}

/** See `index.d.ts`. */
async function fitRequestAsync(given: object, givenOptions: unknown): Promise<FitRequestResult<object>> {
  try {
    const { messages, options, finish } = begin('fitRequestAsync', given, givenOptions);
    return finish(await fitMessagesAsync(messages, options));
  } catch (error) {
    throw calledBy('fitRequestAsync', 'fitRequest', error);
  }
}

/** Checks the arguments, and takes the request apart. `finish` puts it together. */
function begin(verb: 'fitRequest' | 'fitRequestAsync', given: object, givenOptions: unknown) {
  const options = copyOptions(verb, checkOptions(verb, givenOptions));
  const shape = shapeOf(given, options.format, AT);
  // A callback may change what was given.
  const request: Request = { ...given };
  const { messages, put } = listMessages(request[shape.messages], shape.format, `${AT}.${shape.messages}`);
  if (options.originals != null) checkRestorable(messages, options.originals, 'messages', 'fitRequest(): options.originals');
  const system = systemIn(request, shape, nameOf);
  const tools = toolsIn(request, shape, nameOf);
  if (shape.hasBudget?.(request)) options.thinking ??= 'leave';
  takeLimits(options, request, shape);
  const finish = (result: FitResult<object>) => ({ request: { ...request, [shape.messages]: put(result.messages) }, ...result });
  return { messages, options: { ...options, format: shape.format, system, tools }, finish };
}

/** Takes from the request what the options don't say: the model, and the maximum tokens of the answer. */
function takeLimits(options: Options, request: Request, { output }: Shape) {
  options.roles ??= rolesFor(options.model ?? request.model);
  if (options.model == null && findModel((request.model ?? '') as string) !== undefined) options.model = request.model as string;
  const answer = firstOf(request, output);
  if (answer !== undefined) tokensFrom0(`${AT}.${answer.path}`, answer.value, {});
  if (options.limit != null) return;
  const window = options.window ?? modelOf(options, AT)?.window;
  if (window === undefined) throw new TypeError(`fitRequest(): options must give ${missing(options, request)}`);
  const isGiven = options.maxOutputTokens != null;
  if (!isGiven) options.maxOutputTokens = answer?.value;
  const most = options.maxOutputTokens as number | undefined;
  if (most === undefined || most < window) return;
  const place = isGiven ? 'fitRequest(): options.maxOutputTokens' : `${AT}.${answer?.path}`;
  throw new RangeError(`${place} must be less than the window (${window}), got ${most}`);
}

/** What is missing, because the model gives no window. */
function missing(options: Options, request: Request) {
  if (options.model != null) return `a limit or a window, because the window of ${shown(options.model)} is not known`;
  return request.model == null
    ? 'a limit, a window or a model, because request.model is not given'
    : 'a limit or a window, because request.model is not a model that palimpsest knows (https://github.com/palimpsest-dev/palimpsest/blob/main/docs/reference/models.md)';
}

const fitRequestNamed = named('fitRequest', fitRequest);
export { fitRequestAsync, fitRequestNamed as fitRequest };
