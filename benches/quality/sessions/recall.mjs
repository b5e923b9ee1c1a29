// What one recall for each fact that a session's request lacks adds: a session that cuts deeper, with recall, beside one that cuts less,
// without. The query for a fact is that of `../recall.mjs`.
import { createRequire } from 'node:module';
import { RECALL_TOKENS, queryFor } from '../recall.mjs';
import { judgesOf, stepsOf, Words } from '../../../packages/cli/dist/analysis/facts.mjs';
import { session } from './policies.mjs';
import { FORMAT, createReader } from './reading.mjs';
import { PRICES } from './bills.mjs';
import { readTracks } from './tracks.mjs';

const require = createRequire(import.meta.url);
const { RecallIndex } = require('../../../unbundled/recall/recall-index.js');
const { textOf } = require('../../../unbundled/recall/place.js');
const { formatNamed } = require('../../../unbundled/providers/index.js');

/** Number of messages after a step that come next. */
const FUTURE = 10;
/** The window in tokens, and about how many steps of a track are judged: as in the table of sessions. */
const WINDOW = 64_000;
const SAMPLES = 60;
/** Shares of the limit that epochs leave. */
export const LOWS = [0.5, 0.35];

/** The messages of an Anthropic message as `queryFor` reads them. */
function plain({ role, content }) {
  if (typeof content === 'string') return [{ role, content }];
  return content.flatMap((block) => {
    if (block.type === 'text') return [{ role, content: block.text }];
    if (block.type === 'tool_use')
      return [{ role, tool_calls: [{ id: block.id, function: { name: block.name, arguments: JSON.stringify(block.input) } }] }];
    if (block.type !== 'tool_result') return [];
    const said = typeof block.content === 'string' ? block.content : (block.content ?? []).map(({ text }) => text ?? '').join('\n');
    return [{ role: 'tool', content: said }];
  });
}

/** Plays a track; the means of what is grounded without and with recall at the judged steps. */
function play({ messages, times }, low, { limit, read, judges }) {
  const format = formatNamed(FORMAT);
  const index = new RecallIndex();
  let now = 0;
  const policy = session({ low })({ limit, prices: PRICES.anthropic, now: () => now });
  const rows = [];
  let from = 0;
  for (const step of stepsOf(messages)) {
    now = times[step - 1];
    const { messages: request } = policy.next(messages.slice(from, step));
    from = step;
    const { old, groundedOf } = judges.get(step) ?? {};
    if (groundedOf === undefined) continue;
    const lost = old.filter((word) => !groundedOf(request.map(read))(word));
    if (lost.length > 0) {
      const added = index.messages;
      index.append(format.read(messages.slice(0, step)).filter(({ message }) => message >= added));
      index.setSent(format.read(request));
    }
    const next = messages.slice(step, step + FUTURE).flatMap(plain);
    const isFound = (word) => {
      const query = queryFor(next, word);
      const content = textOf(index.search(query, { limit: RECALL_TOKENS, tokenizer: 'o200k_base', isPlain: true }));
      return content !== '' && groundedOf([read({ role: 'user', content })])(word);
    };
    const found = lost.filter(isFound).length;
    rows.push({ without: 1 - lost.length / old.length, with: 1 - (lost.length - found) / old.length, lost: lost.length, found });
  }
  const mean = (of) => rows.reduce((sum, row) => sum + of(row), 0) / rows.length;
  const sum = (of) => rows.reduce((all, row) => all + of(row), 0);
  return {
    without: mean((row) => row.without),
    with: mean((row) => row.with),
    lost: sum((row) => row.lost),
    found: sum((row) => row.found),
  };
}

/**
 * @param {URL} shared the folder with `eval` and `corpus`
 * @param {(word: string) => boolean} isCommon
 * @returns {{ window: number, low: number, without: number, with: number, lost: number, found: number }[]} for each of `LOWS` the shares of
 *   the facts that are grounded, without and with one recall, means over the tracks; and how many of the lost ones are grounded by it
 */
export function measureSessionRecall(shared, isCommon) {
  const read = createReader();
  const tracks = readTracks(shared, (message) => read(message).tokens, { enough: 4 * WINDOW, least: 2 * WINDOW, most: 6 });
  const judged = tracks.map((track) => ({
    track,
    judges: judgesOf(new Words(track.messages.map(read)), isCommon, SAMPLES, stepsOf(track.messages)),
  }));
  return LOWS.map((low) => {
    const played = judged.map(({ track, judges }) => play(track, low, { limit: WINDOW, read, judges }));
    const sum = (of) => played.reduce((all, row) => all + of(row), 0);
    const mean = (of) => sum(of) / played.length;
    return {
      window: WINDOW,
      low,
      without: mean((row) => row.without),
      with: mean((row) => row.with),
      lost: sum((row) => row.lost),
      found: sum((row) => row.found),
    };
  });
}
