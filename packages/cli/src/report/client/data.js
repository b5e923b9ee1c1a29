// The data of the report, as they are embedded in the page.
import { byId } from './dom.js';

export const report = JSON.parse(byId('data').textContent);
