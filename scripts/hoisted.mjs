// Files of lib/ as ES modules, so that the bundler puts them into one scope. Each CommonJS module would be a function, which the engine
// of JavaScript parses twice: first to find where it ends, and again to run it.
import { chunkOf, isPart, sources, WHOLE } from './chunks.mjs';
import { withEager } from './eager.mjs';
import { exportsOf, isAsked, passedTo, withExports, withRequires } from './links.mjs';

/** The module of what another bundle passes to this one. */
export const LINK = 'link:';
/** Stands before the name of another bundle, which is required where it is used. */
export const BUNDLE = 'bundle:';

/** The text of a file of a bundle, one of `WHOLE`, with as many lines before its exports. */
export function hoisted(file, bundle) {
  const imported = (name, from, path) => {
    if (name.startsWith('{')) return `import ${name.replace(/(\w+): (\w+)/g, '$1 as $2')} from '${path}';`;
    return `import ${exportsOf(from).whole === undefined ? '* as ' : ''}${name} from '${path}';`;
  };
  const passed = (names, from) => {
    const known = namesPassed(bundle, chunkOf(from));
    const listed = names.replace(/(\w+)(?:: (\w+))?/g, (_, key, name = key) => `${known.get(`${from} ${key}`)} as ${name}`);
    return `import ${listed} from '${LINK}${chunkOf(from)}';`;
  };
  const isHere = (from) => isPart(bundle, from);
  const stated = (name, from, path) => (isHere(from) ? imported(name, from, path) : undefined);
  let first = '';
  const names = new Map();
  const asked = (from, path) => {
    const name = names.get(from) ?? `required${names.size}`;
    if (!names.has(from)) first += isHere(from) ? `${imported(name, from, path)} ` : `let ${name}; `;
    names.set(from, name);
    return isHere(from) ? name : `(${name} ??= require('${BUNDLE}./${chunkOf(from)}.js')['${from}']())`;
  };
  const text = withEager(file, withRequires(file, passed, stated, asked));
  const { whole, members } = exportsOf(file);
  if (whole !== undefined) return first + withExports(text, `export { ${whole} as default };`);
  const made = members.filter(([, value]) => !/^\w+$/.test(value));
  const listed = members.map(([key, value]) => `${/^\w+$/.test(value) ? value : `exported_${key}`} as ${key}`);
  const exports = `${made.map(([key, value]) => `const exported_${key} = ${value};`).join(' ')} export { ${listed.join(', ')} };`;
  return first + withExports(text, exports);
}

/** The names of what another bundle passes to this one, by file and key, in the order in which it passes them. */
function namesPassed(to, from) {
  const times = new Map();
  return new Map(
    passedTo(to, from).map(([file, key]) => {
      times.set(key, (times.get(key) ?? 0) + 1);
      return [`${file} ${key}`, times.get(key) === 1 ? key : `${key}_${times.get(key)}`];
    }),
  );
}

/**
 * The text of the module `LINK`: names that another bundle passes to this one in a list. An object for each file would cost more: the engine of
 * JavaScript has to make a shape for each, and stores each value through the runtime.
 */
export const linkOf = (to, from) =>
  `export const [${[...namesPassed(to, from).values()].join(', ')}] = require('./${from}.js').passTo['${to}']();\n`;

/**
 * The entry of a bundle: an object with a function for each file that something asks for by its path, which returns what the file exports;
 * and under `passTo` one for each bundle that is passed names of this one.
 */
export function entryOf(chunk) {
  const files = [...sources.keys()].filter((file) => chunkOf(file) === chunk && isAsked(file));
  if (!WHOLE.includes(chunk)) return `module.exports = {\n${files.map((file) => `'${file}': () => require('./${file}'),\n`).join('')}};\n`;
  const imports = new Map();
  const local = (file, key = 'default') => {
    const place = `${file} ${key}`;
    if (!imports.has(place)) imports.set(place, { name: `_${imports.size}`, file, key });
    return imports.get(place).name;
  };
  const exported = (file) => {
    const { whole, members } = exportsOf(file);
    return whole === undefined ? `({ ${members.map(([key]) => `${key}: ${local(file, key)}`).join(', ')} })` : local(file);
  };
  const entries = files.map((file) => `'${file}': () => ${exported(file)},\n`);
  const takers = WHOLE.map((to) => [to, passedTo(to, chunk)]).filter(([, passed]) => passed.length > 0);
  const passing = takers.map(([to, passed]) => `'${to}': () => [${passed.map(([file, key]) => local(file, key)).join(', ')}],\n`);
  const imported = [...imports.values()].map(({ name, file, key }) => `import { ${key} as ${name} } from './${file}';\n`);
  return `${imported.join('')}module.exports = {\n${entries.join('')}passTo: {\n${passing.join('')}},\n};\n`;
}
