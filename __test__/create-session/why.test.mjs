// Why something is missing: the judge reads the requests that went out, and knows nothing of how they were made.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession } from 'palimpsest';
import { whyEach } from 'palimpsest/internal';
import { CORPORA } from '../support/corpus.mjs';
import { cases, SEED } from '../support/seed.mjs';
import { Random } from '../support/random.mjs';
import { factsOf, found, judge, numbersIn } from './said.mjs';
import { requestsOf, working } from './working.mjs';

/** Plays a conversation, with restarts; returns the session, and what went out. */
function played(history, options, random) {
  let session = createSession({ warn: false, ...options });
  const sent = [];
  for (const given of requestsOf(history)) {
    if (random.chance(0.1)) session = createSession({ warn: false, ...options }, JSON.parse(JSON.stringify(session)));
    const { messages, epoch, report } = session.next(given);
    sent.push({ text: JSON.stringify(messages), epoch: epoch?.reason, length: given.length, isOff: report.off === true });
  }
  return { session, sent };
}

const random = new Random(SEED);
for (const { corpus, native, skip } of CORPORA)
  test(`${corpus}: each fact that a cut took is explained as the requests have it, also after a restart`, { skip }, () => {
    const all = native().filter(({ messages }) => messages.length > 20);
    for (let run = 0; run < Math.max(3, cases(3)); run++) {
      const { format, messages } = random.pick(all);
      const options = { limit: random.pick([6000, 16_000]), format, now: () => 0, recall: random.pick([undefined, 'auto']) };
      const { session, sent } = played(messages, options, random);
      const resumed = createSession(options, JSON.parse(JSON.stringify(session)));
      for (const given of factsOf(messages, random, 8)) {
        const why = session.why(given.fact);
        judge(given, why, sent, options.recall !== undefined);
        assert.deepEqual(resumed.why(given.fact, messages), why);
      }
      // Of all messages at once it is the same as of each.
      const asked = [...messages.keys()].filter(() => random.chance(0.3));
      const each = asked.flatMap((message) => session.why({ message }, messages).said);
      assert.deepEqual(whyEach(resumed, asked, messages).said, each);
    }
  });

test('the facts covered everything', { skip: CORPORA.every(({ skip }) => skip) && 'there are no recordings' }, () => {
  for (const how of ['removed', 'cut', 'mark']) assert.ok(found[how] > cases(2), `${how}: ${found[how]}`);
});

// ---- By the contract ------------------------------------------------------------------------------------------------

const FACT = 'The staging port is 8412.';
const historyWith = (turns) => [
  ...working('openai-chat', 1, 2),
  { role: 'user', content: 'Where does staging listen?' },
  { role: 'assistant', content: `${FACT} It was set in May.` },
  ...working('openai-chat', 3, turns),
];

test('a fact that went is found, and each remedy brings it back', () => {
  const history = historyWith(60);
  const options = { limit: 3000, format: 'openai-chat', now: () => 0 };
  const { session, sent } = played(history, options, { chance: () => false });
  const why = session.why(FACT);
  const place = history.findIndex(({ content }) => content?.includes(FACT));
  const first = sent.findIndex(({ text }) => text.includes(FACT)) + 1;
  const lost = sent.findIndex(({ text }, index) => index >= first && !text.includes(FACT)) + 1;
  const [said] = why.said;
  assert.deepEqual([said.message, said.role, said.gone.request, said.gone.epoch], [place, 'assistant', lost, sent[lost - 1].epoch]);
  assert.deepEqual(said.requests[0], [first, lost - 1]);
  assert.ok(
    why.summary.includes(`in request ${lost} (epoch: ${said.gone.epoch})`) &&
      why.summary.startsWith('Said in 1 place. The last request lacks it.'),
  );
  assert.deepEqual(
    said.back.map(({ by }) => by),
    ['pin', 'keep', 'limit', 'recall'],
  );
  assert.ok(session.recall('x', { from: said.message }).text.includes(FACT));
  session.pin({ message: said.message });
  assert.ok(JSON.stringify(session.next([...history, { role: 'user', content: 'Go on.' }]).messages).includes(FACT));
  const now = session.why(FACT);
  assert.equal(now.requests.at(-1)[1], session.report.requests);
  assert.match(now.summary, /^Said in 1 place\. The last request has it\./);
  const keeping = played(history, { ...options, keep: { patterns: [/staging port/] } }, { chance: () => false });
  assert.equal(keeping.session.why(FACT).said[0].gone, undefined);
});

test('of each request it is told whether it has the fact, as it went out, and nothing is told of requests that are not known', () => {
  const history = historyWith(60);
  const { session, sent } = played(history, { limit: 3000, format: 'openai-chat', now: () => 0 }, { chance: () => false });
  const verdictOf = (...asked) => /^Said in 1 place\. (.*)\.$/m.exec(session.why(FACT, ...asked).summary)[1];
  const place = history.findIndex(({ content }) => content?.includes(FACT));
  for (const [index, { text, length }] of sent.entries()) {
    const is = text.includes(FACT) ? 'has' : 'lacks';
    const [request, isLast] = [index + 1, index + 1 === sent.length];
    assert.equal(verdictOf(history, { request }), `${isLast ? 'The last request' : `Request ${request}`} ${is} it`);
    // A shorter history is not that of the later requests.
    if (length <= place || isLast || length === sent[index + 1].length) continue;
    assert.equal(
      verdictOf(history.slice(0, length)),
      `Request ${request} ${is} it; later ones, up to ${sent.length}, are not known for this history`,
    );
  }
  const edited = history.with(place + 3, { ...history[place + 3], content: 'Another one.' });
  const { known, summary } = session.why(FACT, edited);
  assert.match(summary, new RegExp(`Request ${known.at(-1)[1]} (has|lacks) it; later ones, up to ${sent.length}, are not known`));
  assert.ok(sent[known.at(-1)[1] - 1].length <= place + 3);
  for (const request of [0, -1, 1.5, '57'])
    assert.throws(() => session.why(FACT, history, { request }), /^\w+: why\(\): options\.request|why\(\).*request/);
});

test('a message is asked for by its index, and one that nobody said is told', () => {
  const history = historyWith(60);
  const { session, sent } = played(history, { limit: 3000, format: 'openai-chat', now: () => 0 }, { chance: () => false });
  for (const message of [2, 3, 9, 50, history.length - 1]) {
    const { said, known } = session.why({ message });
    assert.equal(said.length, 1);
    const text = JSON.stringify(history[message].content).slice(1, -1);
    const had = numbersIn(known).filter((number) => sent[number - 1].text.includes(text));
    assert.deepEqual(numbersIn(said[0].requests), had);
  }
  const behind = session.why({ message: history.length });
  assert.deepEqual([behind.said, behind.summary], [[], `The history has ${history.length} messages.`]);
  assert.equal(session.why('nobody said this').summary, 'Nothing in this history says it.');
  assert.deepEqual(session.why(FACT, [{ role: 'user', content: FACT }]).known, []);
});

test('a result that went out in fewer tokens says so, with the requests that had it', () => {
  const rows = JSON.stringify(
    Array.from({ length: 80 }, (_, row) => ({ id: row, name: `worker-${row}`, isBusy: row % 3 === 0 })),
    null,
    2,
  );
  const history = [
    { role: 'user', content: 'Which workers are busy?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'one', type: 'function', function: { name: 'list_workers', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'one', content: rows },
    { role: 'assistant', content: 'Every third one.' },
    { role: 'user', content: 'Why?' },
  ];
  const { session, sent } = played(history, { limit: 50_000, format: 'openai-chat', now: () => 0 }, { chance: () => false });
  const having = sent.flatMap(({ length }, index) => (length > 2 ? [index + 1] : []));
  assert.ok(having.length > 1 && !sent.at(-1).text.includes(JSON.stringify(rows)));
  const { said } = session.why({ message: 2 });
  assert.deepEqual(numbersIn(said[0].requests), having);
  assert.deepEqual(said[0].gone, { how: 'shortened', request: having[0] });
  assert.deepEqual(
    said[0].back.map(({ by }) => by),
    ['shorten'],
  );
  assert.equal(session.why({ message: 0 }).said[0].gone, undefined);
});

test('what was superseded says by what', () => {
  const read = (id, text) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'Read', arguments: '{"file_path":"/work/a.ts"}' } }],
    },
    { role: 'tool', tool_call_id: id, content: text },
  ];
  const lines = (name) => Array.from({ length: 60 }, (_, line) => `export const ${name}${line} = ${line * 7};`).join('\n');
  const history = [
    { role: 'user', content: 'Read a.ts.' },
    ...read('one', lines('before')),
    { role: 'assistant', content: 'Done.' },
    { role: 'user', content: 'It changed. Read it again.' },
    ...read('two', lines('after')),
    { role: 'assistant', content: 'Done.' },
    ...working('openai-chat', 1, 12),
  ];
  const { session } = played(history, { limit: 4500, format: 'openai-chat', now: () => 0 }, { chance: () => false });
  const { said } = session.why('before31 = 217');
  assert.equal(said[0].message, 2);
  if (said[0].gone.how === 'cut') {
    assert.equal(said[0].gone.because, 'stale read of /work/a.ts');
    assert.ok(said[0].back.some(({ by }) => by === 'prune'));
  }
});
