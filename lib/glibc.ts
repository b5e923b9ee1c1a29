/** Returns the version of glibc that this process uses; undefined on musl. Node's report takes milliseconds. */
export function glibcVersion() {
  const report: any = process.report;
  report.excludeNetwork = true; // otherwise a report may wait for reverse DNS
  return report.getReport().header.glibcVersionRuntime;
}
