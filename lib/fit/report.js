'use strict';

const { counted, grouped, percent } = require('../agent/report.js');

/** Why a message stays, by the engine's numbers (`Why` in `src/agent/fit/choose.rs`). */
const WHY = ['budget', 'system', 'keep', 'valid', 'current', 'user', 'worth'];

/**
 * What a fitting came to; see `FitReport` in `index.d.ts`. As a string it is one line.
 *
 * @param {import('./session.js').Session} session
 * @param {{ written: { messages: object[], sources: { first: number, last: number }[] }, choice?: { why: Uint8Array } }} made
 * @param {{ before: number, after: number, budget: number }} tokens
 * @param {{ asked: number, used: number, refused: number } | undefined} summaries
 * @param {boolean} isTraced
 */
function createReport(session, { written, choice }, tokens, summaries, isTraced) {
  const { messages } = session;
  const actions = new Array(messages.length).fill('remove');
  const becomes = new Array(messages.length);
  written.messages.forEach((message, index) => {
    const { first, last } = written.sources[index];
    becomes[last] = message;
    for (let at = first; at <= last; at++) actions[at] = first === last && message === messages[at] ? 'keep' : 'cut';
  });
  const count = (action) => actions.filter((one) => one === action).length;
  const saved = { cut: 0, removed: 0 };
  const trace = messages.map((message, index) => {
    const before = session.tokensOf(message);
    const after = actions[index] === 'keep' ? before : becomes[index] === undefined ? 0 : session.tokensOf(becomes[index]);
    if (actions[index] === 'cut') saved.cut += before - after;
    if (actions[index] === 'remove') saved.removed += before;
    return { message: index, action: actions[index], why: WHY[choice?.why[index] ?? WHY.indexOf('worth')], tokens: { before, after } };
  });
  const report = {
    messages: { before: messages.length, after: written.messages.length, kept: count('keep'), cut: count('cut'), removed: count('remove') },
    saved,
    ...(summaries === undefined ? {} : { summaries }),
  };
  report.summary = summarize(report, tokens);
  if (isTraced) report.trace = trace;
  return Object.defineProperty(report, 'toString', { value: () => report.summary });
}

function summarize({ messages, summaries }, { before, after, budget }) {
  const said = summaries === undefined ? [] : [counted(summaries.used, 'summary', 'summaries')];
  return [
    `${grouped(messages.before)} → ${counted(messages.after, 'message')} (${grouped(messages.kept)} kept, ${grouped(messages.cut)} cut, ${grouped(messages.removed)} removed)`,
    `${grouped(before)} → ${counted(after, 'token')} of ${grouped(budget)} (-${percent(before - after, before)})`,
    ...said,
  ].join(' · ');
}

module.exports = { createReport };
