// Writes docs/reference/ from the types that users import: a page for each group of index.d.ts, and one for each subpath and for the edge entry.
// Other pages there are written by hand; the list of pages has them first.
//   node scripts/reference.mjs
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SyntaxKind } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';
import { anchorsOf } from './markdown.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(root, 'docs/reference');

/** The groups of index.d.ts in its order. Each begins at the declaration that it names. */
const GROUPS = [
  { page: 'sessions', title: 'Sessions', from: 'CachePrices' },
  { page: 'fit', title: 'Fitting', from: 'FitOptions' },
  { page: 'prune', title: 'Pruning', from: 'PruneOptions' },
  { page: 'recall', title: 'Recalling', from: 'RecallOptions' },
  { page: 'restore', title: 'Restoring', from: 'Originals' },
  { page: 'formats', title: 'Formats and validity', from: 'Format' },
  { page: 'tokens', title: 'Tokens', from: 'Tokenizer' },
  { page: 'stores', title: 'Stores', from: 'Store' },
  { page: 'compressing', title: 'Compressing', from: 'Message' },
  { page: 'llm', title: 'Callbacks with an LLM', from: 'CallLlm' },
];
/** Pages of other files than those that package.json names. */
const OTHERS = [
  {
    page: 'integrations',
    title: 'What the integrations share',
    files: ['dist/integrations/options.d.ts', 'dist/integrations/endpoint-options.d.ts'],
  },
  { page: 'edge', title: '`@palimpsest/engine-wasm32-wasi/edge`', files: ['npm/wasm32-wasi/edge.d.mts'] },
];

/** Pages that are written by hand, and what they have. */
const WRITTEN = [
  { page: 'glossary', title: 'Glossary', has: 'epoch, mark, stub, round, prefix and other terms' },
  { page: 'message-formats', title: 'Message formats and rules', has: 'whose messages are taken, and what each provider refuses' },
  {
    page: 'kinds',
    title: 'What messages hold',
    has: 'every kind of content, what it goes with, how it is counted, and the limits of a request',
  },
  { page: 'marks', title: 'Marks and reports', has: 'what stands where something was cut, and what the results say' },
  { page: 'errors', title: 'Errors', has: 'each with its cause' },
  { page: 'models', title: 'Models', has: 'windows, tokenizers and margins' },
  { page: 'cache-prices', title: 'Cache prices', has: 'what caches of providers cost, and how long they live' },
  { page: 'versions', title: 'Versions of SDKs', has: 'those that each integration takes, and those that are tested' },
  { page: 'differences', title: 'Differences of the drop-in', has: 'where its results are not those of `context-compression-engine`' },
  { page: 'command-line', title: 'The command line', has: 'options of the proxy, transcripts of agents, exit codes' },
];

const INTRO = 'A member with `?` may be absent. Options may be `undefined` or `null` as well, which both mean the default.';

/** The subpaths with their files of types, as package.json exports them; that of the command line alone is not documented. */
const subpaths = () => {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.entries(exports).flatMap(([subpath, { require }]) =>
    require && subpath !== '.' && subpath !== './internal' ? [{ name: `palimpsest${subpath.slice(1)}`, file: require.types.slice(2) }] : [],
  );
};

/** What a file of types exports from others: `[name, file]`. */
const passedOn = (file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/^export \{ (\w+) \} from '(\.\/.*)\.js';$/gm)].map(([, name, other]) => [
    name,
    posix.join(posix.dirname(file), `${other}.d.ts`),
  ]);

/** The exported declarations of each file, in order; those that it passes on come last. */
function declarationsOf(files) {
  const passed = new Map(files.map((file) => [file, passedOn(file)]));
  const own = ownDeclarations([...new Set([...files, ...[...passed.values()].flat().map(([, file]) => file)])]);
  const found = ([name, file]) => own.get(file).filter((declaration) => declaration.name === name);
  return new Map(files.map((file) => [file, [...own.get(file), ...passed.get(file).flatMap(found)]]));
}

function ownDeclarations(files) {
  const api = new API({ cwd: root });
  try {
    const paths = files.map((file) => join(root, file));
    const snapshot = api.updateSnapshot({ openFiles: paths });
    return new Map(
      files.map((file, index) => {
        const source = snapshot.getDefaultProjectForFile(paths[index]).program.getSourceFile(paths[index]);
        return [file, [...source.statements].filter(isExported).map((node) => readDeclaration(node, source))];
      }),
    );
  } finally {
    api.close();
  }
}

const isExported = (node) => node.modifiers?.some(({ kind }) => kind === SyntaxKind.ExportKeyword) ?? false;

function readDeclaration(node, source) {
  const name = (node.declarationList?.declarations[0] ?? node).name.text;
  const declaration = { name, comment: commentOf(node), code: textOf(node, source) };
  if (node.kind !== SyntaxKind.InterfaceDeclaration) return declaration;
  const members = [...node.members].map((member) => ({ code: memberOf(member, source, name), comment: commentOf(member) }));
  const head = declaration.code.slice(0, declaration.code.indexOf('{')).replace('export ', '').replace(/\s+/g, ' ').trim();
  return { ...declaration, members, head: head === `interface ${name}` ? undefined : head };
}

/** tsc declares what it writes, and indents by four. */
const textOf = (node, source) => {
  const text = node.getText(source).trim();
  return source.fileName.includes('/dist/')
    ? text.replace(/^export declare /, 'export ').replace(/^(?: {4})+/gm, (indent) => indent.slice(indent.length / 2))
    : text;
};

/** A member of an interface in one line, without what `?` and the introduction say of its type. */
function memberOf(member, source, name) {
  const line = textOf(member, source)
    .replace(/\/\*\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/: \| /g, ': ')
    .replace(/;$/, '');
  if (!/^\w+\?: /.test(line)) return line;
  return line
    .replace(/(?:Options|Settings)$/.test(name) ? /(?: \| null)?(?: \| undefined)?$/ : / \| undefined$/, '')
    .replace(/: \((.*)\)$/, ': $1');
}

/** The comment before a declaration: its `text`, and its `tags`. */
function commentOf(node) {
  const comment = node.jsDoc?.at(-1);
  if (comment === undefined) return { text: '', tags: [] };
  const text = comment.getText();
  const lines = text
    .slice(text.lastIndexOf('/**') + 3, -2)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd());
  const [own, ...tags] = lines.join('\n').trim().split(/^@/m);
  return { text: own.trim(), tags: tags.map((tag) => /^(?<kind>\w+)\s+(?<text>[\s\S]*)$/.exec(tag.trim()).groups) };
}

/** Text of a comment as Markdown: links lead to the pages of the reference, and to the guides. */
const prose = (text, link) =>
  text
    .replace(/\{@link ([\w.]+)\}/g, (_, name) => link(name))
    .replace(/`?docs\/([\w-]+)\.md`?/g, '[$1.md](../$1.md)')
    .split('\n\n')
    .map((paragraph) => paragraph.replace(/\s*\n\s*(?!\s|- |\|)/g, ' '))
    .join('\n\n');

const TAGS = {
  deprecated: (text) => `Deprecated: ${text}`,
  param: (text) => text.replace(/^(\w+)\s+/, '`$1`: '),
  typeParam: (text) => text.replace(/^(\w+)\s+/, '`$1`: '),
  returns: (text) => `Returns ${text}`,
  throws: (text) =>
    text
      .replace(
        /^\{([^}]*)\}/,
        (_, types) =>
          `Throws ${types
            .split(' | ')
            .map((type) => `\`${type}\``)
            .join(' or ')}:`,
      )
      .replace(/^(?!Throws)/, 'Throws '),
};

/** A comment as Markdown, with `code` between its text and what its tags say. */
function commentAsMarkdown({ text, tags }, link, code = '') {
  const list = tags.filter(({ kind }) => kind !== 'example').map((tag) => `* ${prose(TAGS[tag.kind](tag.text), link)}`);
  const examples = tags.filter(({ kind }) => kind === 'example').map((tag) => fence('ts', tag.text.trim()));
  return [prose(text, link), code, list.join('\n'), ...examples].filter((block) => block !== '');
}

const fence = (language, code) => `\`\`\`${language}\n${code}\n\`\`\``;

function asMarkdown({ code, comment, head, members }, link) {
  // Signatures are no programs: another name of the language tells them from the examples.
  if (members === undefined) return commentAsMarkdown(comment, link, fence('typescript', code));
  const list = members.map((member) => {
    const [text = '', ...more] = commentAsMarkdown(member.comment, link);
    return [`* \`${member.code}\`${text && `<br>${text}`}`, ...more].join('\n\n').replace(/\n(?=.)/g, '\n  ');
  });
  return [...commentAsMarkdown(comment, link, head && `\`${head}\``), list.join('\n')].filter((block) => block !== '');
}

/** Names of declarations in order; overloads share one. */
const namesOf = (declarations) => [...new Set(declarations.map(({ name }) => name))];

const sections = (declarations, level, link) =>
  namesOf(declarations).flatMap((name) => [
    `${'#'.repeat(level)} \`${name}\``,
    ...declarations.filter((one) => one.name === name).flatMap((one) => asMarkdown(one, link)),
  ]);

/** The pages with their parts: declarations, in the page of the stores with a heading for each subpath. */
function pagesOf(paths, declarations) {
  const all = declarations.get('index.d.ts');
  const starts = GROUPS.map(({ from }) => all.findIndex(({ name }) => name === from));
  if (starts.includes(-1)) throw new Error(`index.d.ts does not export ${GROUPS[starts.indexOf(-1)].from}`);
  const partOf = ({ name, file }, heading) => ({ heading: heading && `## \`${name}\``, declarations: declarations.get(file) });
  const isStore = ({ name }) => name.startsWith('palimpsest/store/');
  const groups = GROUPS.map(({ page, title }, index) => {
    const stores = page === 'stores' ? paths.filter(isStore).map((path) => partOf(path, true)) : [];
    return { page, title, parts: [{ declarations: all.slice(starts[index], starts[index + 1]) }, ...stores] };
  });
  const subpages = paths
    .filter((path) => !isStore(path))
    .map((path) => ({ page: path.name.slice('palimpsest/'.length), title: `\`${path.name}\``, parts: [partOf(path)] }));
  const others = OTHERS.map((other) => ({ ...other, parts: other.files.map((file) => partOf({ file })) }));
  return [...groups, ...others, ...subpages].map((page) => {
    const names = namesOf(page.parts.flatMap((part) => part.declarations));
    // `Store` and `store` have the same anchor but for its number.
    const anchors = anchorsOf(names.map((name) => `# ${name}`).join('\n'));
    return { ...page, places: new Map(names.map((name, index) => [name, `#${anchors[index]}`])) };
  });
}

/** The files of the pages that are written by hand. */
export const WRITTEN_FILES = WRITTEN.map(({ page }) => `${page}.md`);

/** The pages that come from the types, and the list of all pages: name of the file → Markdown. */
export function reference() {
  const paths = subpaths();
  const pages = pagesOf(paths, declarationsOf(['index.d.ts', ...OTHERS.flatMap(({ files }) => files), ...paths.map(({ file }) => file)]));
  const rendered = pages.map(({ page, title, parts, places }) => {
    /** A name is looked up on its own page, then in the groups and in what the integrations share. */
    const link = (path) => {
      const [name] = path.split('.');
      const other = pages.find((one) => one.places.has(name));
      if (other === undefined) throw new Error(`docs/reference/${page}.md: {@link ${path}} leads nowhere`);
      return `[\`${path}\`](${places.get(name) ?? `${other.page}.md${other.places.get(name)}`})`;
    };
    const blocks = parts.flatMap(({ heading, declarations }) => [
      ...(heading ? [heading] : []),
      ...sections(declarations, heading ? 3 : 2, link),
    ]);
    const intro = blocks.some((block) => /^\* `\w+\?/m.test(block)) ? [INTRO] : [];
    return [`${page}.md`, `${[`# ${title}`, ...intro, ...blocks].join('\n\n')}\n`];
  });
  const list = pages.map(({ page, title, places }) => {
    const links = [...places].map(([name, anchor]) => `[\`${name}\`](${page}.md${anchor})`);
    return `* [${title}](${page}.md): ${links.join(', ')}`;
  });
  const guides = 'The [guides](../README.md) say which function is for what.';
  const written = WRITTEN.map(({ page, title, has }) => `* [${title}](${page}.md): ${has}`);
  const blocks = [
    '# Reference',
    guides,
    '## Subjects',
    written.join('\n'),
    '## Exports',
    'From the types with their comments.',
    list.join('\n'),
  ];
  return new Map([['README.md', `${blocks.join('\n\n')}\n`], ...rendered]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const pages = reference();
  mkdirSync(OUT, { recursive: true });
  for (const name of readdirSync(OUT)) if (!pages.has(name) && !WRITTEN_FILES.includes(name)) rmSync(join(OUT, name));
  for (const [name, text] of pages) writeFileSync(join(OUT, name), text);
}
