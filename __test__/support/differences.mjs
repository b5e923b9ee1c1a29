// The numbers of docs/reference/differences.md.
import { readFileSync } from 'node:fs';

const page = readFileSync(new URL('../../docs/reference/differences.md', import.meta.url), 'utf8');

/** In the order of the page. */
export const DIFFERENCES = [...page.matchAll(/^\| (D\d+) \|/gm)].map(([, number]) => number);

/** Those of `reasons` (`D4: why`) whose number the page lacks. */
export const unnumbered = (reasons) => reasons.filter((reason) => !DIFFERENCES.includes(reason.split(':')[0]));
