// The data of the report, as they are embedded in the page.
import { byId } from './dom.js';
import type { Report } from '../../types.js';

export const report: Report = JSON.parse(byId('data').textContent ?? '');
