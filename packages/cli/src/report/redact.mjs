// @ts-check

/** @typedef {import('../types.d.ts').Report} Report */

/**
 * The report without what the messages say. Names of tools, files and models stay.
 *
 * @param {Report} report
 * @returns {Report}
 */
export function withoutContents(report) {
  const sessions = report.sessions.map(({ messages, ...session }) => ({
    ...session,
    title: session.id,
    ...(messages && {
      messages: messages.map(({ after: _, parts, ...message }) => ({
        ...message,
        parts: parts.map(({ text, chars, ...part }) => ({ ...part, text: '', chars: chars ?? text.length })),
      })),
    }),
  }));
  return { ...report, sessions };
}
