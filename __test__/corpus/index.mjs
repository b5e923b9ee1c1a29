// The small corpus (see README.md): conversations as `sayIn` of support/transcripts.mjs takes them, and in the shapes that tests read.
import { Random } from '../../benches/generate/random.mjs';
import { sayIn } from '../support/transcripts.mjs';
import { grepOf, logOf, numbered, PROJECTS, sourceOf, testsOf } from './projects.mjs';
import { talk } from './talks.mjs';

const user = (text) => ({ who: 'user', text, more: [] });
const answer = (text) => ({ who: 'assistant', reasoning: null, text, calls: [], odd: false });

/** Tasks that an agent does one after the other, each with a constant and an error code that later tasks come back to. */
function agentAtWork(random, project, tasks) {
  const turns = [];
  let calls = 0;
  const call = (text, name, args, output, failed = false, reasoning = null) =>
    turns.push({
      who: 'assistant',
      reasoning,
      text,
      calls: [{ id: `call_${++calls}`, name, args, answered: true, result: { blocks: output, json: null, failed } }],
      odd: false,
    });
  const known = [];
  for (let task = 0; task < tasks; task++) {
    const thing = project.things[task % project.things.length];
    const constant = { name: `MAX_${thing.toUpperCase()}_${random.between(100, 999)}`, value: random.between(1_000, 9_000) };
    const code = `E${random.between(10_000, 99_999)}`;
    const file_path = `/srv/${project.name}/src/${thing}.${project.extension}`;
    const before = sourceOf(project, thing, task, constant);
    const after = sourceOf(project, thing, task + 1, constant);
    turns.push(user(`${project.name} reports ${code} when a ${thing} is changed twice within a minute. Please find out why, and mend it.`));
    call(`I look for the places that change a ${thing}.`, 'Grep', { pattern: thing, path: 'src' }, grepOf(random, project, thing));
    call(null, 'Read', { file_path }, numbered(before));
    call(
      'The log should say when it happened first.',
      'Bash',
      { command: `tail -n 200 /var/log/${project.name}.log` },
      logOf(random, project, `${code}: ${constant.name} was ${constant.value}, request ${random.letters(12, '0123456789abcdef')}`),
    );
    const name = `${project.verbs[task % project.verbs.length]} ${thing} twice`;
    const why = `expected ${constant.value}, got ${constant.value + task}`;
    call('First a test that shows it.', 'Bash', { command: `${project.test} ${thing}` }, testsOf(random, project, { name, why }), true, {
      text: `The log says ${code}, so ${constant.name} is read too early, before the ${thing} of the request is known.`,
      signed: true,
    });
    call(
      `The test fails as reported: ${constant.name} is read before it is set.`,
      'Edit',
      { file_path, old_string: before[1], new_string: after[1] },
      `The file ${file_path} has been updated. Here's the result of running \`cat -n\` on a snippet:\n${numbered(after.slice(0, 6))}`,
    );
    call(null, 'Read', { file_path }, numbered(after));
    call(null, 'Bash', { command: `${project.test} ${thing}` }, testsOf(random, project));
    turns.push(answer(`${code} is mended: ${constant.name} in ${file_path} is now ${constant.value + task + 1}, and all tests pass.`));
    known.push({ code, constant, file_path });
    if (task > 1) {
      const { code: earlier, constant: old, file_path: place } = known[task - 2];
      turns.push(
        user('Before you go on: which limit was it in the task before the last one, and in which file?'),
        answer(`That was ${earlier}: ${old.name}, in ${place}.`),
      );
    }
  }
  return { system: `You work on ${project.name}. Read before you edit, and run the tests after each change.`, turns };
}

const TALKS = ['english', 'english', 'chinese', 'chinese', 'japanese', 'japanese', 'emoji', 'emoji'];

/** @type {{ id: string, kind: 'agent' | 'talk', spoken: object }[]} */
export const CONVERSATIONS = [
  ...PROJECTS.flatMap((project, index) => [
    { id: `${project.name}-short`, kind: 'agent', spoken: agentAtWork(new Random(100 + index), project, 2) },
    { id: `${project.name}-long`, kind: 'agent', spoken: agentAtWork(new Random(200 + index), project, 7) },
  ]),
  ...TALKS.map((language, index) => ({
    id: `talk-${language}-${index}`,
    kind: 'talk',
    spoken: talk(new Random(300 + index), language, 60 + 20 * index),
  })),
];

/** The conversations in a provider's messages. */
export const conversationsIn = (format) => CONVERSATIONS.map(({ id, kind, spoken }) => ({ id, kind, messages: sayIn(format, spoken) }));

/** The same as `compress` takes them without a format. */
export const plainConversations = () =>
  conversationsIn('openai-chat').map(({ id, messages }) => ({
    id,
    messages: messages.map((message, index) => ({ id: `m${index}`, index, ...message, content: message.content ?? '' })),
  }));
