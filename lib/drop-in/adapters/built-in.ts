import native from '../../native.js';
import { checkString, checkStrings } from '../../checks.js';

/** Name of each format, and the way its pieces and the summary of the rest are joined. */
const RECONSTRUCT: Record<string, (preserved: string[], summary: string) => string> = {
  code: (preserved: string[], summary: string) => `${summary}\n\n${preserved.join('\n\n')}`,
  structured_output: (preserved: string[], summary: string) => withSummary(preserved, summary).join(' | '),
  xml: (preserved: string[], summary: string) => preserved.join('\n') + (summary === '' ? '' : `\n<!-- ${summary} -->`),
  yaml: (preserved: string[], summary: string) => withSummary(preserved, summary && `# ${summary}`).join('\n'),
  markdown: (preserved: string[], summary: string) => withSummary(preserved, summary).join('\n\n'),
};

const withSummary = (preserved: string[], summary: string) => (summary === '' ? preserved : [...preserved, summary]);

/** Makes the adapter of a format. */
function builtIn(name: string) {
  const ask =
    <Q extends 'detectFormat' | 'preservedPieces' | 'compressiblePieces'>(question: Q) =>
    (content: string) => {
      checkString(`content for the adapter '${name}'`, content);
      return native[question](name, content) as ReturnType<(typeof native)[Q]>;
    };
  return {
    detect: ask('detectFormat'),
    extractPreserved: ask('preservedPieces'),
    extractCompressible: ask('compressiblePieces'),
    reconstruct(preserved: string[], summary: string) {
      checkStrings(`preserved for the adapter '${name}'`, preserved);
      checkString(`summary for the adapter '${name}'`, summary);
      return RECONSTRUCT[name](preserved, summary);
    },
  };
}

/** The built-in adapters by name; `index.ts` adds the names to them. */
export default Object.fromEntries(Object.keys(RECONSTRUCT).map((name) => [name, builtIn(name)]));
