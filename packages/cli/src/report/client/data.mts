// The data of the report, as they are embedded in the page.
import { byId } from './dom.mjs';
import type { Report } from '../../types.mjs';

export const report: Report = JSON.parse(byId('data').textContent ?? '');
