// Options of shadow requests, as a function and as an option of integrations.

import * as kinds from './kinds.js';
import type { Table } from './shared.js';
import type { ShadowOptions } from '../../index.js';

const { func, numberWhere, object } = kinds;

export const createShadow = {
  share: { kind: numberWhere((value) => value > 0 && value <= 1, 'a share above 0, at most 1'), isRequired: true },
  maxTokens: { kind: numberWhere((value) => Number.isInteger(value) && value >= 1, 'a whole number from 1'), isRequired: true },
  onResult: { kind: func },
} satisfies Table<ShadowOptions>;

/** As an option of what sends requests. */
export const shadow = { kind: object(createShadow) };
