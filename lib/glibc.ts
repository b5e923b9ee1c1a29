/** Returns the version of glibc that this process uses; undefined on musl. Node's report takes milliseconds. */
export function glibcVersion() {
  const report = process.report as typeof process.report & { excludeNetwork: boolean };
  report.excludeNetwork = true; // otherwise a report may wait for reverse DNS
  const { header } = report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime;
}
