import native from '../native.js';
import { checkString, checkStrings } from '../checks.js';
import type { Foreign } from '../types.js';

/** Name of each format, and the way its pieces and the summary of the rest are joined. */
const RECONSTRUCT = {
  code: (preserved, summary) => `${summary}\n\n${preserved.join('\n\n')}`,
  structured_output: (preserved, summary) => withSummary(preserved, summary).join(' | '),
  xml: (preserved, summary: string) => preserved.join('\n') + (summary === '' ? '' : `\n<!-- ${summary} -->`),
  yaml: (preserved, summary) => withSummary(preserved, summary && `# ${summary}`).join('\n'),
  markdown: (preserved, summary) => withSummary(preserved, summary).join('\n\n'),
};

const withSummary = (preserved, summary: string) => (summary === '' ? preserved : [...preserved, summary]);

/** Makes the adapter of a format. */
function builtIn(name: string) {
  const ask = (question: string) => (content: Foreign) => {
    checkString(`content for the adapter '${name}'`, content);
    return native[question](name, content);
  };
  return {
    detect: ask('detectFormat'),
    extractPreserved: ask('preservedPieces'),
    extractCompressible: ask('compressiblePieces'),
    reconstruct(preserved, summary) {
      checkStrings(`preserved for the adapter '${name}'`, preserved);
      checkString(`summary for the adapter '${name}'`, summary);
      return RECONSTRUCT[name](preserved, summary);
    },
  };
}

/** The built-in adapters by name; `index.js` adds the names to them. */
export default Object.fromEntries(Object.keys(RECONSTRUCT).map((name) => [name, builtIn(name)]));
