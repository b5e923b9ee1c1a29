// Passages: what the next edit has to quote stays word for word, and the user's requests stay beside pastes.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { countTokens, fit } from 'palimpsest';
import { Random } from '../support/random.mjs';
import { cases, SEED } from '../support/seed.mjs';
import { Talk, lines, sentence } from './talk.mjs';

const FUNCTIONS = 10;
/** A function of twelve lines, which names nothing that the others name. */
const functionOf = (name, number) =>
  [
    `export function ${name}${number}(jobs, limit) {`,
    ...Array.from({ length: 9 }, (_, line) => `  const ${name}Step${number * 9 + line} = await run${line % 7}(jobs[${line}], limit);`),
    '  return done;',
    '}',
  ].join('\n');
const functionsOf = (name) => Array.from({ length: FUNCTIONS }, (_, number) => functionOf(name, number));
const fileOf = (name) => functionsOf(name).join('\n');
const read = (talk, name) => talk.call('Read', { file_path: `/app/src/${name}.js` }, fileOf(name));
const fitTo = (talk, share) => fit(talk.messages, { limit: Math.floor(talk.tokens * share) }).messages;
const wholeIn = (text, name) => functionsOf(name).filter((one) => text.includes(one)).length;

test('of the file just read at least nine of ten functions are whole at three quarters', () => {
  const talk = new Talk('').user('The queue retries too early. Mend it.');
  for (const name of ['worker', 'queue', 'retry']) read(talk, name);
  const { content } = fitTo(talk, 0.75).at(-1);
  assert.ok(wholeIn(content, 'retry') >= 9, content);
});

test('what has to go of the newest exchange goes from its oldest and largest result', () => {
  const log = lines(150, (line) => sentence(4000 + line));
  const talk = new Talk('').user('The queue retries too early. Mend it.').call('Bash', { command: 'npm test' }, log);
  const small = ['worker', 'queue', 'retry'].map((name) => functionsOf(name).slice(0, 2).join('\n'));
  for (const [at, text] of small.entries()) talk.call('Read', { file_path: `/app/src/part${at}.js` }, text);
  for (const share of [0.8, 0.6, 0.4]) {
    const [first, ...others] = fitTo(talk, share).filter(({ role }) => role === 'tool');
    assert.deepEqual(
      others.map(({ content }) => content),
      small,
      `${share}`,
    );
    assert.ok(first.content.length < log.length);
  }
});

describe('in a session of many steps, at a quarter', () => {
  const old = new Talk('').user('The queue retries too early. Mend it.');
  for (let step = 0; step < 60; step++)
    old.call(
      'Bash',
      { command: `npm run check_${step}` },
      lines(20, (line) => sentence(100 * step + line)),
    );
  const with_ = (add) => {
    const talk = new Talk('');
    talk.messages.push(...old.messages);
    add(talk);
    for (let step = 60; step < 64; step++)
      talk.call(
        'Bash',
        { command: `npm run check_${step}` },
        lines(5, (line) => sentence(100 * step + line)),
      );
    return talk;
  };

  test('a file read some steps ago is whole', () => {
    const talk = with_((talk) => read(talk, 'retry'));
    assert.equal(wholeIn(JSON.stringify(fitTo(talk, 0.25)).replaceAll('\\n', '\n'), 'retry'), FUNCTIONS);
  });

  test('so is one that the model wrote, and the text of its edits', () => {
    const talk = with_((talk) =>
      talk
        .call('Write', { file_path: '/app/src/retry.js', content: fileOf('retry') }, 'File created.')
        .call('Edit', { file_path: '/app/src/queue.js', old_string: 'later();', new_string: functionOf('queue', 3) }, 'Edited.'),
    );
    const calls = fitTo(talk, 0.25).flatMap(({ tool_calls: calls }) => calls ?? []);
    const texts = calls.flatMap((call) => Object.values(JSON.parse(call.function.arguments)));
    assert.equal(wholeIn(texts.join('\n'), 'retry'), FUNCTIONS);
    assert.ok(texts.some((text) => text.includes(functionOf('queue', 3))));
  });

  test('of what was read again only the newest', () => {
    const talk = with_((talk) => read(read(talk, 'retry').call('Bash', { command: 'ls' }, 'src'), 'retry'));
    const reads = fitTo(talk, 0.25).filter(({ content }) => content?.includes('retryStep'));
    assert.ok(reads.filter(({ content }) => wholeIn(content, 'retry') === FUNCTIONS).length === 1, JSON.stringify(reads));
  });

  test('of a file that changed between two reads the newer one, and of the older one what differs at most', () => {
    const changed = fileOf('retry').replace(functionOf('retry', 4), functionOf('waiting', 4));
    const talk = with_((talk) =>
      read(talk, 'retry')
        .call('Bash', { command: 'node scripts/rename.mjs' }, 'done')
        .call('Read', { file_path: '/app/src/retry.js' }, changed),
    );
    const texts = fitTo(talk, 0.25).map(({ content }) => content ?? '');
    assert.ok(texts.includes(changed));
    const again = texts.filter((text) => text !== changed).join('\n');
    const twice = functionsOf('retry').filter((one) => changed.includes(one) && again.includes(one));
    assert.deepEqual(twice, []);
  });
});

test('functions of a long argument stand in its mark word for word', () => {
  const content = fileOf('retry');
  const talk = new Talk('').user('Write it.').call('Write', { file_path: '/app/retry.js', content }, 'File created.');
  talk.assistant('It is written.').user('What does retryStep40 do?');
  let seen = 0;
  for (let share = 0.35; share < 0.8; share += 0.03) {
    const [call] = fitTo(talk, share).flatMap(({ tool_calls: calls }) => calls ?? []);
    const text = JSON.parse(call?.function.arguments ?? '{}').content ?? '';
    if (text === content || !text.includes('retryStep40')) continue;
    seen++;
    assert.match(text, /^\[… 120 lines: cut here, sent in full:/);
    assert.ok(wholeIn(text, 'retry') > 0 || !text.includes('\n'), text);
  }
  assert.ok(seen > 0);
});

test('the fewer the tokens, the smaller their share for files: other things need room, too', () => {
  const talk = new Talk('').user('Mend the retries.');
  for (let step = 0; step < 12; step++)
    talk.call(
      'Bash',
      { command: `deploy step ${step}` },
      `Deployment ${step * 7919}c4e started.\n${lines(6, (line) => sentence(100 * step + line))}`,
    );
  read(talk, 'retry');
  for (let step = 0; step < 4; step++) talk.call('Bash', { command: `ls dir_${step}` }, `file_${step}.md`);
  const share = (limit) => JSON.stringify(fit(talk.messages, { limit }).messages).split('retryStep').length / limit;
  assert.ok(share(500) < share(2000) / 1.5, `${share(500)}, ${share(2000)}`);
});

test('of a long command the mark keeps the path', () => {
  const rows = lines(60, (line) => `    total_${line} = sum(row.amount_${line % 9} for row in rows if row.kind == ${line})`);
  const command = `cat > /srv/report/sums.py << 'EOF'\n${rows}\nEOF\npython3 /srv/report/sums.py`;
  const talk = new Talk('').user('Build the report.');
  for (let step = 0; step < 20; step++)
    talk.call(
      'Bash',
      { command: `npm run check_${step}` },
      lines(15, (line) => sentence(100 * step + line)),
    );
  talk.call('Bash', { command }, 'written');
  for (const share of [0.5, 0.3, 0.2, 0.1, 0.05]) {
    const calls = fitTo(talk, share).flatMap(({ tool_calls: calls }) => calls ?? []);
    const { command: left } = JSON.parse(calls.at(-1).function.arguments);
    assert.ok(left === command || /^\[… 63 lines: cut here, sent in full:\s.*\/srv\/report\/sums\.py/.test(left), `${share}: ${left}`);
  }
});

describe('short requests', () => {
  const asks = Array.from({ length: 20 }, (_, k) => `Please also set option opt${k} to ${k * 13 + 5} there.`);
  const answer = (k) =>
    Array.from(
      { length: 12 },
      (_, i) => `Step ${k}.${i}: the module svc_${k}_${i} reads conf_${k * 31 + i}.yaml and writes /var/lib/app/${k}/${i}.log.`,
    ).join(' ');
  const plan = Array.from(
    { length: 260 },
    (_, i) => `Then move the volume number ${i} of the cluster to the zone that its replica stands in.`,
  ).join('\n');
  const chat = (first) => asks.reduce((talk, ask, k) => talk.assistant(answer(k)).user(ask), new Talk('').user(first));

  for (const [name, first] of [
    ['a short task', 'Migrate the two nodes.'],
    ['a pasted plan', `Migrate the two nodes.\n${plan}`],
  ])
    test(`all stay beside ${name}`, () => {
      const { messages } = fit(chat(first).messages, { limit: 3600 });
      assert.equal(asks.filter((ask) => messages.some(({ content }) => content.includes(ask))).length, asks.length);
    });

  test('stay beside skills and reminders that the program sent as the user', () => {
    const rules = lines(
      60,
      (n) => `${n + 1}. When the change touches that area, read the guideline first and apply the rule before you answer.`,
    );
    for (const start of ['Base directory for this skill: /skills/a\n\n', '# AGENTS.md instructions for /app\n\n', '<system-reminder>\n']) {
      const talk = new Talk('').user('Review the change.').assistant(answer(1)).user('Fix all findings.');
      for (let k = 0; k < 4; k++) talk.assistant(answer(k)).user(`${start}${rules}\n${k}`);
      const { messages } = fit(talk.assistant(answer(9)).user('commit and push').messages, { limit: 1200 });
      assert.ok(
        messages.some(({ content }) => content.includes('Fix all findings.')),
        start,
      );
      assert.ok(countTokens(messages.filter(({ content }) => content.includes('guideline'))) < 600, start);
    }
  });
});

test('standing instructions outlive old results wherever all the words of the user fit a fifth, whatever programs sent as the user', () => {
  const rule = 'Never touch src/legacy.ts, and answer in French.';
  const program = lines(
    40,
    (n) => `${n + 1}. When the change touches that area, read the guideline first and apply the rule before you answer.`,
  );
  const starts = [
    '<system-reminder>\n',
    '<environment_context>\n',
    '<task-notification>\n',
    '<user_info>\n',
    '# AGENTS.md instructions for /app\n\n',
    'Base directory for this skill: /skills/a\n\n',
    'This is the Gemini CLI. We are setting up the context for our chat.\n',
    'Caveat: The messages below were generated by the user while running local commands.\n',
    '[SYSTEM] ',
  ];
  for (const start of starts) {
    const talk = new Talk('').user('Mend the retries.');
    for (let step = 0; step < 12; step++) {
      talk.call(
        'Bash',
        { command: `npm run check_${step}` },
        lines(20, (line) => sentence(100 * step + line)),
      );
      if (step === 3) talk.assistant('Done.').user(rule);
      if (step % 4 === 1) talk.assistant('Done.').user(`${start}${program}`);
    }
    talk.assistant('The checks pass.').user('Go on.');
    const words = countTokens([...new Talk('').user('Mend the retries.').assistant('Done.').user(rule).user('Go on.').messages]);
    for (let limit = 8 * words; limit < talk.tokens; limit = Math.ceil(limit * 1.5)) {
      const { messages } = fit(talk.messages, { limit });
      assert.ok(
        messages.some(({ content }) => content?.includes(rule)),
        `${start} at ${limit}`,
      );
    }
  }
});

test('the text that the last edit quoted is still there', () => {
  const talk = new Talk('').user('Mend the retries.');
  for (const name of ['worker', 'queue', 'retry']) read(talk, name);
  const quoted = functionOf('retry', 4);
  talk.call('Edit', { file_path: '/app/src/retry.js', old_string: quoted, new_string: functionOf('mended', 4) }, 'Edited.');
  for (const share of [0.9, 0.75]) {
    const messages = fitTo(talk, share);
    const args = messages.flatMap(({ tool_calls: calls }) => calls ?? []).map((call) => JSON.parse(call.function.arguments));
    assert.ok(messages.some(({ content }) => content?.includes(quoted)) || args.some(({ old_string: old }) => old === quoted), `${share}`);
    assert.equal(args.at(-1).new_string, functionOf('mended', 4));
  }
});

// With the second, the best lines of the older read were none of its best ones before the newer read was chosen.
for (const seed of [SEED, 124_159_667])
  test(`a file that was read again stays as it was read last, and of the older read what differs: ${seed === SEED ? 'any' : seed}`, () => {
    const random = new Random(seed);
    for (let round = 0; round < cases(20); round++) {
      const count = random.integer(120, 250);
      const changed = new Set(Array.from({ length: random.integer(2, 10) }, () => random.integer(0, count - 1)));
      const line = (number, name) =>
        `  const ${name}${number} = compute${(number * 7919) % 1000}(input${number}, '${(number * 31_337) % 9973}');`;
      const show = (name) =>
        lines(count, (number) => `${String(number + 1).padStart(6)}→${line(number, changed.has(number) ? name : 'value')}`);
      const [older, newer] = ['before', 'after'].map(show);
      const talk = new Talk('').user('Mend the module.').call('Read', { file_path: '/app/src/a.ts' }, older);
      for (let step = random.integer(0, 6); step > 0; step--) talk.assistant(`Step ${step} is done.`).user('Go on.');
      talk.call('Read', { file_path: '/app/src/a.ts' }, newer).assistant('It is read.').user('Mend it, please.');
      const limit = Math.floor(talk.tokens * 0.6);
      const results = fit(talk.messages, { limit, shorten: false }).messages.filter(({ role }) => role === 'tool');
      assert.equal(results.at(-1).content, newer);
      const stays = new Set(results[0].content.split('\n'));
      const before = older.split('\n').filter((_, number) => changed.has(number));
      assert.deepEqual(
        before.filter((text) => !stays.has(text)),
        [],
        `${count} lines, ${changed.size} changed`,
      );
      assert.ok(results[0].content.length < older.length / 2, 'no more of it than there is room for');
    }
  });

test('of a long exchange the newest steps are whole: a seventh of the tokens at least', () => {
  const random = new Random(SEED);
  for (let round = 0; round < cases(20); round++) {
    const talk = new Talk('').user('The queue retries too early. Mend it.');
    for (let step = random.integer(40, 80); step > 0; step--) {
      const text = lines(random.integer(3, 30), (number) => sentence(1000 * step + number));
      talk.call('Bash', { command: `npm run check_${step}` }, text);
    }
    const limit = Math.floor(talk.tokens * random.pick([0.3, 0.5, 0.7]));
    const kept = new Set(fit(talk.messages, { limit }).messages.map((message) => JSON.stringify(message)));
    for (let end = talk.messages.length; end > 1 && countTokens(talk.messages.slice(end - 2)) <= limit / 7; end -= 2)
      for (const message of talk.messages.slice(end - 2, end)) assert.ok(kept.has(JSON.stringify(message)), `${end} at ${limit}`);
  }
});
