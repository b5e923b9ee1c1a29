// Options that the integrations with SDKs share.

import { isObject, mismatch } from '../checks.js';
import { fitAsync } from './agent.js';
import { createSession } from './session.js';
import * as kinds from './kinds.js';
import { outputTokens } from './limits.js';
import type { Table } from './shared.js';
import type { PalimpsestEditSettings } from '../integrations/langchain.js';
import type { IntegrationSettings } from '../integrations/options.js';

const { boolean, func, numberWhere } = kinds;

/** Options of sessions without those that name one conversation: an integration finds the sessions of many. */
const { store: _store, id: _id, storeTimeout: _timeout, ...session } = createSession;

/** Those of `createSession`, of which the model of a request may stand for `limit` and `window`, and those of finding its session. */
export const integration = {
  ...session,
  maxOutputTokens: { kind: outputTokens(true), default: 0, isRequired: true },
  session: { kind: func },
  conversations: { kind: numberWhere((value) => Number.isInteger(value) && value >= 1, 'a whole number from 1'), default: 100 },
  explainMarks: { kind: boolean, default: true },
  onStep: { kind: func },
  onError: { kind: func },
} satisfies Table<IntegrationSettings>;

function object(name: string, value: unknown): void {
  if (!isObject(value)) throw mismatch(name, 'an object', value);
}

const { format, signal, ...fitting } = fitAsync;
/** Those of LangChain's edit: `fit` without what LangChain determines. */
export const edit = {
  ...fitting,
  maxOutputTokens: { kind: outputTokens(true), default: 0, isRequired: true },
  low: createSession.low,
  originals: { kind: object },
  onFit: { kind: func },
  onError: { kind: func },
} satisfies Table<PalimpsestEditSettings>;

export { session as createSession };
