// Whether what goes is superseded, judged by the files: they can be told from the conversation as well as before, and whatever
// went has something that says it better.
import { PNG } from './agent.mjs';
import { clip, json, must, rawOf } from './judge.mjs';
import { contentsOf } from './speak.mjs';

/** Calls and results by id: JSON, and the result as a value. */
export function operationsOf(format, messages) {
  const found = new Map();
  for (const { kind, id, value } of contentsOf(format, messages)) {
    if (kind === 'call') found.set(id, { ...found.get(id), call: json(value) });
    if (kind === 'result') found.set(id, { ...found.get(id), result: json(value), value });
  }
  return found;
}

const linesIn = (lines, text) =>
  lines
    .split('\n')
    .map((line) => line.trim())
    .every((line) => text.includes(line));

/**
 * What the conversation `now` tells of each file by whole writes and the edits since, or by a whole read that nothing changed
 * since: path → text, undefined where a change is not told. `ids` are all calls that there were, in order; `agent.said` has
 * them as they were said.
 */
function knownFiles({ ops, said }, ids, now) {
  const files = new Map();
  const done = ids.filter((id) => ops.get(id)?.answered && ops.get(id).ok);
  const isThere = (id, what) => now.get(id)?.[what] !== undefined && now.get(id)[what] === said.get(id)[what];
  done.forEach((id, index) => {
    const { kind, paths, lines, text, from, to } = ops.get(id);
    const [path] = paths;
    const later = done.slice(index + 1).filter((other) => ops.get(other).paths.includes(path));
    const reads = later.filter((other) => ops.get(other).kind === 'read');
    switch (kind) {
      case 'write':
        files.set(path, isThere(id, 'call') ? text : undefined);
        break;
      case 'edit': {
        // An edit may go where a later read shows what it brought.
        const isTold = isThere(id, 'call') || reads.some((other) => isThere(other, 'result') && linesIn(to, ops.get(other).text));
        files.set(path, isTold ? files.get(path)?.replace(from, () => to) : undefined);
        break;
      }
      case 'change':
        for (const one of paths) files.delete(one);
        break;
      case 'read': {
        // A read that is changed later may go; and from one that overlaps with later ones, what these show.
        if (lines || reads.length < later.length) break;
        const shown = [id, ...reads]
          .map((other) => (isThere(other, 'result') ? ops.get(other).text : rawOf(now.get(other)?.value ?? '')))
          .join('\n');
        // What went because another file says the same is told by that one: the stub says so.
        const isRepeated = done
          .slice(index + 1)
          .some((other) => said.get(other).result === said.get(id).result && isThere(other, 'result'));
        if (isThere(id, 'result') || isRepeated || linesIn(text, shown)) files.set(path, text);
      }
    }
  });
  return files;
}

/** That the agent's files are what a whole conversation says; how many it tells of. */
export function judgeAgent(format, messages, agent) {
  const all = operationsOf(format, messages);
  const known = [...knownFiles(agent, [...all.keys()], all)].filter(([, text]) => text !== undefined);
  for (const [path, text] of known) {
    const real = agent.files.texts.get(path);
    if (real !== text) throw new Error(`the agent's ${path} is not what it said: ${clip(text)} and ${clip(real)}`);
  }
  return known.length;
}

/**
 * Nothing goes that nothing supersedes, and each file can be told as well as before.
 *
 * @param {object[]} full everything that was said, `before` and `after` the pruning
 */
export function judgeFiles(format, full, before, after, agent, { edits, failures }) {
  const [all, was, now] = [full, before, after].map((messages) => operationsOf(format, messages));
  const ids = [...all.keys()];
  if (edits === 'safe') {
    const known = knownFiles(agent, ids, now);
    for (const [path, text] of knownFiles(agent, ids, was)) {
      if (text !== undefined)
        must(
          'files',
          known.get(path) === text,
          () => `${path} can't be told any more: ${clip(known.get(path) ?? 'gone')} for ${clip(text)}`,
        );
    }
  }
  ids.forEach((id, index) => {
    const [old, kept, op] = [was.get(id), now.get(id), agent.ops.get(id)];
    if (!old || !op) return;
    const isGone = { call: kept?.call !== old.call, result: old.result !== undefined && kept?.result !== old.result };
    const text = rawOf(old.value ?? '');
    const left = rawOf(kept?.value ?? '');
    if (op.words && text.includes(op.words))
      must(
        'rejection',
        op.words.split('\n').every((line) => left.includes(line)),
        () => `the user's words are cut: ${clip(left)} was ${clip(text, 800)}`,
      );
    if (!isGone.call && !isGone.result) return;
    const later = ids
      .slice(index + 1)
      .filter((other) => was.has(other))
      .map((other) => ({ ...agent.ops.get(other), now: now.get(other), was: was.get(other) }));
    const may = licences(op, old, text, later, { left, edits, failures, images: json(before).split(PNG).length - 1 });
    // A call goes with its result, and the result with its call.
    const isLicensed = kept === undefined || isGone.result ? may.result || may.call : may.call;
    must(
      'licence',
      isLicensed,
      () =>
        `nothing supersedes ${op.kind} ${id} of ${op.paths} ${op.command ?? ''} (${kept ? json(isGone) : 'all gone'}): ${clip(old, 600)} is ${clip(kept ?? 'gone', 600)}`,
    );
  });
}

const LONG = 16_000;
const ENCODED = /[A-Za-z0-9+/=]{512}/;

/** Whether something later says better what a call brought (`call`), and what it showed (`result`). */
function licences(op, old, text, later, { left, edits, failures, images }) {
  const { kind, paths } = op;
  const done = later.filter((other) => other.ok && other.answered);
  /** Whether each of its files is the object of one of these, later. */
  const everyFile = (...kinds) =>
    paths.length > 0 && paths.every((path) => done.some((other) => kinds.includes(other.kind) && other.paths.includes(path)));
  const isRerun = later.some(
    (other) => other.kind === kind && other.command !== undefined && other.command === op.command && other.was.result !== undefined,
  );
  const isRepeated = later.some(({ was }) => was.result === old.result || was.call === old.call);
  /** Whether what an operation showed is still there, or a later result that says the same. */
  const isThere = ({ was }) => done.some((other) => other.was.result === was.result && other.now?.result === other.was.result);
  const isShown = done.some(
    (other) =>
      other.kind === 'read' && other.paths.includes(paths[0]) && isThere(other) && (!other.lines || linesIn(op.to ?? '', other.text)),
  );
  /** Whether of a read only lines are gone that a later one showed. */
  const areLinesShown = () =>
    op.text.split('\n').every((line, index) => {
      const number = (op.lines?.[0] ?? 1) + index;
      const isShown = ({ kind, paths, lines }) =>
        kind === 'read' && paths.includes(op.paths[0]) && (!lines || (lines[0] <= number && number <= lines[1]));
      return done.some(isShown) || left.includes(line.trim());
    });
  // All images are of one picture, those of the user too.
  const showsAgain = images > 1 && old.result?.includes(PNG);
  const result =
    !op.ok ||
    isRepeated ||
    showsAgain ||
    failures === 'words' ||
    ENCODED.test(text) ||
    (kind === 'read' ? everyFile('write', 'edit', 'change') || areLinesShown() : isRerun || text.length > LONG);
  const call =
    (kind === 'write' && (!op.ok || everyFile('write'))) ||
    (kind === 'edit' && (!op.ok || everyFile('write') || isShown || (edits === 'last' && everyFile('edit', 'read', 'change'))));
  return { result, call };
}
