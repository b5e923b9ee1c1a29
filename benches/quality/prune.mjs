// Measures how much `prune` saves of recorded Claude Code sessions, and how many of the facts that the agent uses next it keeps.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { CUTS, commonIn, cutsOf, lostIn } from './facts.mjs';

const { prune, restore, validate } = createRequire(import.meta.url)('palimpsest');

const FILE = 'native/entire-claude-code.anthropic.json';
const FORMAT = 'anthropic';
const viaJson = (value) => JSON.parse(JSON.stringify(value));

/** Keys whose values nobody reads: what kind a block is, what it belongs to, signatures, the data of images. */
const UNREAD = new Set(['type', 'id', 'tool_use_id', 'is_error', 'signature', 'data', 'source', 'cache_control']);

/** Every text and number in the content of an Anthropic message, thinking and arguments included. */
export function textOf({ content }) {
  const texts = [];
  const collect = (value) => {
    if (value === null || typeof value !== 'object') texts.push(String(value));
    else for (const [key, inner] of Object.entries(value)) if (!UNREAD.has(key)) collect(inner);
  };
  collect(content);
  return texts.join('\n');
}

/** Number of violations of each rule. */
function problems(messages) {
  const counts = new Map();
  for (const { rule } of validate(messages, { format: FORMAT })) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return counts;
}

/** Tells whether no rule is broken more often in `after` than in `before`. */
const isAsValid = (before, after) => [...after].every(([rule, count]) => count <= (before.get(rule) ?? 0));

function sessionRow({ id, messages }, options, isCommon) {
  const { messages: pruned, originals, report } = prune(messages, options);
  const before = problems(messages);
  const cuts = cutsOf(messages, textOf, isCommon).map(({ cut, past, facts }) => ({
    cut,
    facts: facts.length,
    lost: lostIn(prune(past, options).messages.map(textOf), facts).length,
  }));
  return {
    id,
    messages: messages.length,
    tokens: report.tokens,
    wasValid: before.size === 0,
    isAsValid: isAsValid(before, problems(pruned)),
    isRestored: JSON.stringify(restore(viaJson(pruned), viaJson(originals)).messages) === JSON.stringify(messages),
    cuts,
  };
}

const sum = (list, of) => list.reduce((total, one) => total + of(one), 0);

/** Prunes sessions with `options`: a row for each, and all of them. `lost` are shares from 0 to 1 over the cuts with facts. */
function measure(sessions, options) {
  const isCommon = commonIn(sessions.map(({ messages }) => messages.map(textOf)));
  const rows = sessions.map((session) => sessionRow(session, { format: FORMAT, ...options }, isCommon));
  const cuts = rows.flatMap((row) => row.cuts);
  return {
    rows,
    messages: sum(rows, (row) => row.messages),
    tokens: { before: sum(rows, ({ tokens }) => tokens.before), after: sum(rows, ({ tokens }) => tokens.after) },
    wasValid: rows.filter((row) => row.wasValid).length,
    isAsValid: rows.filter((row) => row.isAsValid).length,
    isRestored: rows.filter((row) => row.isRestored).length,
    cuts: CUTS.map((cut) => {
      const here = cuts.filter((one) => one.cut === cut);
      return { cut, facts: sum(here, ({ facts }) => facts), lost: sum(here, ({ lost }) => lost) };
    }),
    lost: {
      mean: sum(cuts, ({ facts, lost }) => lost / facts) / cuts.length,
      pooled: sum(cuts, ({ lost }) => lost) / sum(cuts, ({ facts }) => facts),
    },
  };
}

/** A session as an agent has it whose model doesn't think, or that doesn't send thinking back. */
function withoutThinking({ messages, ...session }) {
  const isThinking = ({ type }) => type === 'thinking' || type === 'redacted_thinking';
  const spoken = messages.map((message) =>
    typeof message.content === 'string' ? message : { ...message, content: message.content.filter((block) => !isThinking(block)) },
  );
  return { ...session, messages: spoken.filter(({ content }) => content.length > 0) };
}

/**
 * @param {URL} corpus the folder of recorded conversations
 * @returns {{ name: string, measured: object }[]} what `measure` finds, by what is done with which sessions
 */
export function measurePrune(corpus) {
  const sessions = JSON.parse(readFileSync(new URL(FILE, corpus), 'utf8'));
  const keep = { recent: 6 };
  return [
    { name: 'as recorded', measured: measure(sessions, { keep }) },
    { name: "as recorded, `thinking: 'strip'`", measured: measure(sessions, { keep, thinking: 'strip' }) },
    { name: 'without their thinking', measured: measure(sessions.map(withoutThinking), { keep }) },
  ];
}
