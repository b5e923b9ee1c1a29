// @ts-check
import { createHash } from 'node:crypto';

/** The source of a content security policy that allows an inline script or style of this text alone. @param {string} text */
export const sourceOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
