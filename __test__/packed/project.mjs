// Packs what would be published and installs it outside the repository, as a user would.
import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const here = dirname(fileURLToPath(import.meta.url));
export const root = join(here, '../..');
const windows = process.platform === 'win32';

// What `npm test` says about the repository is not for an npm in another folder; settings such as a proxy are.
const foreign = /^(npm_(package|lifecycle|config_local_prefix)|napi_rs)/i;
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
environment.NEXT_TELEMETRY_DISABLED = '1';
// Tests that are run from a test report to it as if they were run alone.
delete environment.NODE_TEST_CONTEXT;

/** Runs a command to its end and gives its standard output; when it fails, the error shows all it printed. */
export async function run(command, args, cwd) {
  try {
    const options = { cwd, env: environment, maxBuffer: 1 << 26, shell: windows && command.endsWith('.cmd') };
    return (await promisify(execFile)(command, args, options)).stdout;
  } catch (error) {
    throw new Error(`${error.message}\n${error.stdout}`);
  }
}

export const npm = (cwd, ...args) => run(windows ? 'npm.cmd' : 'npm', [...args, '--ignore-scripts', '--no-audit', '--no-fund'], cwd);

/** Starts a server and waits for the address that it prints. `stop` ends it and everything it started. `node` is the Node.js that runs it. */
export async function serve(script, args, cwd, env = {}, node = process.execPath) {
  const server = spawn(node, [script, ...args], {
    cwd,
    env: { ...environment, ...env },
    detached: !windows,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = new Promise((resolve) => server.once('close', resolve));
  const stop = () => {
    if (server.exitCode === null && server.signalCode === null) process.kill(windows ? server.pid : -server.pid, 'SIGKILL');
    return closed;
  };
  const address = new Promise((resolve, reject) => {
    createInterface(server.stdout).on('line', (line) => {
      const url = line.match(/http:\/\/127\.0\.0\.1:\d+/);
      if (url) resolve(url[0]);
    });
    closed.then(() => reject(new Error(`${script} ended before it listened`)));
    setTimeout(() => reject(new Error(`${script} did not listen within ten minutes`)), 600_000).unref();
  });
  try {
    return { url: await address, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The engine that nobody gets who does not ask for it. */
export const WASM_ENGINE = '@palimpsest/engine-wasm32-wasi';

/**
 * Two installs of the packed tarballs, without the engine in WebAssembly: `user` holds them alone, `tools` also all that the tests use them
 * with. `stage` has a folder for each package, and `packed` is npm's account of each tarball, that engine's included if it is built.
 */
export async function install() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-packed-')));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const stage = join(folder, 'stage');
    await run(process.execPath, [join(root, 'scripts/stage.mjs'), stage], root);
    const names = readdirSync(stage).map((name) => `./${name}`);
    const packed = JSON.parse(await npm(stage, 'pack', '--json', '--pack-destination', folder, ...names));
    const tarballs = packed.filter(({ name }) => name !== WASM_ENGINE).map(({ filename }) => join(folder, filename));

    const user = join(folder, 'user');
    mkdirSync(user);
    writeFileSync(join(user, 'package.json'), '{ "name": "user", "private": true }');
    for (const file of ['conversation.mjs', 'smoke.mjs', 'subpaths.mjs']) cpSync(join(here, file), join(user, file));
    await npm(user, 'install', ...tarballs);

    const tools = join(folder, 'tools');
    cpSync(here, tools, { recursive: true, filter: (path) => !path.includes('node_modules') });
    await npm(tools, 'ci', '--prefer-offline');
    await npm(tools, 'install', '--no-save', '--prefer-offline', ...tarballs);
    return { stage, packed, tarballs, user, tools, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
