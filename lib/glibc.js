'use strict';

/** The version of glibc on which this process runs; undefined on musl. Node knows it, but takes milliseconds to tell. */
function glibcVersion() {
  process.report.excludeNetwork = true; // otherwise a report may wait for reverse DNS
  return process.report.getReport().header.glibcVersionRuntime;
}

module.exports = { glibcVersion };
