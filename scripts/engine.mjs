// Which profile of Cargo.toml the engine in the work tree was built with: `release`, as it is published, or `quick`.
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** Names the quick engine of the last quick build. Any other engine is as it is published. */
const mark = join(root, '.quick-engine');

/** The engines in the work tree: their names and times. */
export const engines = () =>
  readdirSync(root)
    .filter((name) => name.endsWith('.node'))
    .map((name) => ({ name, time: statSync(join(root, name)).mtimeMs }));

const newest = () => engines().reduce((newest, one) => (newest && newest.time >= one.time ? newest : one), undefined);
const text = ({ name, time }) => `${name} ${time}\n`;

/** Says that the newest engine comes from a quick build. */
export const markQuick = () => writeFileSync(mark, text(newest()));

/** Whether the newest engine comes from a quick build. */
export function isQuick() {
  const engine = newest();
  return engine !== undefined && existsSync(mark) && readFileSync(mark, 'utf8') === text(engine);
}
