// Plays rounds at random: prune, fit, compress, appending, undoing, going back to a branch, and originals merged in any order. Conversations repeat
// what was said before, word for word and with the same ids, so that what a round takes out is soon in its place again.
//   node __test__/restore/rounds.mjs [--minutes 10] [--seed 1 | --one SEED] [--format gemini]
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { compress, countTokens, fit, mergeOriginals, prune, restore } from 'palimpsest';
import { Random } from '../support/random.mjs';
import { FORMATS, sayIn } from '../support/transcripts.mjs';

const lines = (count, line) => Array.from({ length: count }, (_, index) => line(index)).join('\n');
const code = lines(40, (index) => `export const value${index} = compute(${index * 7}, 'shard');`);
const log = lines(60, (index) => `12:0${index % 10} wrote ${index} rows to the shard of the harbour`);
const TEXTS = ['ok', 'Go on.', 'Why is that so?', `${'The lamp keeper repaired the lantern before dusk. '.repeat(12)}Is that so?`];
const RESULTS = [
  ['Read', { path: 'a.ts' }, code],
  ['Read', { path: 'a.ts' }, `${code}\n// changed`],
  ['Read', { path: 'b.ts' }, code],
  ['Edit', { path: 'a.ts', old_string: code.slice(0, 400), new_string: code.slice(0, 500) }, 'ok'],
  ['Bash', { command: 'npm test' }, log],
  ['Bash', { command: 'npm test' }, `Error: it fails\n${lines(30, (index) => `    at step${index} (/app/a.ts:${index}:1)`)}`],
];

/** Messages of one exchange. With reused ids, the first call of each has the same. */
function exchange(random, format, { calls, fresh }) {
  const turns = [{ who: 'user', text: random.pick(TEXTS), more: [] }];
  let call = fresh === undefined ? 0 : 100 * fresh;
  for (let step = random.integer(0, 3); step > 0; step--) {
    const made = Array.from({ length: random.integer(1, calls) }, () => {
      const [name, args, blocks] = random.pick(RESULTS);
      return { id: `call_${++call}`, name, args, answered: true, result: { blocks, json: null, failed: blocks.startsWith('Error') } };
    });
    turns.push({ who: 'assistant', reasoning: null, text: random.chance(0.5) ? random.pick(TEXTS) : null, calls: made, odd: false });
  }
  turns.push({ who: 'assistant', reasoning: null, text: random.pick(TEXTS), calls: [], odd: false });
  return sayIn(format, { system: null, turns });
}

/** The same messages as other objects. */
const structured = (messages, format) => (format === 'langchain' ? messages.slice() : structuredClone(messages));
const viaJson = (value) => JSON.parse(JSON.stringify(value));
/** As `jsonb` keeps an object. */
const sorted = (object) => Object.fromEntries(Object.entries(object).sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1)));
const shuffled = (random, list) => {
  const left = list.slice();
  return Array.from({ length: left.length }, () => left.splice(random.integer(0, left.length - 1), 1)[0]);
};

/**
 * Plays one conversation.
 *
 * @returns {{ log: string[], checks: number, named: number, unknown: boolean, fault?: string }} `named`: how often something was in
 *   `missing`; `unknown`: whether this was not put back, as can be where there are branches
 */
export function playRounds(seed, format) {
  const random = new Random(seed);
  const kind = { calls: random.integer(1, 3), fresh: random.chance(0.3) ? 0 : undefined };
  const keepsBranches = random.chance(0.3);
  const system = random.chance(0.5) ? sayIn(format, { system: 'Be brief.', turns: [] }) : [];
  // What is said again and again.
  const said = Array.from({ length: random.integer(1, 3) }, () => exchange(random, format, kind));
  let state = { current: system, full: system };
  const rounds = [];
  const snapshots = [state];
  let hasBranches = false;
  // Messages, as JSON, and the history that they stood for.
  const stoodFor = new Map();
  let isTwofold = false;
  const played = [];
  const result = { log: played, checks: 0, named: 0, unknown: false, fault: undefined };
  const merged = () => {
    const how = random.pick(['order', 'order', 'any', 'store', 'spread']);
    const list = (how === 'any' ? shuffled(random, rounds) : rounds).map((one) =>
      how === 'store' && format !== 'langchain' ? sorted(viaJson(one)) : one,
    );
    const originals = how === 'spread' ? Object.assign({}, ...list) : mergeOriginals(...list);
    return { how, originals: how === 'store' && random.chance(0.5) ? sorted(originals) : originals };
  };
  for (let step = random.integer(3, 14); step > 0; step--) {
    const { current, full } = state;
    const what = random.pick(['append', 'append', 'append', 'prune', 'prune', 'fit', 'fit', 'compress', 'undo', 'handed', 'back']);
    if (what === 'append') {
      if (kind.fresh !== undefined) kind.fresh++;
      const more = kind.fresh === undefined && random.chance(0.8) ? structured(random.pick(said), format) : exchange(random, format, kind);
      state = { current: [...current, ...more], full: [...full, ...more] };
      played.push(`append ${more.length}`);
    } else if (what === 'prune') {
      const options = { format, keep: { recent: random.pick([0, 0, 2]) }, mode: random.pick(['stub', 'stub', 'remove']) };
      const { messages, originals } = prune(current, options);
      rounds.push(originals);
      state = { current: messages, full };
      played.push(`prune ${JSON.stringify(options)}: ${Object.keys(originals)}`);
    } else if (what === 'compress') {
      const { messages, verbatim } = compress(current, { format, recencyWindow: random.pick([0, 2]), relevanceThreshold: 0 });
      rounds.push(verbatim);
      state = { current: messages, full };
      played.push(`compress: ${Object.keys(verbatim)}`);
    } else if (what === 'fit' || what === 'handed') {
      if (current.length === 0) continue;
      const budget = random.pick([1, 40, Math.floor(countTokens(current, { format }) * random.next())]);
      const given = what === 'handed' ? merged().originals : undefined;
      const { messages, originals, missing } = fit(current, { format, limit: budget, originals: given });
      rounds.push(originals);
      played.push(`${what} ${budget}: ${Object.keys(originals)}${missing.length > 0 ? `, missing ${missing}` : ''}`);
      state = { current: messages, full };
    } else if (what === 'undo') {
      const { how, originals } = merged();
      const back = restore(current, originals);
      played.push(`undo (${how})`);
      state = { current: back.messages, full };
    } else if (keepsBranches) {
      state = random.pick(snapshots);
      hasBranches = true;
      played.push('back');
    } else continue;
    if (random.chance(0.3)) snapshots.push(state);
    const [shown, meant] = [state.current, state.full].map((list) => JSON.stringify(list));
    isTwofold ||= (stoodFor.get(shown) ?? meant) !== meant;
    stoodFor.set(shown, meant);
    const { how, originals } = merged();
    const back = restore(state.current, originals);
    result.checks++;
    const [got, want] = [back.messages, state.full].map((list) =>
      list.map((message) => JSON.stringify(how === 'store' ? canonical(message) : message)),
    );
    if (back.missing.length > 0) result.named++;
    if (got.join('\n') === want.join('\n')) continue;
    const at = want.findIndex((text, index) => text !== got[index]);
    // Two branches may read alike. So may what a round was given, and what it left with the messages that were appended since.
    if (back.missing.length > 0 && (hasBranches || isTwofold)) {
      result.unknown = true;
      return result;
    }
    result.fault = `merged: ${how}, missing ${back.missing}, ${got.length} of ${want.length} messages; ${at}: ${String(got[at]).slice(0, 200)}\n  instead of ${String(want[at]).slice(0, 200)}`;
    return result;
  }
  return result;
}

const canonical = (value) =>
  value === null || typeof value !== 'object' || typeof value.toJSON === 'function'
    ? value
    : Array.isArray(value)
      ? value.map(canonical)
      : Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, inner]) => [key, canonical(inner)]),
        );

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '10' },
      seed: { type: 'string', default: '1' },
      format: { type: 'string' },
      one: { type: 'string' },
    },
  });
  const until = Date.now() + Number(values.minutes) * 60_000;
  const count = { conversations: 0, checks: 0, named: 0, unknown: 0, faults: 0 };
  let shortest;
  for (let seed = Number(values.one ?? values.seed); Date.now() < until; seed++) {
    for (const format of values.format ? [values.format] : FORMATS) {
      let played;
      try {
        played = playRounds(seed, format);
      } catch (error) {
        played = { log: [error.stack], checks: 0, named: 0, fault: 'throws' };
      }
      count.conversations++;
      count.checks += played.checks;
      count.named += played.named;
      count.unknown += Number(played.unknown);
      if (played.fault === undefined) continue;
      count.faults++;
      if (shortest === undefined || played.log.length < shortest.log.length) shortest = { seed, format, ...played };
    }
    if (values.one !== undefined) break;
  }
  if (shortest !== undefined) console.log(`seed ${shortest.seed}, ${shortest.format}\n  ${[...shortest.log, shortest.fault].join('\n  ')}`);
  console.log(JSON.stringify(count));
  process.exitCode = count.faults > 0 ? 1 : 0;
}
