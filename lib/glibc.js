// @ts-check
'use strict';

/** The version of glibc on which this process runs; undefined on musl. Node knows it, but takes milliseconds to tell. */
function glibcVersion() {
  /** @type {any} the types of Node know neither of the two */
  const report = process.report;
  report.excludeNetwork = true; // otherwise a report may wait for reverse DNS
  return report.getReport().header.glibcVersionRuntime;
}

module.exports = { glibcVersion };
