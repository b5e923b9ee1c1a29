// @ts-check
'use strict';

// Options that the integrations with SDKs share.

const { isObject, mismatch } = require('../checks.js');
const { fit } = require('./agent.js');
const { createSession } = require('./session.js');
const kinds = require('./kinds.js');
const { outputTokens } = require('./limits.js');

const { boolean, func, numberWhere } = kinds;

/** Options of sessions without those that name one conversation: an integration finds the sessions of many. */
const { store: _store, id: _id, storeTimeout: _timeout, ...session } = createSession;

/**
 * Those of `createSession`, of which the model of a request may stand for `limit` and `window`, and those of finding its session.
 *
 * @type {Record<string, import('./shared.js').Option>}
 */
const integration = {
  ...session,
  maxOutputTokens: { kind: outputTokens('limit', true), default: 0, isRequired: true },
  session: { kind: func },
  conversations: { kind: numberWhere((value) => Number.isInteger(value) && value >= 1, 'a whole number from 1'), default: 100 },
  explainMarks: { kind: boolean, default: false },
  onStep: { kind: func },
  onError: { kind: func },
};

/** @type {import('./kinds.js').Check} */
function object(name, value) {
  if (!isObject(value)) throw mismatch(name, 'an object', value);
}

const { format, signal, ...fitting } = fit;
/**
 * Those of LangChain's edit: `fit` without what LangChain determines.
 *
 * @type {Record<string, import('./shared.js').Option>}
 */
const edit = {
  ...fitting,
  maxOutputTokens: { kind: outputTokens('budget', true), default: 0, isRequired: true },
  low: createSession.low,
  originals: { kind: object },
  onFit: { kind: func },
  onError: { kind: func },
};

module.exports = { createSession: session, edit, integration };
