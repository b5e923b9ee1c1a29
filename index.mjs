// The same functions as `require('palimpsest')`, under names that ES modules can import.
import palimpsest from './index.js';

export const { compress } = palimpsest;
export default palimpsest;
