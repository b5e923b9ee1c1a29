// pi itself, headless, against a provider on loopback.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { longAgent, startProvider } from '../../../../__test__/support/agents/index.mjs';
import { node22, withoutNode22 } from '../../../../__test__/support/node22.mjs';
import { ended } from '../../../../__test__/support/programs.mjs';

const own = fileURLToPath(new URL('../..', import.meta.url));
const program = fileURLToPath(new URL('../../../../node_modules/@earendil-works/pi-coding-agent/dist/cli.js', import.meta.url));

/** Why pi can't be run here, or false. */
export const withoutPi = withoutNode22 || (!existsSync(program) && '@earendil-works/pi-coding-agent is not installed');

/** Number of answers to what the user says: all but the last one call tools. */
const TURN = 5;
export const STEPS = 75;

/** What pi asks for a summary has another system prompt. */
const SUMMARY = {
  text: `## Goal\nMend the program.\n\n## Progress\n${'- The part before was read, searched, run and edited.\n'.repeat(30)}`,
};

/** The agent's tools, by names that pi has no tool of. */
export const TOOLS = { read: 'read_file', search: 'search_files', run: 'run_command', edit: 'edit_file' };

/** APIs by their name in pi: a model, and the path behind the address of the server. */
export const APIS = {
  'anthropic-messages': { model: 'claude-sonnet-4-5', path: '' },
  'openai-completions': { model: 'some-local-model', path: '/v1' },
  'openai-responses': { model: 'gpt-5', path: '/v1' },
  'google-generative-ai': { model: 'gemini-2.5-flash', path: '/v1beta' },
};

/** What the user says in each turn. */
export const PROMPTS = Array.from(
  { length: STEPS / TURN },
  (_, turn) => `Part ${turn}: mend what fails there, and leave port 84${10 + turn} as it is.`,
);

/**
 * Starts a provider with an agent that works on what the user says, and gives what runs pi with it.
 *
 * @param {object} options
 * @param {keyof typeof APIS} options.api
 * @param {number} options.window of the model, as pi and the server have it
 * @param {boolean} options.isOurs whether the extension is installed
 * @param {(turn: object) => object | undefined} [options.answer] answers of its own
 */
export async function startPlay({ api, window, isOurs, answer = () => undefined }) {
  const agent = longAgent({ steps: 1000, tools: TOOLS });
  const script = (turn) => {
    if (turn.conversation !== 'play') return SUMMARY;
    return answer(turn) ?? (turn.step % TURN === TURN - 1 ? { text: `Part ${turn.step} is done.` } : agent(turn));
  };
  const provider = await startProvider(script, { window });
  const home = mkdtempSync(join(tmpdir(), 'palimpsest-pi-'));
  const sessions = join(home, 'sessions');
  const { model, path } = APIS[api];
  const models = [{ id: model, name: model, contextWindow: window, maxTokens: 8000, reasoning: false, input: ['text'] }];
  const loopback = { baseUrl: `${provider.url}${path}`, api, apiKey: 'test', models };
  mkdirSync(join(home, 'agent'));
  writeFileSync(join(home, 'agent/models.json'), JSON.stringify({ providers: { loopback } }));
  const extensions = [fileURLToPath(new URL('tools.mjs', import.meta.url)), ...(isOurs ? [own] : [])].flatMap((one) => ['-e', one]);
  const bare = ['--offline', '-ne', '-ns', '-np', '-nc', '-nbt', '--append-system-prompt', '[conversation play]'];
  const args = [program, ...bare, ...extensions, '--model', `loopback/${model}`, '--session-dir', sessions];
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const env = { ...inherited, HOME: home, PI_CODING_AGENT_DIR: join(home, 'agent'), PI_TELEMETRY: '0' };
  const run = (more, input = '') => {
    const child = spawn(node22, [...args, ...more], { cwd: home, env, timeout: 120_000, killSignal: 'SIGKILL' });
    // pi reads what is piped into it, up to its end.
    if (typeof input === 'string') child.stdin.end(input);
    else input(child);
    return ended(child);
  };
  return {
    provider,
    home,
    /** Runs pi without a screen. Returns what it printed. */
    say: (prompts, ...more) => run(['-p', ...more, ...prompts]),
    /** Runs pi as another program does, which `drive` gets as a process. */
    drive: (drive, ...more) => run(['--mode', 'rpc', ...more], drive),
    /** The entries of the session's file. */
    entries() {
      const [file] = readdirSync(sessions, { recursive: true }).filter((name) => name.endsWith('.jsonl'));
      return readFileSync(join(sessions, file), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    },
    async close() {
      await provider.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
