// A worker in workerd, the runtime of Cloudflare Workers, without its compatibility with Node.js.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { once } from 'node:events';

/**
 * Starts a worker on a free port of this machine.
 *
 * @param {string} folder where the configuration is written
 * @param {Record<string, [kind: 'esModule' | 'wasm' | 'data', file: string]>} modules by the names that they are imported by; the first is the worker
 * @param {string} [compatibilityDate]
 */
export async function startWorker(folder, modules, compatibilityDate = '2026-01-01') {
  const listed = Object.entries(modules).map(([name, [kind, file]]) => `(name = "${name}", ${kind} = embed "${file}")`);
  writeFileSync(
    join(folder, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (modules = [${listed.join(', ')}], compatibilityDate = "${compatibilityDate}"))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
  v8Flags = ["--expose-gc"],
);
`,
  );
  const path = createRequire(import.meta.url)('workerd').default;
  const worker = spawn(path, ['serve', 'config.capnp', '--control-fd=3'], { cwd: folder, stdio: ['ignore', 'inherit', 'inherit', 'pipe'] });
  const stop = async () => {
    if (worker.exitCode !== null || worker.signalCode !== null) return;
    const ended = once(worker, 'exit');
    worker.kill();
    await ended;
  };
  let told = '';
  for await (const chunk of worker.stdio[3]) {
    told += chunk;
    const port = /"event":"listen".*"port":(\d+)/.exec(told)?.[1];
    if (port) return { url: `http://127.0.0.1:${port}/`, stop };
  }
  throw new Error(`workerd ended without listening: ${told}`);
}
