// opencode itself, headless, against a provider on loopback.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { agentTools, longAgent, startProvider } from '../../../../__test__/support/agents/index.mjs';
import { ended } from '../../../../__test__/support/programs.mjs';

const own = fileURLToPath(new URL('../../dist/index.mjs', import.meta.url));
const program = fileURLToPath(new URL('../../../../node_modules/opencode-linux-x64/bin/opencode', import.meta.url));

/** Why opencode can't be run here, or false. */
export const withoutOpencode = !existsSync(program) && 'opencode-linux-x64 is not installed';

export const STEPS = 75;
/** What opencode asks for a summary or a title has another system prompt. */
const SUMMARY = { text: `## Goal\nMend the program.\n\n## Done\n${'- The part before was read, searched, run and edited.\n'.repeat(30)}` };

/** Packages with which opencode sends requests: a model. */
export const SDKS = {
  '@ai-sdk/anthropic': 'claude-sonnet-4-5',
  '@ai-sdk/openai-compatible': 'some-local-model',
  '@ai-sdk/openai': 'gpt-5',
};

/** What each step's call of a tool gives: the results of the scripted agent, of 1 to 6 KB. */
export async function results() {
  const agent = longAgent({ steps: STEPS });
  const texts = [];
  for (let step = 0; step < STEPS - 1; step++) {
    const [{ name, input }] = agent({ step, conversation: 'play' }).calls;
    const { run } = agentTools.find((one) => one.name === name);
    texts.push(
      await Promise.resolve()
        .then(() => run(input))
        .catch((error) => error.message),
    );
  }
  return texts;
}

/**
 * Starts a provider, and gives what runs opencode with it.
 *
 * @param {object} options
 * @param {keyof typeof SDKS} options.sdk
 * @param {number} options.window of the model, as opencode and the server have it
 * @param {number} [options.steps] number of answers
 * @param {object} [options.plugin] options of the plugin; without them it is not installed
 */
export async function startPlay({ sdk, window, plugin, steps = STEPS }) {
  const script = ({ conversation, step }) => {
    if (conversation !== 'play') return SUMMARY;
    if (step >= steps - 1) return { text: `All ${steps} steps are done.` };
    return { text: `Step ${step}.`, calls: [{ name: 'bash', input: { command: `cat results/${step}.txt`, description: `Step ${step}` } }] };
  };
  const provider = await startProvider(script, { window });
  const home = mkdtempSync(join(tmpdir(), 'palimpsest-opencode-'));
  const work = join(home, 'work');
  mkdirSync(join(work, 'results'), { recursive: true });
  const texts = await results();
  texts.forEach((text, step) => writeFileSync(join(work, `results/${step}.txt`), text));
  writeFileSync(join(home, 'marker.md'), 'This is [conversation play].');
  const model = SDKS[sdk];
  const config = {
    autoupdate: false,
    share: 'disabled',
    permission: 'allow',
    model: `loopback/${model}`,
    small_model: `loopback/${model}`,
    instructions: [join(home, 'marker.md')],
    plugin: plugin === undefined ? [] : [[pathToFileURL(own).href, plugin]],
    provider: {
      loopback: {
        npm: sdk,
        name: 'Loopback',
        options: { baseURL: `${provider.url}/v1`, apiKey: 'test' },
        models: { [model]: { name: model, limit: { context: window, output: 8000 }, tool_call: true } },
      },
    },
  };
  const flags = ['AUTOUPDATE', 'MODELS_FETCH', 'LSP_DOWNLOAD', 'DEFAULT_PLUGINS', 'CLAUDE_CODE'].map((name) => [
    `OPENCODE_DISABLE_${name}`,
    '1',
  ]);
  const env = { PATH: process.env.PATH, HOME: home, OPENCODE_CONFIG_CONTENT: JSON.stringify(config), ...Object.fromEntries(flags) };
  const run = (...args) => {
    const child = spawn(program, args, { cwd: work, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 300_000, killSignal: 'SIGKILL' });
    return ended(child);
  };
  return {
    provider,
    results: texts,
    /** Says something, and waits for the end of the turn. Returns what opencode printed. */
    say: (prompt, ...more) => run('run', '--print-logs', '--log-level', 'ERROR', ...more, prompt),
    /** The messages of a conversation, as opencode has them. It ends before a pipe has taken all of them. */
    async history(id) {
      const file = join(home, 'history.json');
      const out = openSync(file, 'w');
      await once(spawn(program, ['export', id], { cwd: work, env, stdio: ['ignore', out, 'ignore'], timeout: 60_000 }), 'close');
      closeSync(out);
      return JSON.parse(readFileSync(file, 'utf8')).messages;
    },
    /** The states that the plugin wrote, by conversation. */
    states() {
      const folder = join(home, '.local/share/opencode/palimpsest');
      const names = existsSync(folder) ? readdirSync(folder) : [];
      return names.map((name) => ({ id: name.replace('.json', ''), text: readFileSync(join(folder, name), 'utf8') }));
    },
    async close() {
      await provider.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
