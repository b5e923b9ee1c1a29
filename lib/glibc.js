// @ts-check
'use strict';

/**
 * Returns the version of glibc on which this process runs, or undefined on musl. Node takes milliseconds to find out.
 *
 * @returns {string | undefined}
 */
function glibcVersion() {
  // The types of Node lack both properties.
  const report = /** @type {any} */ (process.report);
  report.excludeNetwork = true; // otherwise a report may wait for reverse DNS
  return report.getReport().header.glibcVersionRuntime;
}

module.exports = { glibcVersion };
