// The same functions as `require('palimpsest')`, under names that ES modules can import.
import palimpsest from './index.js';

export const {
  compress,
  uncompress,
  createSummarizer,
  createEscalatingSummarizer,
  createClassifier,
  createEscalatingClassifier,
} = palimpsest;
export default palimpsest;
