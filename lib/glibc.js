// @ts-check
'use strict';

/** Returns the version of glibc that this process uses; undefined on musl. Node's report takes milliseconds. */
function glibcVersion() {
  /** @type {any} the types of Node know neither of the two */
  const report = process.report;
  report.excludeNetwork = true; // otherwise a report may wait for reverse DNS
  return report.getReport().header.glibcVersionRuntime;
}

module.exports = { glibcVersion };
