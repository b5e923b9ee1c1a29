// What must not be lost: rules that programs send as the user's text, files of rules, the user's own rules, the newest list, and what the task asks for
// word for word. They are in every request, or the report says which are not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession, fit, restore } from 'palimpsest';
import { Random } from '../support/random.mjs';
import { cases, SEED } from '../support/seed.mjs';

const NOISE = 'batch ledger tenant quota cursor shard replica outbox lease backoff window digest ticket audit render locale'.split(' ');
const prose = (random, count) => Array.from({ length: count }, () => random.pick(NOISE)).join(' ');
const found = (random) =>
  Array.from(
    { length: 50 },
    (_, line) =>
      `src/${random.pick(NOISE)}_${line}.ts:${line * 7}: const ${random.pick(NOISE)} = await ${random.pick(NOISE)}.fetch('${random.integer(1, 1e6)}');`,
  ).join('\n');

/** Rules in languages that rules are written in. Each names something of its own. */
const RULES = [
  (name) => `Never run ${name} without asking.`,
  (name) => `Do not touch files under ${name}/.`,
  (name) => `You must keep ${name} below ten seconds.`,
  (name) => `Use ${name}, never its fork.`,
  (name) => `Ne modifiez jamais ${name}.`,
  (name) => `Niemals ${name} löschen.`,
  (name) => `Nunca borres ${name}.`,
  (name) => `Никогда не удаляй ${name}.`,
  (name) => `不要修改 ${name} 文件。`,
];
const bullets = (rules) => rules.map((rule) => `- ${rule}`).join('\n');

/** How programs send rules, as the texts of the user's messages. */
const CARRIERS = {
  'CLAUDE.md in a reminder': (rules, about, task) => [
    [
      `<system-reminder>\n# claudeMd\nContents of /repo/CLAUDE.md:\n\n# Rules\n${bullets(rules)}\n\n# About\n${about}\n</system-reminder>`,
      task,
    ],
  ],
  'CLAUDE.md in one text with the task': (rules, about, task) => [
    [`<system-reminder>\nContents of /repo/CLAUDE.md:\n${bullets(rules)}\n\n${about}\n</system-reminder>\n\n${task}`],
  ],
  'AGENTS.md': (rules, about, task) => [
    [`# AGENTS.md instructions for /repo\n\n<INSTRUCTIONS>\n${bullets(rules)}\n\n${about}\n</INSTRUCTIONS>`],
    [task],
  ],
  'a skill': (rules, about, task) => [[task], [`Base directory for this skill: /skills/export\n\n# Export\n${about}\n\n${bullets(rules)}`]],
  'custom instructions': (rules, about, task) => [[`<user_instructions>\n${bullets(rules)}\n\n${about}\n</user_instructions>`], [task]],
};

const FORMATS = {
  anthropic: {
    user: (texts) => ({ role: 'user', content: texts.map((text) => ({ type: 'text', text })) }),
    call: (id, name, input) => ({ role: 'assistant', content: [{ type: 'tool_use', id, name, input }] }),
    result: (id, content) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] }),
  },
  'openai-chat': {
    user: (texts) => ({ role: 'user', content: texts.join('\n\n') }),
    call: (id, name, input) => ({
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
    }),
    result: (id, content) => ({ role: 'tool', tool_call_id: id, content }),
  },
};

/** Adds an agent's searches. */
function work({ call, result }, history, random, count) {
  for (let step = 0; step < count; step++) {
    const id = `s${history.length}`;
    history.push(call(id, 'Bash', { command: `rg -n ${random.pick(NOISE)} src` }), result(id, found(random)));
  }
}

const TASK = 'Find out why the export job fails and mend it.';
const unescaped = (messages) => JSON.stringify(messages);
const isIn = (text, said) => text.includes(JSON.stringify(said).slice(1, -1));

for (const [carrier, write] of Object.entries(CARRIERS))
  for (const [format, shape] of Object.entries(FORMATS))
    test(`${carrier}, ${format}: every rule is in every request`, () => {
      const random = new Random(SEED);
      for (let n = 0; n < cases(6); n++) {
        const rules = Array.from({ length: random.integer(3, 9) }, (_, place) => random.pick(RULES)(`${random.pick(NOISE)}${n}_${place}`));
        const history = write(rules, prose(random, 250), TASK).map(shape.user);
        work(shape, history, random, 25);
        for (const limit of [20_000, 10_000, 6000]) {
          const { messages, originals, report, tokens } = fit(history, { limit, format });
          const text = unescaped(messages);
          for (const rule of rules) assert.ok(isIn(text, rule), `${rule} at ${limit}`);
          assert.ok(isIn(text, TASK) && tokens.after <= limit);
          assert.ok(report.rules.kept === report.rules.found && report.rules.found >= rules.length);
          assert.equal(report.lost, undefined);
          assert.deepEqual(restore(messages, originals).messages, history);
        }
      }
    });

test('a newer version of a file of rules replaces the older one', () => {
  const { user } = FORMATS.anthropic;
  const random = new Random(SEED);
  const agents = (rule) =>
    user([`# AGENTS.md instructions for /repo\n\n<INSTRUCTIONS>\n- ${rule}\n\n${prose(random, 900)}\n</INSTRUCTIONS>`]);
  const history = [agents('Never use the old_queue.'), user([TASK])];
  work(FORMATS.anthropic, history, random, 12);
  history.push(agents('Never use the new_queue.'), user(['Go on.']));
  work(FORMATS.anthropic, history, random, 12);
  const { messages, report } = fit(history, { limit: 8000, format: 'anthropic' });
  assert.ok(isIn(unescaped(messages), 'Never use the new_queue.'));
  assert.equal(report.rules.found, 1);
});

test('in every script, versions are told from other files, and a newer one from the same', () => {
  const { user } = FORMATS.anthropic;
  const random = new Random(SEED);
  const skill = (name, rule) => user([`Base directory for this skill: /技能/${name}\n\n# ${name}\n- ${rule}`]);
  const history = [user([TASK]), skill('导出', '绝不删除订单表。'), skill('导入', '绝不删除库存表。'), skill('报告', '绝不使用旧队列。')];
  work(FORMATS.anthropic, history, random, 12);
  history.push(skill('报告', '绝不使用新队列。'), user(['Go on.']));
  work(FORMATS.anthropic, history, random, 12);
  const { messages, report } = fit(history, { limit: 6000, format: 'anthropic' });
  for (const rule of ['绝不删除订单表。', '绝不删除库存表。', '绝不使用新队列。']) assert.ok(isIn(unescaped(messages), rule), rule);
  assert.equal(report.rules.found, 3);
});

test('rules that the agent read stay, and those that the user said', () => {
  const { user, call, result } = FORMATS.anthropic;
  const random = new Random(SEED);
  const history = [
    user([TASK]),
    call('r', 'Read', { file_path: '/repo/AGENTS.md' }),
    result('r', `     1→- Never drop the outbox table.\n     2→${prose(random, 700)}`),
  ];
  work(FORMATS.anthropic, history, random, 10);
  history.push(user(['From now on, write every number in hexadecimal.']));
  work(FORMATS.anthropic, history, random, 20);
  const text = unescaped(fit(history, { limit: 9000, format: 'anthropic' }).messages);
  assert.ok(isIn(text, 'Never drop the outbox table.') && isIn(text, 'From now on, write every number in hexadecimal.'));
});

const ITEMS = ['Add the lease column', 'Backfill leases in batches of 500', 'Switch readers to lease_v2', 'Drop the advisory locks'];
/** Calls that state a list, of many agents. */
const LISTS = {
  TodoWrite: (items) => ({ todos: items.map((content, at) => ({ content, status: at ? 'pending' : 'completed', activeForm: content })) }),
  update_plan: (items) => ({ plan: items.map((step, at) => ({ step, status: at ? 'pending' : 'completed' })) }),
  todo_write: (items) => ({ todos: items.map((content, id) => ({ id, content, status: id ? 'pending' : 'completed' })) }),
  write_todos: (items) => ({ todos: items.map((description, at) => ({ description, status: at ? 'pending' : 'completed' })) }),
  update_todo_list: (items) => ({ todos: items.map((item, at) => `- [${at ? ' ' : 'x'}] ${item}`).join('\n') }),
};
for (const [tool, list] of Object.entries(LISTS))
  for (const [format, { user, call, result }] of Object.entries(FORMATS))
    test(`${tool}, ${format}: the open items of the newest list stay`, () => {
      const random = new Random(SEED);
      const history = [user(['Migrate the queue. Keep a list.'])];
      for (const [at, items] of [['Write a plan', ...ITEMS], ITEMS].entries()) {
        history.push(call(`p${at}`, tool, list(items)), result(`p${at}`, 'ok'));
        work(FORMATS[format], history, random, 20);
      }
      for (const limit of [20_000, 8000]) {
        const text = unescaped(fit(history, { limit, format }).messages).replaceAll('\\\\', '\\');
        for (const item of ITEMS.slice(1)) assert.ok(isIn(text, item), `${item} at ${limit}`);
      }
    });

test('open tasks stay, and closed ones may go', () => {
  const { user, call, result } = FORMATS.anthropic;
  const random = new Random(SEED);
  const history = [user(['Migrate the queue.'])];
  ITEMS.forEach((subject, at) => {
    history.push(
      call(`c${at}`, 'TaskCreate', { subject, description: prose(random, 20) }),
      result(`c${at}`, `Task #${at + 1} created successfully: ${subject}`),
    );
  });
  history.push(call('u', 'TaskUpdate', { taskId: '1', status: 'completed' }), result('u', 'Updated task #1 status'));
  work(FORMATS.anthropic, history, random, 30);
  const text = unescaped(fit(history, { limit: 6000, format: 'anthropic' }).messages);
  for (const item of ITEMS.slice(1)) assert.ok(isIn(text, item), item);
});

test('what the task asks for word for word stays, and a log beside it is a paste, a short one too', () => {
  const { user } = FORMATS['openai-chat'];
  for (let n = 0; n < cases(6); n++) {
    const random = new Random(SEED + n);
    const command = `./submit.sh --final --task ${random.integer(1000, 9999)} && echo DONE`;
    const log = Array.from(
      { length: n % 2 === 0 ? 150 : 60 },
      (_, line) => `12:00:${line} ${random.pick(NOISE)}[${line}] ${random.integer(1, 1e9)}`,
    ).join('\n');
    const task = `${TASK}\n\n${log}\n\nWhen you are done, run exactly this, alone:\n\n\`\`\`bash\n${command}\n\`\`\`\n\nDo not edit tests.`;
    const history = [user([task])];
    work(FORMATS['openai-chat'], history, random, 25);
    for (const limit of [15_000, 6000]) {
      const { messages, tokens } = fit(history, { limit, format: 'openai-chat' });
      const text = unescaped(messages);
      for (const said of [command, 'Do not edit tests.', TASK]) assert.ok(isIn(text, said), `${said} at ${limit}`);
      assert.ok(tokens.after <= limit);
      if (limit < 10_000) assert.ok(!isIn(text, log));
    }
  }
});

test('what does not fit is said, and a session says it once', () => {
  const { user } = FORMATS.anthropic;
  const random = new Random(SEED);
  const rules = Array.from({ length: 400 }, (_, at) => `Never let ${prose(random, 12)} reach rule_${at}.`);
  const history = [user([`# AGENTS.md instructions for /repo\n\n<INSTRUCTIONS>\n${bullets(rules)}\n</INSTRUCTIONS>`]), user([TASK])];
  work(FORMATS.anthropic, history, random, 25);
  const { messages, report } = fit(history, { limit: 6000, format: 'anthropic' });
  const text = unescaped(messages);
  const kept = rules.filter((rule) => isIn(text, rule)).length;
  assert.ok(kept > 0 && kept < rules.length);
  assert.deepEqual({ found: report.rules.found, kept: report.rules.kept }, { found: rules.length, kept });
  assert.deepEqual(report.lost, [{ kind: 'rules', message: 0, lines: rules.length - kept }]);
  // Those that come first in the text stay.
  assert.ok(isIn(text, rules[0]) && !isIn(text, rules.at(-1)));

  const session = createSession({ limit: 6000, format: 'anthropic', warn: false });
  const first = session.next(history);
  assert.ok(first.report.lost.length > 0 && first.report.rules.kept < rules.length);
  work(FORMATS.anthropic, history, random, 5);
  session.next(history);
  assert.deepEqual(
    session.report.mistakes.map(({ kind }) => kind),
    ['lost-rules'],
  );
  // What is added behind the user's words takes nothing from the report.
  const telling = createSession({ limit: 6000, format: 'anthropic', warn: false, volatile: () => 'It is Monday.' });
  const step = telling.next([...history, user(['And now?'])]);
  assert.ok(isIn(unescaped(step.messages), 'It is Monday.') && step.report.lost.length > 0 && step.report.rules.kept < rules.length);
});

// `[write_to_file for 'src/a.ts'] Result:` is how Cline and its relatives write a result.
test('a call whose result came as the user’s text waits for nothing', () => {
  const { user, call } = FORMATS['openai-chat'];
  const history = [user(['Mend the export.'])];
  for (let n = 0; n < 60; n++) {
    history.push(call(`w${n}`, 'write_to_file', { path: `src/f${n}.ts`, content: `const a${n} = ${n};\n`.repeat(60) }));
    history.push(user([`[write_to_file for 'src/f${n}.ts'] Result:\nThe content was saved.`]));
  }
  const waiting = call('open', 'write_to_file', { path: 'src/open.ts', content: 'const open = 1;\n'.repeat(20) });
  history.push(waiting);
  const all = fit(history, { limit: 1e9, format: 'openai-chat' }).tokens.before;
  const { fits, messages } = fit(history, { limit: Math.floor(all / 4), format: 'openai-chat' });
  assert.ok(fits);
  assert.deepEqual(messages.at(-1), waiting);
});
