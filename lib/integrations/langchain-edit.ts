import { mergeOriginals } from '../agent/merge.js';
import { fit, fitAsync } from '../fit/index.js';
import { findModel, rolesFor } from '../models.js';
import { checkOwnOptions } from '../options/index.js';
import { edit as OPTIONS } from '../options/integrations.js';
import { belonging } from './belonging.js';
import { Guard } from './guard.js';
import { nameOf, toldBy } from './langchain-model.js';
import type { BaseMessage, ContextEdit } from 'langchain';
import type { FitResult } from '../../index.js';
import type { PalimpsestEditOptions, PalimpsestEditSettings } from './langchain.js';

const CALLER = 'palimpsestEdit()';

/**
 * Edit for `contextEditingMiddleware`, to use with others of its kind: `fit` to a limit, which the model's name may give.
 *
 * LangChain hands its edits the array of the graph's state, so the state keeps what they leave: with `ClearToolUsesEdit` as with this one.
 * {@link palimpsestMiddleware} leaves the state whole. The messages themselves are never changed.
 *
 * @example
 * import { contextEditingMiddleware, createAgent } from 'langchain';
 * import { palimpsestEdit } from 'palimpsest/langchain';
 *
 * const originals = {};
 * const middleware = [contextEditingMiddleware({ edits: [palimpsestEdit({ limit: 100_000, originals })] })];
 *
 * @throws {TypeError} an option is wrong
 * @throws {RangeError} a number is out of range
 */
export function palimpsestEdit(options?: PalimpsestEditOptions | null): ContextEdit {
  const { low, onFit, onError, ...own }: PalimpsestEditSettings = { ...checkOwnOptions(CALLER, OPTIONS, options) };
  const guard = new Guard(CALLER, onError as ConstructorParameters<typeof Guard>[1]);
  const share = low ?? OPTIONS.low.default;

  async function edit({ messages, model }: Parameters<ContextEdit['apply']>[0]) {
    const roles = own.roles ?? rolesFor(own.model ?? nameOf(model));
    const thinking = own.thinking ?? (toldBy(model).hasBudget ? 'leave' : undefined);
    const settings = { ...own, ...modelOf(own, model), roles, thinking, format: 'langchain' };
    // What earlier rounds took out stays out until the limit is exceeded again, so that the cached prefix holds.
    const { summarizer, concurrency, ...plain } = settings;
    const { tokens, ...whole }: FitResult<BaseMessage> = fit(messages, { ...plain, originals: undefined });
    if (whole.messages.length === messages.length && whole.messages.every((message, index) => message === messages[index])) return;
    const target = { limit: Math.floor(share * tokens.limit), margin: (tokens.margin ?? 0) / tokens.limit };
    const result: FitResult<BaseMessage> = await fitAsync(messages, {
      ...settings,
      window: undefined,
      maxOutputTokens: undefined,
      calibration: undefined,
      ...target,
    });
    if (own.originals) Object.assign(own.originals, mergeOriginals(own.originals, result.originals));
    // The array belongs to the graph's state, and is what LangChain's own edits write to. The messages in it are never changed.
    messages.length = 0;
    for (const message of result.messages) messages.push(message);
    await onFit?.(result);
  }

  return belonging({ apply: (request: Parameters<ContextEdit['apply']>[0]) => guard.run(() => edit(request), request) }, [
    CALLER,
    'langchain',
  ]);
}

/** The model of the request, if it has to give the window. */
function modelOf({ limit, window, model }: PalimpsestEditSettings, given: unknown) {
  if (limit != null || window != null || model != null) return {};
  const name = nameOf(given);
  if (name !== undefined && findModel(name) !== undefined) return { model: name };
  throw new TypeError(`${CALLER}: options must give a limit or a window, because the window of the model is not known`);
}
