// Files of lib/ as ES modules, so that the bundler puts them into one scope. Each CommonJS module would be a function, which the engine
// of JavaScript parses twice: first to find where it ends, and again to run it.
import { chunkOf, COPIED, isLate, resolved, sources, WHOLE } from './chunks.mjs';

const EXPORTS = /^module\.exports = (?:(\w+)|\{([\s\S]*?)\n?\});$/m;
const STATEMENT = /^const (\w+|\{[^}]*\}) = require\('(\.[^']+)'\);$/gm;
const REQUIRE = /\brequire\('(\.[^']+)'\)/g;

/** The exports of a file: the name of what it exports as a whole, or each key with its expression. */
function exportsOf(file) {
  const [, whole, members] = EXPORTS.exec(sources.get(file)) ?? [];
  if (whole !== undefined) return { whole };
  const entries = members.replace(/\n/g, ' ').matchAll(/(\w+)(?:: (\w+(?:\([^)]*\))?))?(?:,|\s*$)/g);
  return { members: [...entries].map(([, key, value]) => [key, value ?? key]) };
}

const isIn = (chunk, file) => file !== COPIED && chunkOf(file) === chunk;

const COMMENT = /\/\*[\s\S]*?\*\/|^ *\/\/.*$/gm;

/** A file's text in which each call of what it requires late requires it there. What is used otherwise is required where it was. */
function calledLate(file) {
  let text = sources.get(file);
  for (const [statement, names, path] of text.matchAll(STATEMENT)) {
    if (!isLate(file, resolved(file, path))) continue;
    const others = text.replace(statement, '');
    const [code, found] = [others.replace(COMMENT, ''), names.match(/\w+/g)];
    const calls = new RegExp(`(new )?(?<![.\\w'])\\b(${found.join('|')})(?=\\()`, 'g');
    if (code.match(calls)?.length !== code.match(new RegExp(`\\b(${found.join('|')})\\b`, 'g'))?.length) continue;
    text = others.replace(calls, (_, made = '', name) => (made ? `new (require('${path}').${name})` : `require('${path}').${name}`));
  }
  return text;
}

/** The text of a file of one of the bundles `WHOLE`, with as many lines before its exports. */
export function hoisted(file) {
  const chunk = chunkOf(file);
  const isHere = (path) => isIn(chunk, resolved(file, path));
  const imported = (name, path) => {
    if (name.startsWith('{')) return `import ${name.replace(/(\w+): (\w+)/g, '$1 as $2')} from '${path}';`;
    return `import ${exportsOf(resolved(file, path)).whole === undefined ? '* as ' : ''}${name} from '${path}';`;
  };
  let first = '';
  let count = 0;
  const { whole, members } = exportsOf(file);
  const text = calledLate(file)
    .replace(STATEMENT, (all, name, path) => (isHere(path) ? imported(name, path) : all))
    .replace(REQUIRE, (all, path) => {
      if (!isHere(path)) return all;
      const name = `required${count++}`;
      first += `${imported(name, path)} `;
      return name;
    })
    .replace(EXPORTS, () => {
      if (whole !== undefined) return `export { ${whole} as default };`;
      const made = members.filter(([, value]) => !/^\w+$/.test(value));
      const listed = members.map(([key, value]) => `${/^\w+$/.test(value) ? value : `exported_${key}`} as ${key}`);
      return `${made.map(([key, value]) => `const exported_${key} = ${value};`).join(' ')} export { ${listed.join(', ')} };`;
    });
  return first + text;
}

/** The entry of a bundle: an object with a function for each file, which returns what the file exports. */
export function entryOf(chunk) {
  const files = [...sources.keys()].filter((file) => isIn(chunk, file));
  if (!WHOLE.includes(chunk)) return `module.exports = {\n${files.map((file) => `'${file}': () => require('./${file}'),\n`).join('')}};\n`;
  const imports = files.map((file, index) => {
    const { whole, members } = exportsOf(file);
    return `import ${whole ? `file${index}` : `{ ${members.map(([key]) => `${key} as file${index}_${key}`).join(', ')} }`} from './${file}';\n`;
  });
  const entries = files.map((file, index) => {
    const { whole, members } = exportsOf(file);
    return `'${file}': () => ${whole ? `file${index}` : `({ ${members.map(([key]) => `${key}: file${index}_${key}`).join(', ')} })`},\n`;
  });
  return `${imports.join('')}module.exports = {\n${entries.join('')}};\n`;
}
