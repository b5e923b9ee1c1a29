// @ts-check
'use strict';

const native = require('../native.js');
const { checkString, checkStrings } = require('../checks.js');

/** What a format is called, and how its pieces and the summary of the rest are put together. */
const RECONSTRUCT = {
  code: (preserved, summary) => `${summary}\n\n${preserved.join('\n\n')}`,
  structured_output: (preserved, summary) => withSummary(preserved, summary).join(' | '),
  xml: (preserved, summary) => preserved.join('\n') + (summary === '' ? '' : `\n<!-- ${summary} -->`),
  yaml: (preserved, summary) => withSummary(preserved, summary && `# ${summary}`).join('\n'),
  markdown: (preserved, summary) => withSummary(preserved, summary).join('\n\n'),
};

const withSummary = (preserved, summary) => (summary === '' ? preserved : [...preserved, summary]);

/** What answers for the format of a name. */
function builtIn(name) {
  const ask = (question) => (content) => {
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

/** The built-in adapters by their names; `index.js` puts the names to them. */
module.exports = Object.fromEntries(Object.keys(RECONSTRUCT).map((name) => [name, builtIn(name)]));
