// The quality in docs/ and research/ is the measured one, and it doesn't get worse. `npm run quality -- --write` records it.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { commonIn, cutsOf, lostIn } from '../benches/quality/facts.mjs';
import { counts, meanOf, measureAsked, measureOrders } from '../benches/quality/asked.mjs';
import { COUNT } from '../benches/quality/orders.mjs';
import { RHOS, evaluate, measureFit } from '../benches/quality/fit.mjs';
import { measurePrune } from '../benches/quality/prune.mjs';
import { measureAuto } from '../benches/quality/auto.mjs';
import { measureEarly } from '../benches/quality/early.mjs';
import { readSection } from '../benches/quality/pages.mjs';
import { LEAST_RULES, LEAST_RUNS, measureRules, measureRuns, RUN_RHOS } from '../benches/quality/runs.mjs';
import { LEAST_USES, measureUses } from '../benches/quality/uses.mjs';
import { queryFor } from '../benches/quality/recall.mjs';
import {
  askedTable,
  autoTable,
  earlyTable,
  fitTable,
  numbersTable,
  pruneSessionsTable,
  pruneTable,
  recallTable,
  runsTable,
  usesTable,
} from '../benches/quality/tables.mjs';

const { fit, prune } = createRequire(import.meta.url)('palimpsest');

const shared = new URL('../../shared/', import.meta.url);
const skip = existsSync(shared) ? false : 'the corpus is not here';
const recording = new URL('../benches/quality/recorded.json', import.meta.url);
const withoutFit = fit === undefined ? 'fit is not exported yet' : false;
const pruneAsFit = fileURLToPath(new URL('support/prune-as-fit.mjs', import.meta.url));

/** Maximum decrease of a value. */
const TOLERANCE = 0.02;

test('the query for a fact is what uses it, without the fact', () => {
  const call = {
    id: 'c',
    function: { name: 'edit', arguments: JSON.stringify({ path: 'src/a.ts', text: `${'x '.repeat(99)}\nset maxRetries = 7\n` }) },
  };
  const future = [
    { role: 'assistant', content: 'Read it first.\nIn src/b.ts the parser is wrong.', tool_calls: [call] },
    { role: 'tool', content: 'maxRetries is 7 now, and retryDelay stays' },
  ];
  assert.equal(queryFor(future, 'src/b.ts'), 'In   the parser is wrong.');
  assert.equal(queryFor(future, 'maxRetries'), 'edit path src/a.ts set   = 7');
  // In JSON, the tab before a name is a letter before it.
  const edit = { id: 'd', function: { name: 'edit', arguments: JSON.stringify({ text: `${'x '.repeat(99)}\n\tlimit = retries;\n` }) } };
  assert.equal(queryFor([{ role: 'assistant', content: '', tool_calls: [edit] }], 'tlimit'), 'edit   = retries;');
  assert.equal(queryFor(future, 'retryDelay'), 'maxRetries is 7 now, and   stays');
});

test('research/recall.md has the recorded cost of numbers in marks, and what it says about it', () => {
  const { numbers } = JSON.parse(readFileSync(recording, 'utf8'));
  assert.equal(readSection('numbers'), numbersTable(numbers));
  for (const { rho, costs, facts, byRight, grounded } of numbers) {
    assert.ok(costs.o200k_base['#12–17'] < costs.o200k_base['messages 12–17']);
    const lost = grounded.without - grounded['messages 12–17'];
    if (rho < 0.5) assert.ok(byRight / facts > 2 * lost, `at ${rho}: ${byRight} of ${facts}, and ${lost}`);
  }
});

test('research/pruning.md has its tables', () => {
  const lines = readSection('prune').split('\n');
  assert.match(lines[0], /^\| sessions \| tokens before \| after \| saved % \| valid % \| restored % \| facts lost % \|/);
  assert.match(
    lines.find((line) => line.startsWith('| as recorded |')),
    /\| 100\.0 \| 100\.0 \| [0-2]\.\d \|/,
  );
  assert.equal(new Set(readSection('prune-sessions').match(/^\| cc-\w+ \|/gm)).size, 14);
});

test('prune saves, keeps valid, restores and loses what its page says, and of the facts at most 3 %', { skip }, () => {
  const variants = measurePrune(new URL('corpus/', shared));
  for (const {
    name,
    measured: { rows, cuts, lost },
  } of variants) {
    assert.equal(rows.length, 14);
    assert.ok(
      rows.every(({ isAsValid, isRestored }) => isAsValid && isRestored),
      name,
    );
    assert.ok(
      cuts.every(({ facts }) => facts > 200),
      'there is something to lose',
    );
    // `strip` removes facts that only the thinking mentions; other losses are those of the sessions without their thinking.
    const most = name.includes('strip') ? 0.05 : 0.03;
    assert.ok(lost.mean <= most && lost.pooled <= most, `${name}: ${JSON.stringify(lost)}`);
  }
  assert.equal(readSection('prune'), pruneTable(variants), '`npm run quality -- --write` brings the page up to date');
  assert.equal(readSection('prune-sessions'), pruneSessionsTable(variants));
});

test('facts are those of the shared evaluation, and so are the lost ones', { skip }, async () => {
  const plain = new URL('corpus/plain/', shared);
  const conversations = readdirSync(plain).flatMap((file) => JSON.parse(readFileSync(new URL(file, plain), 'utf8')));
  const textOf = ({ content, tool_calls }) => (tool_calls?.length ? `${content}\n${JSON.stringify(tool_calls)}` : content);
  const isCommon = commonIn(conversations.map(({ messages }) => messages.map(textOf)));
  const ours = new Map(
    conversations.flatMap(({ id, messages }) =>
      cutsOf(messages, textOf, isCommon).map(({ cut, past, facts }) => {
        const lost = lostIn(prune(past).messages.map(textOf), facts);
        return [`${id} ${cut}`, { facts: facts.length, hit: facts.length - lost.length }];
      }),
    ),
  );
  const theirs = await evaluate(shared, { conversations: 100, engines: [`fit=${pruneAsFit}`], rhos: [1] });
  assert.ok(theirs.length > 40, `${theirs.length} cuts`);
  for (const { id, cut, facts, hit } of theirs) assert.deepEqual(ours.get(`${id} ${cut}`), { facts, hit }, id);
});

test('a result over its budget counts for nothing, and trimming always fits', { skip }, async () => {
  const { rows, conversations, cuts } = await measureFit(shared, { conversations: 3, module: pruneAsFit });
  assert.ok(conversations === 3 && cuts >= 3);
  const [trimmed, pruned] = ['trim', 'fit'].map((engine) => rows.filter((row) => row.engine === engine));
  assert.ok(trimmed.every(({ fits, recall }) => fits === 1 && recall > 0));
  assert.ok(trimmed[0].recall > trimmed[2].recall, 'half of the tokens hold more than a tenth');
  assert.ok(pruned.every(({ fits, recall, grounded, valid }) => fits < 1 && recall <= fits && grounded <= recall && valid === 1));
});

test('docs/ and research/ have the tables of fit and recall as they are recorded', { skip: withoutFit }, () => {
  const recorded = JSON.parse(readFileSync(recording, 'utf8'));
  assert.equal(readSection('fit'), fitTable(recorded));
  assert.equal(readSection('recall'), recallTable(recorded.recall));
  assert.equal(readSection('auto'), autoTable(recorded.auto));
  assert.equal(readSection('early'), earlyTable(recorded.early));
});

test('of facts that were said early, recall by itself answers as many as recorded: twice as many as without', { skip }, () => {
  const [without, before] = [null, 1000].map((limit) => {
    const { facts } = JSON.parse(readFileSync(recording, 'utf8')).early;
    return facts.find((row) => row.limit === limit);
  });
  const [now] = measureEarly(shared, [1000]);
  for (const way of ['one', 'two']) {
    assert.ok(now[way] >= 0.97 * before[way], `${way}: ${now[way]} of ${now.asked}, recorded as ${before[way]}`);
    assert.ok(now[way] > 2 * without[way], `${way}: ${now[way]} with recall, ${without[way]} without`);
  }
});

test('fit is no worse than recorded', { skip: skip || withoutFit }, async () => {
  const recorded = JSON.parse(readFileSync(recording, 'utf8'));
  const measured = await measureFit(shared, { conversations: recorded.conversations });
  for (const before of recorded.rows.filter(({ engine }) => engine === 'fit')) {
    const now = measured.rows.find(({ engine, rho }) => engine === before.engine && rho === before.rho);
    for (const name of ['recall', 'grounded', 'fits', 'valid']) {
      assert.ok(now[name] >= before[name] - TOLERANCE, `${name} at ${before.rho}: ${now[name]}, recorded as ${before[name]}`);
    }
  }
});

test("what is recalled by itself answers nine of ten generated questions, 85 % of people's, and no fewer than recorded", { skip }, () => {
  const measured = measureAuto(shared);
  const { generated, peopleHeld } = measured;
  const recorded = JSON.parse(readFileSync(recording, 'utf8')).auto;
  assert.ok(generated.asked >= 100 && generated.with / generated.asked >= 0.9, JSON.stringify(generated));
  assert.ok(peopleHeld.asked >= 50 && peopleHeld.with / peopleHeld.asked >= 0.85, JSON.stringify(peopleHeld));
  for (const name of ['generated', 'people', 'peopleHeld', 'tuned', 'held']) {
    const [now, before] = [measured[name], recorded[name]];
    for (const way of ['with', 'fit']) assert.ok(now[way] >= before[way] - TOLERANCE * now.asked, `${name}: ${JSON.stringify(now)}`);
  }
  // One ranking: of readers' questions, `fit` keeps as many answers as recall finds.
  const readers = (way) => measured.tuned[way] + measured.held[way];
  assert.ok(readers('fit') >= readers('with'), `${readers('fit')} of ${readers('with')}`);
  for (const name of ['other', 'phrases', 'remarks']) {
    const [now, before] = [measured[name], recorded[name]];
    assert.ok(now.recalled / now.asked <= before.recalled / before.asked + TOLERANCE, `${name}: ${JSON.stringify(now)}`);
  }
});

test('research/fit.md has the table of what is asked for as it is recorded', { skip: withoutFit }, () => {
  assert.equal(readSection('asked'), askedTable(JSON.parse(readFileSync(recording, 'utf8')).asked));
});

test('answers are kept: more than BM25 alone keeps, and no fewer than recorded', { skip: skip || withoutFit }, async () => {
  const {
    asked: { rows: recorded },
  } = JSON.parse(readFileSync(recording, 'utf8'));
  const rows = await measureAsked(shared);
  assert.equal(rows.length, recorded.length);
  const least = { 0.5: 0.97, 0.25: 0.93, 0.1: 0.85 };
  for (const rho of RHOS) {
    const [now, bm25] = ['fit', 'bm25'].map((engine) => meanOf(rows, engine, rho));
    assert.ok(now >= least[rho] && now >= bm25, `at ${rho}: ${now}, BM25 ${bm25}`);
  }
  for (const before of recorded.filter((row) => row.engine === 'fit' && counts(row))) {
    const now = rows.find(({ engine, kind, rho }) => engine === 'fit' && kind === before.kind && rho === before.rho);
    assert.ok(now.answered >= before.answered - TOLERANCE, `${now.kind} at ${now.rho}: ${now.answered}, recorded as ${before.answered}`);
  }
});

test('what edits quote, calls pass on and people asked for stays, as research/fit.md says', { skip: skip || withoutFit }, async () => {
  assert.equal(readSection('uses'), usesTable(JSON.parse(readFileSync(recording, 'utf8')).uses));
  const rows = await measureUses(shared);
  for (const [name, least] of Object.entries(LEAST_USES))
    for (const [index, rho] of RHOS.entries()) {
      const row = rows.find((one) => one.name === name && one.rho === rho && one.engine === 'fit');
      assert.ok(row.there >= least[index] && row.fits === 100, `${name} at ${rho}: ${row.there} %, fits ${row.fits} %`);
    }
});

test('of runs and rules as much stays as README.md says', { skip: skip || withoutFit }, async () => {
  assert.equal(readSection('runs'), runsTable(JSON.parse(readFileSync(recording, 'utf8')).runs));
  const runs = await measureRuns(shared);
  for (const [kind, least] of Object.entries(LEAST_RUNS))
    for (const [index, rho] of RUN_RHOS.entries()) {
      const { whole } = runs.find((row) => row.kind === kind && row.rho === rho && row.way === 'fit');
      assert.ok(whole >= least[index], `${kind} at ${rho}: ${whole} %`);
    }
  for (const { limit, lines, there } of await measureRules(shared)) {
    assert.ok(lines > 1000, `${lines} lines of rules`);
    assert.ok(there >= LEAST_RULES, `at ${limit}: ${there} %`);
  }
});

test('of 40 orders the one that is asked for is there, each time', { skip: withoutFit }, () => {
  for (const { form, rho, asked, others } of measureOrders()) {
    assert.equal(asked, COUNT, `${form} at ${rho}`);
    // A table says the names of members once, so more of its rows have room.
    assert.ok(others < COUNT * rho * (form === 'JSON' ? 1.4 : 1), 'the others are there as far as the tokens go');
  }
});
