// An agent that works on files of its own: its messages and calls, and the effects of each call.
import { Files, ROOT, contentFor, outputs, sentence } from './files.mjs';
import { DIALECTS } from './tools.mjs';

export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const REJECTION =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\n";

const COMMANDS = ['npm test', 'npm run build', 'git status', 'git diff', 'tail -n 100 var/import.log', 'node scripts/check.mjs --all'];

/**
 * The effect of a call: `kind` (read, write, edit, change, command, search, look), `paths`, whether it is `ok`; for a read its `text`
 * (of `lines`, or all), for a write its `text`, for an edit `from` and `to`; for a rejected call the user's `words`.
 */
export class Agent {
  ops = new Map();
  /** Calls and results as they were written, by id: JSON. */
  said = new Map();
  #calls = 0;

  /** `reuse`: calls reuse ids of earlier ones. `thinks`: share of steps with reasoning. */
  constructor(random, { dialect, reuse, thinks, signed }) {
    this.files = new Files(random);
    this.tools = DIALECTS[dialect];
    Object.assign(this, { reuse, thinks, signed });
  }

  start(random) {
    return { system: random.chance(0.6) ? `You are a coding agent.\nWorking directory: ${ROOT}` : null, turns: [this.user(random)] };
  }

  user(random) {
    const text = random.pick([
      () => `${sentence(random)} Please change ${this.files.some(random)} accordingly.`,
      () => 'Go on.',
      () => 'ok',
      () => 'Why does it fail?',
      () => `why? https://example.org/acme/cli/actions/runs/${random.integer(1e9, 2e9)}/job/${random.integer(1e9, 2e9)}`,
      () => `This is what I see:\n\n\`\`\`\n${outputs.trace(random)}\n\`\`\`\nWhat now?`,
      () => `${sentence(random)} `.repeat(random.integer(1, 12)).trim(),
      () => 'これは何ですか？ 😀',
    ])();
    const more = random.chance(0.15) ? [random.pick([{ image: PNG }, { text: outputs.log(random) }])] : [];
    return { who: 'user', text, more };
  }

  answer(random) {
    const text = random.pick([
      () => 'ok',
      () => 'Done.',
      () => `${sentence(random)} ${sentence(random)}`,
      () => `${sentence(random)} `.repeat(random.integer(4, 20)).trim(),
      () => outputs.fence(random),
      () => `## What I did\n\n* ${sentence(random)}\n* ${sentence(random)}\n\nNext: ${sentence(random)}`,
    ])();
    return { who: 'assistant', reasoning: this.#reasoning(random), text, calls: [], odd: false };
  }

  /** Makes a step with calls. Either all or none are answered. */
  work(random, answered = true) {
    const calls = Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, () => this.#call(random, answered));
    const text = random.chance(0.4) ? random.pick(['Let me look.', sentence(random), 'ok', outputs.fence(random)]) : null;
    return { who: 'assistant', reasoning: this.#reasoning(random), text, calls, odd: false };
  }

  #reasoning(random) {
    return random.chance(this.thinks) ? { text: `${sentence(random)} `.repeat(random.integer(1, 6)).trim(), signed: this.signed } : null;
  }

  #call(random, answered) {
    const did = this.#act(random);
    this.#calls++;
    const id = this.reuse ? `call_${this.#calls % 5}` : `call_${this.#calls}`;
    const { call, ...op } = did;
    // A call without a result has no effect that the conversation shows.
    this.ops.set(id, { ok: true, ...op, answered });
    return { ...call, id, answered };
  }

  #act(random) {
    const { tools, files } = this;
    const path = files.some(random);
    const text = files.texts.get(path);
    const count = text.split('\n').length;
    const from = random.integer(1, count);
    const lines = [from, Math.min(count, from + random.integer(0, 30))];
    switch (
      random.pick([
        'read',
        'read',
        'read',
        'part',
        'write',
        'edit',
        'edit',
        'edit',
        'bad edit',
        'run',
        'run',
        'run',
        'fail',
        'reject',
        'search',
        'cat',
        'move',
        'sed',
        'new',
        'image',
        'json',
        'no file',
      ])
    ) {
      case 'read':
        return { kind: 'read', paths: [path], text, call: tools.read({ path, text }, random) };
      case 'part': {
        if (tools === DIALECTS.mcp) lines[0] = 1;
        return {
          kind: 'read',
          paths: [path],
          lines,
          text: text
            .split('\n')
            .slice(lines[0] - 1, lines[1])
            .join('\n'),
          call: tools.read({ path, lines, text }, random),
        };
      }
      case 'write':
      case 'new': {
        const target = random.chance(0.5) ? path : files.newName(random);
        const fresh = contentFor(target, random);
        files.texts.set(target, fresh);
        return { kind: 'write', paths: [target], text: fresh, call: tools.write({ path: target, text: fresh }, random) };
      }
      case 'edit': {
        const old = text
          .split('\n')
          .slice(lines[0] - 1, Math.min(lines[1], lines[0] + 6))
          .join('\n');
        // The text to replace must occur exactly once.
        if (old.trim() === '' || text.split(old).length !== 2) return this.#run(random);
        const to = contentFor(path, random).split('\n').slice(0, random.integer(1, 30)).join('\n') || 'x';
        files.texts.set(
          path,
          text.replace(old, () => to),
        );
        return { kind: 'edit', paths: [path], from: old, to, call: tools.edit({ path, from: old, to }, random) };
      }
      case 'bad edit': {
        const [old, to] = [sentence(random), contentFor(path, random)];
        return { kind: 'edit', ok: false, paths: [path], from: old, to, call: tools.badEdit({ path, from: old, to }, random) };
      }
      case 'fail': {
        const command = random.pick(COMMANDS);
        return {
          kind: 'command',
          ok: false,
          paths: [],
          command,
          call: tools.run({ command, output: outputs.trace(random), code: random.integer(1, 2) }),
        };
      }
      case 'no file': {
        const command = 'cat src/gone.ts';
        return {
          kind: 'command',
          ok: false,
          paths: [],
          command,
          call: tools.run({ command, output: 'cat: src/gone.ts: No such file or directory', code: 1 }),
        };
      }
      case 'reject': {
        const words = `First move ${path} to /tmp.\nThen ${sentence(random)}\nNever touch ${files.some(random)}.`;
        const fresh = contentFor(path, random);
        const [kind, call] = random.pick([
          ['command', tools.run({ command: `rm -rf ${path}`, output: '', code: 0 })],
          ['write', tools.write({ path, text: fresh }, random)],
          ['edit', tools.edit({ path, from: text, to: fresh }, random)],
        ]);
        return {
          kind,
          ok: false,
          paths: [path],
          from: text,
          to: fresh,
          text: fresh,
          words,
          call: { ...call, result: { blocks: REJECTION + words, json: null, failed: true } },
        };
      }
      case 'search': {
        const pattern = sentence(random).split(' ')[0];
        const output = [...files.texts]
          .flatMap(([file, inside]) =>
            inside.split('\n').flatMap((line, index) => (line.includes(pattern) ? [`${file}:${index + 1}:${line}`] : [])),
          )
          .join('\n');
        return {
          kind: 'search',
          paths: [],
          command: pattern,
          call: tools.search?.({ pattern, output }) ?? tools.run({ command: `grep -rn ${pattern} .`, output, code: 0 }),
        };
      }
      case 'cat':
        return { kind: 'read', paths: [path], text, call: tools.run({ command: `cat ${path}`, output: text, code: 0 }) };
      case 'move': {
        const target = files.newName(random);
        files.texts.delete(path);
        files.texts.set(target, text);
        return {
          kind: 'change',
          paths: [path, target],
          command: `mv ${path} ${target}`,
          call: tools.run({ command: `mv ${path} ${target}`, output: '', code: 0 }),
        };
      }
      case 'sed': {
        const changed = text.replaceAll('const', 'let');
        files.texts.set(path, changed);
        return {
          kind: 'change',
          paths: [path],
          command: `sed -i 's/const/let/g' ${path}`,
          call: tools.run({ command: `sed -i 's/const/let/g' ${path}`, output: '', code: 0 }),
        };
      }
      case 'image':
        return {
          kind: 'look',
          paths: [],
          call: {
            name: 'screenshot',
            args: { of: random.pick(['page', 'chart']) },
            result: { blocks: [{ text: sentence(random) }, { image: PNG }], json: null, failed: false },
          },
        };
      case 'json':
        return {
          kind: 'look',
          paths: [],
          call: {
            name: 'get_orders',
            args: { since: `2026-0${random.integer(1, 9)}-01` },
            result: { blocks: outputs.json(random), json: JSON.parse(outputs.json(random)), failed: false },
          },
        };
      default:
        return this.#run(random);
    }
  }

  #run(random) {
    const command = random.pick(COMMANDS);
    const output = outputs[random.pick(Object.keys(outputs))](random);
    return { kind: 'command', paths: [], command, call: this.tools.run({ command, output, code: 0 }) };
  }
}
