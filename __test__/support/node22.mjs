// Node.js 22 or newer, which some SDKs want: this process's, or that of the dev dependency `node-22`.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const installed = join(root, 'node_modules/node-22/bin/node');
const isNew = Number(process.versions.node.split('.')[0]) >= 22;

/** Path of such a Node.js; undefined if there is none, as on other platforms than linux-x64. */
export const node22 = isNew ? process.execPath : existsSync(installed) ? installed : undefined;

/** For the options of a test: why it is skipped, or false. */
export const withoutNode22 = node22 === undefined && 'needs Node.js 22, which is installed for linux-x64 only';

/**
 * Runs a program to its end and returns what it prints; fails with all that it printed.
 *
 * @param {string} program path of a file
 * @param {{ args?: string[], env?: Record<string, string>, timeout?: number }} [more] `timeout` in ms
 */
export async function runUnderNode22(program, { args = [], env = {}, timeout = 120_000 } = {}) {
  assert.ok(node22, withoutNode22);
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const child = spawn(node22, [program, ...args], { cwd: root, env: { ...inherited, ...env }, timeout, killSignal: 'SIGKILL' });
  let [stdout, all] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
    all += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => (all += text));
  const [code, signal] = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (...end) => resolve(end));
  });
  assert.equal(code, 0, `${program} ended with ${signal ?? code}:\n${all}`);
  return stdout;
}
