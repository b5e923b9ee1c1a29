import type { GoneData, Report } from '../types.mjs';

/** Names that count: each name is replaced by the same one wherever it is. */
function numbered(noun: string): (name: string) => string {
  const numbers: Map<string, number> = new Map();
  return (name) => {
    if (!numbers.has(name)) numbers.set(name, numbers.size + 1);
    return `${noun} ${numbers.get(name)}`;
  };
}

/** Names of rows that stand for no file, or for several. */
const OWN_NAMES = new Set(['', '…']);

/** Marks quote what they stand for, and what superseded something is named. */
const withoutQuotes = ({ mark: _mark, markOf: _markOf, because: _because, ...gone }: GoneData): GoneData => gone;

/** The report without what the messages say. Files, folders and sessions have numbers in place of their names; tools and models keep theirs. */
export function withoutContents(report: Report): Report {
  const [fileOf, folderOf, transcriptOf] = [numbered('file'), numbered('folder'), numbered('transcript')];
  // The proxy's names are numbers already, and stay the same while requests come.
  const nameOf = (id: string, index: number) => (report.isProxied ? id : `session ${index + 1}`);
  const sessions = report.sessions.map(({ messages, cwd, file, ...session }, index) => ({
    ...session,
    id: nameOf(session.id, index),
    title: nameOf(session.id, index),
    file: transcriptOf(file),
    ...(cwd !== undefined && { cwd: folderOf(cwd) }),
    ...(messages && {
      messages: messages.map(({ after: _, file: path, parts, gone, ...message }) => ({
        ...message,
        ...(gone && { gone: withoutQuotes(gone) }),
        ...(path !== undefined && { file: fileOf(path) }),
        parts: parts.map(({ text, chars, ...part }) => ({ ...part, text: '', chars: chars ?? text.length })),
      })),
    }),
  }));
  const where = report.where.map(({ by, rows }) => ({
    by,
    rows: by === 'file' ? rows.map((row) => (OWN_NAMES.has(row.name) ? row : { ...row, name: fileOf(row.name) })) : rows,
  }));
  const spend = report.spend.map(({ by, rows }) => ({
    by,
    rows: by === 'project' ? rows.map((row) => (OWN_NAMES.has(row.name) ? row : { ...row, name: folderOf(row.name) })) : rows,
  }));
  // What was called says what it says; of tools the name stays.
  const findings = report.findings.map((finding) => {
    if (finding.isFile) return { ...finding, subject: fileOf(finding.subject) };
    return finding.kind === 'commands' || finding.kind === 'carried' ? { ...finding, subject: '' } : finding;
  });
  // Before the last colon of a reason may be the id of a session.
  const skipped = report.skipped.map(({ file, reason }) => ({ file: transcriptOf(file), reason: reason.split(': ').at(-1) ?? reason }));
  return { ...report, sessions, spend, findings, where, skipped };
}
