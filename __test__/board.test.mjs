// The board measures what it says it does, and its page has what was measured.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';

import { countTokens, validate } from 'palimpsest';
import { difference, draws, estimate } from '../benches/board/bootstrap.mjs';
import { measureCost } from '../benches/board/cost.mjs';
import { measureKeeps } from '../benches/board/keeps.mjs';
import { wanted } from '../benches/board/needs.mjs';
import { rebuilt } from '../benches/board/rebuild.mjs';
import { counter, withCalls } from '../benches/board/runs.mjs';
import { STRATEGIES, brought } from '../benches/board/strategies/index.mjs';
import { clean, fromLangChain, fromModel, toLangChain, toModel } from '../benches/board/strategies/messages.mjs';
import { board } from '../benches/board/table.mjs';
import { PROVIDERS } from '../benches/board/validity.mjs';
import { agentSession } from '../benches/generate.mjs';
import { readSection } from '../benches/quality/pages.mjs';
import { SEED, cases } from './support/seed.mjs';

const FORMAT = 'openai-chat';
const page = new URL('../benches/board/', import.meta.url);
const readJson = (name) => JSON.parse(readFileSync(new URL(name, page), 'utf8'));
/** An agent's session of some seed, which ends with a result. */
function talk(seed, count = 40) {
  const messages = agentSession(seed, count, 700 * count).map(clean);
  return messages.slice(0, messages.findLastIndex(({ role }) => role === 'tool') + 1);
}
const call = (id, command) => ({ id, type: 'function', function: { name: 'bash', arguments: JSON.stringify({ command }) } });
const asks = (id, command, content = '') => ({ role: 'assistant', content, tool_calls: [call(id, command)] });
const answers = (id, content) => ({ role: 'tool', content, tool_call_id: id });

test('the page has the tables of what was recorded, of all strategies', () => {
  const recorded = readJson('board.json');
  assert.equal(readSection('board'), board(recorded), '`npm run board -- --write` brings the page up to date');
  const names = STRATEGIES.map(({ name }) => name);
  for (const { rows } of recorded.keeps)
    assert.deepEqual(
      rows.map(({ name }) => name),
      names,
    );
});

for (const strategy of STRATEGIES) {
  test(`${strategy.name}: within the size, valid, and the same again`, async () => {
    for (let one = 0; one < cases(4); one++) {
      const messages = talk(SEED * 1000 + one);
      const all = countTokens(messages, { format: FORMAT });
      const system = messages.filter(({ role }) => role === 'system');
      const fixed = countTokens(system, { format: FORMAT });
      for (const share of [0.5, 0.25]) {
        const limit = fixed + Math.floor((all - fixed) * share);
        const left = await brought(strategy, messages, { limit, tokensOf: counter() });
        // A request takes three tokens beside its messages.
        assert.ok(countTokens(left.messages, { format: FORMAT }) <= limit + 3, 'within the size');
        const last = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant'));
        const doesFit = countTokens([...system, ...last], { format: FORMAT }) <= limit + 3;
        assert.ok(left.messages.length > 1 || !doesFit, 'something is left, if the last call and its results fit');
        assert.ok(PROVIDERS.openai(left.own), 'what it left by itself');
        assert.deepEqual(validate(left.messages, { format: FORMAT }), [], 'what the board judges');
        const again = await brought(strategy, messages, { limit, tokensOf: counter() });
        assert.deepEqual(again.messages, left.messages);
        if (!strategy.most) continue;
        // No looser setting fits, of a few at random and the next.
        const most = strategy.most(messages);
        const sizeAt = async (setting) =>
          countTokens(await strategy.cut(messages, { limit, setting, tokensOf: counter() }), { format: FORMAT }) - 3;
        const size = countTokens(left.own, { format: FORMAT }) - 3;
        if (left.isTrimmed) assert.equal(size, await sizeAt(0), 'the strictest is still over');
        for (let tried = 1; tried <= 8; tried++) {
          const other = await sizeAt(Math.floor((most * tried) / 8));
          assert.ok(
            other > limit || (!left.isTrimmed && other <= size),
            `of ${most}, ${tried} eighths leave ${other} of ${limit}, not ${size}`,
          );
        }
      }
    }
  });
}

test('messages come back from the AI SDK and LangChain as they were', () => {
  const messages = talk(SEED);
  assert.deepEqual(fromModel(toModel(messages), messages), messages);
  assert.deepEqual(fromLangChain(toLangChain(messages), messages), messages);
});

test('providers refuse what has lost its call, and Anthropic a history that starts with an answer', () => {
  const whole = [{ role: 'user', content: 'Go.' }, asks('a', 'ls'), answers('a', 'x'), { role: 'assistant', content: 'Done.' }];
  const verdicts = (messages) => Object.values(PROVIDERS).map((takes) => takes(messages));
  assert.deepEqual(verdicts(whole), [true, true]);
  assert.deepEqual(verdicts(whole.toSpliced(1, 1)), [false, false]);
  assert.deepEqual(verdicts(whole.toSpliced(2, 1)), [false, false]);
  assert.deepEqual(verdicts(whole.slice(1)), [true, false]);
});

test('a message with one command becomes a call, and what comes back its result', () => {
  const said = (command) => `THOUGHT: look\n\n\`\`\`bash\n${command}\n\`\`\``;
  const two = `${said('ls')}\n${said('pwd')}`;
  const written = withCalls([
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content: said("sed 's/$&/x/' f") },
    { role: 'user', content: 'out' },
    { role: 'assistant', content: two },
    { role: 'user', content: 'One command, please.' },
    { role: 'assistant', content: said('ls') },
  ]);
  assert.deepEqual(written, [
    { role: 'user', content: 'Go.' },
    asks('call_1', "sed 's/$&/x/' f", 'THOUGHT: look'),
    answers('call_1', 'out'),
    { role: 'assistant', content: two },
    { role: 'user', content: 'One command, please.' },
    { role: 'assistant', content: said('ls') },
  ]);
});

/** A run in which each kind of text is needed once, and others almost are. */
const RUN = {
  kind: 'swe',
  id: 'run',
  isResolved: true,
  messages: [
    { role: 'system', content: 'You have a shell. See docs/system.md.' },
    {
      role: 'user',
      content:
        'Fix it, ticket-5521.\nYou must not change tests.\nA line that asks for nothing.\nSubmit with: echo COMPLETE_TASK_AND_SUBMIT',
    },
    asks('a', 'cat src/lamp.py'),
    answers('a', 'def lamp_oil(keeper):\n    return keeper.wick_length * 4711_000\n# build 9f8e7d6c of ticket-5521 and run-7788'),
    asks('b', 'cat src/other.py'),
    answers('b', 'run-7788'),
    asks('c', 'echo thinking\nown_line = written_by_the_agent', 'It is wick_length.'),
    answers('c', 'just_said_line = 4242_4242'),
    // The cut.
    asks('d', "sed -i 's/return keeper.wick_length/return 1/' src/lamp.py && git show 9f8e7d6c", 'lamp_oil is wrong'),
    answers('d', 'src/other.py\n'),
    asks('e', 'cat src/other.py docs/system.md ticket-5521 run-7788\nown_line = written_by_the_agent\njust_said_line = 4242_4242'),
    answers('e', ''),
    asks('f', 'echo COMPLETE_TASK_AND_SUBMIT'),
  ],
};

test('what the rest of a run needs is found, and only that', () => {
  const { all, quotes, rules, values, facts } = wanted(RUN, 8, () => false);
  // src/other.py is said again by a result, docs/system.md by the system prompt, and the agent wrote a line itself.
  const expected = ['echo COMPLETE_TASK_AND_SUBMIT', 'just_said_line = 4242_4242', 'return keeper.wick_length', 'src/lamp.py'];
  assert.deepEqual(all.toSorted(), expected);
  assert.deepEqual(quotes, ['return keeper.wick_length']);
  assert.deepEqual(rules, ['You must not change tests.']);
  // The user said the ticket, too, and a newer result the run.
  assert.deepEqual(values, ['9f8e7d6c']);
  assert.ok(facts.includes('lamp_oil') && facts.includes('9f8e7d6c') && !facts.includes('wick_length'), facts.join(' '));
});

test('a run counts as whole only if nothing is missing, and only if it succeeded', async () => {
  const filler = Array.from({ length: 3000 }, (_, index) => `filler ${index}`).join('\n');
  // So long that half of it are the eight messages before the cut, and nothing is asked for after the later one.
  const end = [answers('f', 'done'), asks('g', 'true'), answers('g', ''), asks('h', 'true')];
  const messages = [...RUN.messages, ...end].map((message, index) => (index === 5 ? { ...message, content: filler } : message));
  const without = (lost) => ({
    name: lost,
    cut: (list) => list.map((message) => ({ ...message, content: message.content.replace(filler, '').replaceAll(lost, '') })),
  });
  const runs = [
    { ...RUN, messages },
    { ...RUN, messages, isResolved: false },
  ];
  const rows = await measureKeeps(runs, [without('filler'), without('keeper.wick_length')]);
  const [whole, lacking] = rows.map(({ pairs }) => pairs);
  assert.deepEqual(whole.swe[0], [1, 1]);
  assert.deepEqual(lacking.swe[0], [0, 1]);
  for (const pairs of [whole, lacking]) assert.deepEqual(pairs.swe[1], [0, 0]);
  assert.deepEqual([whole.quotes[0], lacking.quotes[0]].flat(), [1, 1, 0, 1]);
  assert.deepEqual(lacking.rules, whole.rules);
});

test('the cost of a run is what caches make of it', async () => {
  const [uncut] = await measureCost([RUN], []);
  const tokensOf = counter();
  const upTo = (end) => RUN.messages.slice(0, end).reduce((sum, message) => sum + tokensOf(message), 0);
  const steps = [2, 4, 6, 8, 10, 12].map(upTo);
  const front = Math.round((3 / 7) * Math.floor((upTo(RUN.messages.length) - upTo(1)) / 4));
  let cost = 1.25 * (front + steps[0]);
  for (const [before, now] of steps.slice(1).map((now, index) => [steps[index], now]))
    cost += 0.1 * (front + before) + 1.25 * (now - before);
  const [[paid, whole]] = uncut.anthropic;
  assert.ok(Math.abs(paid - cost) < 1e-6, `${paid}, not ${cost}`);
  assert.equal(whole, paid);
  assert.deepEqual(uncut.read, [[steps.slice(0, -1).reduce((sum, one) => sum + one, 0), 6]]);
  assert.deepEqual(uncut.needs[0][0], uncut.needs[0][1], 'nothing cut, nothing missing');
  assert.ok(uncut.needs[0][1] > 0);
});

test('intervals are those of draws within kinds, the same for a seed', () => {
  const groups = [
    [0, 1, 2, 3],
    [4, 5],
  ];
  const drawn = draws(groups, SEED);
  assert.deepEqual(drawn, draws(groups, SEED));
  for (const weights of drawn)
    assert.deepEqual(
      groups.map((group) => group.reduce((sum, run) => sum + weights[run], 0)),
      [4, 2],
    );
  const certain = [0, 1, 2, 3, 4, 5].map(() => [3, 4]);
  assert.deepEqual(estimate(certain, drawn), { value: 75, low: 75, high: 75 });
  const varied = [
    [1, 1],
    [0, 1],
    [1, 1],
    [0, 1],
    [1, 2],
    [2, 2],
  ];
  const { value, low, high } = estimate(varied, drawn);
  assert.equal(value, 62.5);
  // Of a share of eight cases the standard error is about 20 points.
  assert.ok(low < value - 10 && low > value - 50 && high > value + 10 && high < value + 50, `${low} to ${high}`);
  assert.deepEqual(difference(varied, varied, drawn), { value: 0, low: 0, high: 0 });
});

/** A repository as the public ones are, and what it gives the board: the runs `one` and 1 as they were measured, at a commit and in a pull request. */
function upstream(folder) {
  const git = (...args) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { encoding: 'utf8' }).trim();
  const commit = (files) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    git('add', '.');
    git('commit', '-q', '-m', 'runs');
    return git('rev-parse', 'HEAD');
  };
  const trajectory = (text) =>
    JSON.stringify({
      info: { exit_status: 'Submitted', submission: '', model_stats: { instance_cost: 0.5, api_calls: 2 }, mini_version: '1.16.0' },
      messages: [
        { role: 'user', content: text, timestamp: 1763400000.25 },
        { role: 'assistant', content: 'THOUGHT: done', timestamp: 1763400001.5, extra: { response: { id: 'r' } } },
      ],
      trajectory_format: 'mini-swe-agent-1',
      instance_id: 'one',
    });
  const lookUp = { id: 'c1', name: 'look_up', arguments: { id: 'A1', list: [1, true], gb: 'GB' }, requestor: 'assistant' };
  const messages = [
    { role: 'assistant', content: 'Hi!', tool_calls: null, turn_idx: 0, cost: 0.25 },
    { role: 'user', content: 'Look for "2.0".', tool_calls: null, turn_idx: 1 },
    { role: 'assistant', content: null, tool_calls: [lookUp], turn_idx: 2 },
    { role: 'tool', id: 'c1', content: 'found', requestor: 'assistant', error: false },
    { role: 'user', content: null, tool_calls: [{ id: 'u1', name: 'reboot', arguments: {}, requestor: 'user' }] },
    { role: 'tool', id: 'u1', content: 'off', requestor: 'user', error: false },
  ];
  const simulations = [
    { id: 's0', messages: null },
    { id: 's1', messages, reward_info: { reward: 1 } },
  ];
  const info = { git_commit: 'a', environment_info: { domain_name: 'telecom', policy: 'Be kind.', tool_defs: null } };
  // As Python writes a number with a fraction.
  const results = JSON.stringify({ info, tasks: [], simulations }).replace('"GB"', '2.0');

  git('init', '-q', '-b', 'main');
  git('config', 'uploadpack.allowAnySHA1InWant', 'true');
  const pinned = commit({ 'trajs/one/one.traj.json': trajectory('Go.') });
  commit({ 'trajs/one/one.traj.json': trajectory('Go on.') });
  git('checkout', '-q', '-b', 'more');
  commit({ 'results.json': results, 'pointer.json': 'version https://git-lfs.github.com/spec/v1\n' });
  git('update-ref', 'refs/pull/7/head', 'HEAD');
  git('checkout', '-q', 'main');

  const written = { name: 'look_up', arguments: '{"id": "A1", "list": [1, true], "gb": 2.0}' };
  const swe = [
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content: 'THOUGHT: done' },
  ];
  const tau2 = [
    { role: 'system', content: 'Be kind.' },
    { role: 'assistant', content: 'Hi!' },
    { role: 'user', content: 'Look for "2.0".' },
    { role: 'assistant', content: '', tool_calls: [{ id: 'c1', type: 'function', function: written }] },
    { role: 'tool', content: 'found', tool_call_id: 'c1' },
  ];
  const hashOf = (value) => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);
  return {
    runs: { swe, tau2 },
    sources: {
      swe: { ref: pinned, path: 'trajs/NAME/NAME.traj.json', runs: { one: [0, hashOf(swe)] } },
      tau2: { files: [{ ref: 'refs/pull/7/head', path: 'results.json', id: 'tau2-x', runs: { 1: [1, hashOf(tau2)] } }] },
    },
  };
}

describe('runs are rebuilt from clones of both repositories', () => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-board-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'upstream'));
  const { runs, sources } = upstream(join(folder, 'upstream'));
  let clones = 0;
  const clone = (...options) => {
    const path = join(folder, `clone ${clones++}`);
    execFileSync('git', ['clone', '-q', ...options, pathToFileURL(join(folder, 'upstream')).href, path]);
    return path;
  };
  const changed = (swe, tau2) => ({
    swe: { ...sources.swe, ...swe },
    tau2: { files: [{ ...sources.tau2.files[0], ref: 'refs/heads/more', ...tau2 }] },
  });
  const tried = (one, path = clone()) => {
    try {
      return rebuilt(one, { swe: path, tau2: path });
    } catch ({ message }) {
      return message.replaceAll(path, 'CLONE');
    }
  };

  test('at a commit and in a pull request: those that were measured', () => {
    const path = clone();
    execFileSync('git', ['-C', path, 'fetch', '-q', 'origin', 'refs/pull/7/head:refs/pull/7/head']);
    assert.deepEqual(tried(sources, path), {
      swe: [{ id: 'swe-one', outcome: 0, messages: runs.swe }],
      tau2: [{ id: 'tau2-x-1', outcome: 1, messages: runs.tau2 }],
      differ: [],
    });
  });

  test('those that differ are named', () => {
    const { swe, differ } = tried(changed({ ref: 'HEAD' }));
    assert.equal(swe[0].messages[0].content, 'Go on.');
    assert.deepEqual(differ, ['swe-one']);
  });

  test('what a clone lacks is fetched by the command that is said', () => {
    for (const [options, one] of [
      [[], sources], // pull requests are not in a clone
      [['--depth', '1'], sources],
      [['--depth', '1'], changed()], // and neither are branches in this one
    ]) {
      const path = clone(...options);
      for (let fetched = 0; fetched < 2 && typeof tried(one, path) === 'string'; fetched++) {
        const [, command] = tried(one, path).match(/^CLONE lacks \S+\. Fetch them: git -C "CLONE" (fetch .+)$/);
        execFileSync('git', ['-C', path, ...command.split(' ')], { stdio: 'ignore' });
      }
      assert.deepEqual(tried(one, path).differ, []);
    }
  });

  test('what is wrong is said', () => {
    const unknown = '0123456789012345678901234567890123456789';
    assert.equal(tried(changed({ ref: unknown })), `CLONE lacks ${unknown}. Fetch them: git -C "CLONE" fetch origin ${unknown}`);
    assert.match(
      tried(changed({ path: 'trajs/NAME.json' })),
      /^CLONE has no trajs\/one\.json at [0-9a-f]{40} \([0-9a-f]{7,}\)\. These commits change it: git -C "CLONE" log --all --oneline -- "trajs\/one\.json"$/,
    );
    assert.match(
      tried(changed({}, { path: 'pointer.json' })),
      /^pointer\.json in CLONE at refs\/heads\/more \([0-9a-f]{7,}\) is no JSON with simulations$/,
    );
    assert.equal(
      tried(changed({}, { runs: { 5: [1, ''] } })),
      'results.json in CLONE at refs/heads/more has no simulation 5 with messages',
    );
    assert.equal(tried(sources, join(folder, 'nothing')), 'CLONE is no clone of a git repository');
  });

  test('the command says it, too, and nothing else', () => {
    const script = new URL('../benches/board/rebuild.mjs', import.meta.url);
    const said = (...args) => spawnSync(process.execPath, [fileURLToPath(script), ...args], { encoding: 'utf8' });
    const none = said('--swe', folder);
    assert.deepEqual([none.status, none.stderr], [1, '--tau2, --out needed: the clones, and a folder to write into\n']);
    const path = clone();
    const wrong = said('--swe', path, '--tau2', path, '--out', join(folder, 'out'));
    assert.equal(wrong.status, 1);
    assert.match(wrong.stderr, /^[^\n]+ lacks refs\/pull\/[^\n]+ Fetch them: [^\n]+\n$/);
    assert.ok(!existsSync(join(folder, 'out')));
  });
});

const recordings = new URL('../../shared/recordings/', import.meta.url);
test('the list of sources is that of the recorded runs', { skip: !existsSync(recordings) && 'no recordings here' }, () => {
  const { swe, tau2 } = readJson('sources.json');
  const listed = new Map([
    ...Object.entries(swe.runs).map(([name, pinned]) => [`swe-${name}`, pinned]),
    ...tau2.files.flatMap(({ id, runs }) => Object.entries(runs).map(([index, pinned]) => [`${id}-${index}`, pinned])),
  ]);
  const runs = ['swe', 'tau2'].flatMap((kind) => JSON.parse(gunzipSync(readFileSync(new URL(`runs/${kind}.json.gz`, recordings)))));
  assert.equal(listed.size, runs.length);
  for (const { id, outcome, messages } of runs) {
    const hash = createHash('sha256')
      .update(JSON.stringify(messages.map(clean)))
      .digest('hex')
      .slice(0, 12);
    assert.deepEqual(listed.get(id), [outcome, hash], id);
  }
});
