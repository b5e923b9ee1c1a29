// What the files of lib/ require of each other, and so what bundles get of each other.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chunkOf, codes, isLate, isPart, lib, resolved, SUBPATHS, WHOLE } from './chunks.mjs';

const EXPORTS = /^module\.exports = (?:(\w+)|\{([\s\S]*?)\n?\});$/m;
/** A member of what is exported: a name, or a key with a name or a call. Anything else matches without a key. */
const MEMBER = /\s*(\w+)(?:: (\w+(?:\([^()]*\))?))?\s*(?:,\s*|$)|[^\s][^\n]*/g;
const STATEMENT = /^const (\w+|\{[^}]*\}) = require\('(\.[^']+)'\);$/gm;
const REQUIRE = /\brequire\('(\.[^']+)'\)/g;
/** A `require` of a path that is not written in it. */
const UNREADABLE = /\brequire\((?!'[^'\n]+'\)).*/;

/** Fails if a file requires something in a way that would be passed over here. */
export function checkRequires(file) {
  const [found] = UNREADABLE.exec(codes.get(file)) ?? [];
  if (found) throw new Error(`lib/${file}: the bundler can't read \`${found}\`: write \`require('PATH')\``);
}
// The engine alone is required by a path that is put together.
for (const file of codes.keys()) if (chunkOf(file) !== 'native') checkRequires(file);

/** The exports of a file: the name of what it exports as a whole, or each key with its expression. */
export function exportsOf(file) {
  const [, whole, members] = EXPORTS.exec(codes.get(file)) ?? [];
  if (whole !== undefined) return { whole };
  if (members === undefined) throw new Error(`lib/${file}: the bundler can't read what this exports`);
  return {
    members: [...members.matchAll(MEMBER)].map(([text, key, value]) => {
      if (key === undefined) throw new Error(`lib/${file}: the bundler can't read the export \`${text.trim()}\`: export a name`);
      return [key, value ?? key];
    }),
  };
}

/** A text with its exports replaced by others. */
export const withExports = (text, exports) => text.replace(EXPORTS, () => exports);

const LAYOUT = 'generated/layout.js';
const layout = createRequire(import.meta.url)(join(lib, LAYOUT));
const isUsed = (name, text) => new RegExp(`\\b${name}\\b`).test(text);

/** A file's text with the numbers of the layout in place of their names: a process would make an object of each list of names. */
export function withNumbers(file) {
  let text = codes.get(file);
  // What is not used is left out.
  if (file === LAYOUT) return text.replaceAll(' = Object.freeze(', ' = /* @__PURE__ */ Object.freeze(');
  for (const [statement, names, path] of codes.get(file).matchAll(STATEMENT)) {
    if (resolved(file, path) !== LAYOUT) continue;
    const [before, after] = text.split(statement);
    let rest = after;
    for (const name of names.match(/\w+/g)) {
      const list = layout[name];
      const member = (all, key) => list[key] ?? all;
      const taken = (_, keys) =>
        `const ${[...keys.matchAll(/(\w+)(?:: (\w+))?/g)].map(([, key, as = key]) => `${as} = ${list[key]}`).join(', ')};`;
      rest = rest
        .replace(new RegExp(`(?<![.\\w])${name}\\.(\\w+)`, 'g'), member)
        .replace(new RegExp(`^const \\{([^}]*)\\} = ${name};`, 'gm'), taken);
    }
    const left = names.match(/\w+/g).filter((name) => isUsed(name, rest));
    const lines = '\n'.repeat(statement.split('\n').length - 1);
    text = before + (left.length > 0 ? `const { ${left.join(', ')} } = require('${path}');` : '') + lines + rest;
  }
  return text;
}

/** A file's text in which each call of what it requires late requires it there. What is used otherwise is required where it was. */
export function calledLate(file) {
  let text = withNumbers(file);
  for (const [statement, names, path] of text.matchAll(STATEMENT)) {
    // A call by another name than that of the function stays as it is.
    if (!isLate(file, resolved(file, path)) || names.includes(':')) continue;
    const others = text.replace(statement, statement.replace(/[^\n]/g, ''));
    const found = names.match(/\w+/g).join('|');
    const calls = new RegExp(`(new )?(?<!(?<!\\.\\.)\\.|[\\w'])(${found})(?=\\()`, 'g');
    if (others.match(calls)?.length !== others.match(new RegExp(`\\b(${found})\\b`, 'g'))?.length) continue;
    text = others.replace(calls, (_, made = '', name) => (made ? `new (require('${path}').${name})` : `require('${path}').${name}`));
  }
  return text;
}

/** Whether names of a file are passed to another one's bundle as soon as that is read. */
const isPassed = (names, from, to) => names.startsWith('{') && !isPart(chunkOf(to), from) && WHOLE.includes(chunkOf(from));

/**
 * The text of a file with what it requires written in other ways.
 *
 * @param {(names: string, from: string, path: string) => string | undefined} passed how a statement that gets names of another bundle is written
 * @param {(name: string, from: string, path: string) => string | undefined} stated any other statement
 * @param {(from: string, path: string) => string | undefined} asked a `require` that is no statement of its own
 */
export const withRequires = (file, passed, stated, asked) =>
  calledLate(file)
    .replace(STATEMENT, (all, names, path) => {
      const from = resolved(file, path);
      return (isPassed(names, from, file) ? passed : stated)(names, from, path) ?? all;
    })
    .replace(REQUIRE, (all, path) => asked(resolved(file, path), path) ?? all);

/** What a bundle is passed by another one, in the order in which it is passed: `[file, key]`. */
const passedOn = new Map();
/** Files that are asked for by their paths. */
const asked = new Set();
const ask = (from) => void asked.add(from);
for (const file of codes.keys()) {
  const to = chunkOf(file);
  if (!WHOLE.includes(to)) {
    for (const [, path] of withNumbers(file).matchAll(REQUIRE)) ask(resolved(file, path));
    continue;
  }
  const pass = (names, from) => {
    const name = `${chunkOf(from)} ${to}`;
    if (!passedOn.has(name)) passedOn.set(name, new Map());
    for (const [, key] of names.matchAll(/(\w+)(?:: \w+)?/g)) passedOn.get(name).set(`${from} ${key}`, [from, key]);
    return '';
  };
  withRequires(file, pass, (_, from) => ask(from), ask);
}
const root = join(lib, '..');
for (const folder of ['.', ...SUBPATHS]) {
  for (const name of readdirSync(join(root, folder)).filter((path) => path.endsWith('.js'))) {
    for (const [, file] of readFileSync(join(root, folder, name), 'utf8').matchAll(/require\('\.{1,2}\/lib\/([^']+)'\)/g)) ask(file);
  }
}

/** What the bundle `to` is passed by the bundle `from`, as soon as it is read. */
export const passedTo = (to, from) => [...(passedOn.get(`${from} ${to}`)?.values() ?? [])];
/** Whether something asks the bundle of a file for it. */
export const isAsked = (file) => asked.has(file);
