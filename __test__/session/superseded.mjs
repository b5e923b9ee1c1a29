// Judges by the files whether removed content is superseded: the conversation shows the same files as before, and each removed part has a
// later one that shows it better.
import { PNG } from './agent.mjs';
import { clip, json, must, rawOf } from './judge.mjs';
import { contentsOf } from './speak.mjs';

/** Calls and results by id: as JSON, and the result as a value. */
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
 * The files that the conversation `now` shows, by whole writes and later edits, or by a whole read after which nothing changed:
 * path → text, undefined if a change is not shown. `ids` are all calls that there were, in order; `agent.said` has
 * them as they were written.
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
        // An edit may go if a later read shows its result.
        const isTold = isThere(id, 'call') || reads.some((other) => isThere(other, 'result') && linesIn(to, ops.get(other).text));
        files.set(path, isTold ? files.get(path)?.replace(from, () => to) : undefined);
        break;
      }
      case 'change':
        for (const one of paths) files.delete(one);
        break;
      case 'read': {
        // A read of a file that changed later may go, and lines of a read that later reads show again.
        if (lines || reads.length < later.length) break;
        const shown = [id, ...reads]
          .map((other) => (isThere(other, 'result') ? ops.get(other).text : rawOf(now.get(other)?.value ?? '')))
          .join('\n');
        // Content that went because another file has the same is shown by that file; the stub names it.
        const isRepeated = done
          .slice(index + 1)
          .some((other) => said.get(other).result === said.get(id).result && isThere(other, 'result'));
        if (isThere(id, 'result') || isRepeated || linesIn(text, shown)) files.set(path, text);
      }
    }
  });
  return files;
}

/** Asserts that a whole conversation shows the agent's files. Returns how many it shows. */
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
 * Asserts that everything removed is superseded, and that each file is shown as before.
 *
 * @param {object[]} full the complete conversation; `before` and `after` the pruning
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

/** Returns whether a later message shows the effect of a call better (`call`), or its output (`result`). */
function licences(op, old, text, later, { left, edits, failures, images }) {
  const { kind, paths } = op;
  const done = later.filter((other) => other.ok && other.answered);
  /** Returns whether each of its files is the object of a later one of these operations. */
  const everyFile = (...kinds) =>
    paths.length > 0 && paths.every((path) => done.some((other) => kinds.includes(other.kind) && other.paths.includes(path)));
  const isRerun = later.some(
    (other) => other.kind === kind && other.command !== undefined && other.command === op.command && other.was.result !== undefined,
  );
  const isRepeated = later.some(({ was }) => was.result === old.result || was.call === old.call);
  /** Returns whether the output of an operation is still there, or a later result with the same content. */
  const isThere = ({ was }) => done.some((other) => other.was.result === was.result && other.now?.result === other.was.result);
  const isShown = done.some(
    (other) =>
      other.kind === 'read' && other.paths.includes(paths[0]) && isThere(other) && (!other.lines || linesIn(op.to ?? '', other.text)),
  );
  /** Returns whether only those lines of a read are removed that a later one shows. */
  const areLinesShown = () =>
    op.text.split('\n').every((line, index) => {
      const number = (op.lines?.[0] ?? 1) + index;
      const isShown = ({ kind, paths, lines }) =>
        kind === 'read' && paths.includes(op.paths[0]) && (!lines || (lines[0] <= number && number <= lines[1]));
      return done.some(isShown) || left.includes(line.trim());
    });
  // All images show the same picture, including those of the user.
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
