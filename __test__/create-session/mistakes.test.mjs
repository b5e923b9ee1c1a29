// Mistakes in how a session is used are said once; what a caller may do is none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countTokens, createSession } from 'palimpsest';
import { Random } from '../support/random.mjs';
import { cases, SEED } from '../support/seed.mjs';

/** Exchanges of one conversation, each with texts that no other has. */
function conversation(seed, count, lines = 12) {
  const random = new Random(seed);
  const text = (what) => Array.from({ length: lines }, () => `${what} ${seed} ${random.integer(0, 1e6)}`).join('\n');
  const list = [{ role: 'system', content: 'Be brief.' }];
  for (let index = 0; index < count; index++)
    list.push({ role: 'user', content: text('ask') }, { role: 'assistant', content: text('say') });
  return list;
}

/** The histories of the requests of a conversation. */
const histories = (list) => list.flatMap((message, index) => (message.role === 'assistant' ? [list.slice(0, index)] : []));
const kinds = (session) => (session.report.mistakes ?? []).map(({ kind }) => kind);
const OPTIONS = { limit: 3000, format: 'openai-chat', now: () => 0 };

/** Runs `work` and returns the warnings of the process meanwhile. */
async function warningsOf(work) {
  const warnings = [];
  const hear = (warning) => warning.code === 'PALIMPSEST_SESSION' && warnings.push(warning.message);
  process.on('warning', hear);
  await work();
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', hear);
  return warnings;
}

test('with warn: false a mistake is in the report alone', async () => {
  const session = createSession({ ...OPTIONS, limit: 300, system: 'Be brief. '.repeat(100), warn: false });
  const warnings = await warningsOf(() => histories(conversation(40, 12)).forEach((history) => session.next(history)));
  assert.ok(kinds(session).includes('no-room'), kinds(session).join());
  assert.deepEqual(warnings, []);
});

test('the history handed in is what next() returned', async () => {
  const play = () => {
    const session = createSession(OPTIONS);
    let history = [];
    for (const message of conversation(1, 40)) {
      history.push(message);
      if (message.role === 'user') history = [...session.next(history).messages];
    }
    assert.deepEqual(kinds(session), ['history-is-request']);
    assert.ok(session.report.mistakes[0].request > session.report.epochs.limit);
  };
  assert.equal((await warningsOf(() => [play(), play()])).length, 1, 'the process says it once');
});

test('one session has two conversations in turn', () => {
  const session = createSession(OPTIONS);
  const [one, other] = [2, 3].map((seed) => histories(conversation(seed, 10)));
  one.forEach((history, index) => {
    session.next(history);
    session.next(other[index]);
  });
  assert.deepEqual(kinds(session), ['alternating']);
});

test('a new session for each request', () => {
  const found = histories(conversation(4, 10)).map((history) => {
    const session = createSession(OPTIONS);
    session.next(history);
    return kinds(session).length;
  });
  assert.ok(found.slice(0, 3).every((count) => count === 0) && found.slice(4).every((count) => count === 1), `${found}`);
});

test('what the user said last has to be cut, and the limit leaves no room', () => {
  const session = createSession({ ...OPTIONS, limit: 200 });
  const words = Array.from({ length: 40 }, (_, index) => `I would like to know what number ${index} is for, please.`);
  session.next([{ role: 'user', content: words.join(' ') }]);
  assert.deepEqual(kinds(session), ['cut-last-words']);

  const system = 'Answer in one sentence. '.repeat(2000);
  const full = createSession({ ...OPTIONS, system, limit: countTokens([], { format: 'openai-chat', system }) + 3000 });
  const list = histories(conversation(5, 40));
  for (const history of list) full.next(history);
  const [mistake] = full.report.mistakes;
  assert.equal(mistake.kind, 'no-room');
  const [limit] = mistake.text.match(/\d+,\d+(?=, or send)/);
  const enough = createSession({ ...OPTIONS, system, limit: Number(limit.replace(',', '')) });
  for (const history of histories(conversation(6, 300, 30))) enough.next(history);
  assert.ok(Object.values(enough.report.epochs).some((count) => count > 0));
  assert.deepEqual(kinds(enough), []);
});

test('none of it is what a caller may do', () => {
  const random = new Random(SEED);
  for (let round = 0; round < cases(10); round++) {
    let session = createSession(OPTIONS);
    const list = conversation(100 + round, 30);
    for (let end = 2; end < list.length; ) {
      const history = list.slice(0, end);
      session.next(random.chance(0.3) ? structuredClone(history) : history);
      // It resumes, undoes, branches, repeats, or clears.
      if (random.chance(0.1)) session = createSession(OPTIONS, JSON.parse(JSON.stringify(session)));
      if (random.chance(0.1))
        list.splice(end - 1, 60, { role: 'user', content: `Otherwise ${end}.` }, ...conversation(1000 + end + round, 10).slice(2));
      if (random.chance(0.1)) end = Math.max(2, end - 4);
      else if (!random.chance(0.1)) end += 2;
    }
    session.next(conversation(200 + round, 1));
    assert.deepEqual(kinds(session), [], JSON.stringify({ SEED, round }));
    assert.equal(session.report.prefix, undefined, JSON.stringify({ SEED, round, prefix: session.report.prefix }));
  }
});

/** A conversation of requests in which something else compacts: `make` returns what it leaves of a history that is too long. */
function compacting(make, seed) {
  const session = createSession({ ...OPTIONS, limit: 1e6 });
  let history = [];
  for (const message of conversation(seed, 20)) {
    history.push(message);
    if (history.length === 18) history = make(history);
    if (message.role === 'user') session.next(history);
  }
  return session;
}
const summary = { role: 'user', content: 'Summary of the conversation so far: it went well.' };

test('a framework puts a summary in place of what the session knew, or drops it', () => {
  const ways = {
    'a summary, and the newest messages': (history) => [history[0], summary, ...history.slice(-6)],
    'a summary behind the task': (history) => [
      ...history.slice(0, 2),
      summary,
      { role: 'assistant', content: 'Yes.' },
      ...history.slice(-7),
    ],
    'no summary': (history) => [history[0], ...history.slice(-8)],
  };
  let seed = 50;
  for (const [way, make] of Object.entries(ways)) {
    const session = compacting(make, seed++);
    assert.deepEqual(kinds(session), ['compacted'], way);
    const [{ text, request }] = session.report.mistakes;
    assert.match(text, /^the history lacks \d+ messages that the session knew, and has [012] in their place/);
    // Of 18 messages, the system's first, the last one is the user's ninth.
    assert.equal(request, 9);
  }
});

test('what a user does to a conversation is no compaction', () => {
  const random = new Random(SEED);
  const edits = {
    'takes back what was said, and says it again': (history) => {
      const end = random.integer(1, history.length - 1);
      return [...history.slice(0, end), history.at(-1)];
    },
    'edits a message': (history) =>
      history.with(random.integer(0, history.length - 1), { role: 'user', content: `No: ${random.integer(0, 1e6)}` }),
    'inserts one': (history) => history.toSpliced(random.integer(0, history.length), 0, { role: 'user', content: 'By the way.' }),
    'removes a question and its answer': (history) => history.toSpliced(random.integer(1, history.length - 3), 2),
    'begins anew': (history) => [history[0], { role: 'user', content: `Something else: ${random.integer(0, 1e6)}` }],
  };
  for (let round = 0; round < cases(20); round++) {
    for (const [what, edit] of Object.entries(edits)) {
      const session = compacting(edit, 60 + round);
      assert.ok(!kinds(session).includes('compacted'), `${what}: ${session.report.mistakes?.[0].text}`);
    }
  }
});
