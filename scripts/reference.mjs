// Writes docs/reference/ from the types that users import: a page for each group of index.d.ts, and one for each subpath.
//   node scripts/reference.mjs
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SyntaxKind } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';

const root = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(root, 'docs/reference');

/** The groups of index.d.ts in its order. Each begins at the declaration that it names. */
const GROUPS = [
  { page: 'compress', title: 'compress and uncompress', from: 'Message' },
  { page: 'formats', title: 'Formats and validate', from: 'Format' },
  { page: 'tokens', title: 'Tokens', from: 'defaultTokenCounter' },
  { page: 'measures', title: 'Measures and analyses', from: 'bestSentenceScore' },
  { page: 'llm', title: 'Callbacks with an LLM', from: 'CallLlm' },
  { page: 'restore', title: 'restore', from: 'Originals' },
  { page: 'prune', title: 'prune', from: 'PruneOptions' },
  { page: 'fit', title: 'fit and fitRequest', from: 'FitOptions' },
  { page: 'recall', title: 'recall', from: 'RecallOptions' },
  { page: 'sessions', title: 'Sessions', from: 'CachePrices' },
  { page: 'stores', title: 'Stores', from: 'Store' },
];
const SHARED = {
  page: 'integrations',
  title: 'What the integrations share',
  files: ['integrations/options.d.ts', 'integrations/endpoint.d.ts'],
};

const INTRO = 'A member with `?` may be absent. Options may be `undefined` or `null` as well, which both mean the default.';

/** The subpaths with their files of types, as package.json exports them. */
const subpaths = () => {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.entries(exports).flatMap(([subpath, { require }]) =>
    require?.types && subpath !== '.' ? [{ name: `palimpsest${subpath.slice(1)}`, file: require.types.slice(2) }] : [],
  );
};

/** The exported declarations of each file, in order. */
function declarationsOf(files) {
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

const textOf = (node, source) => node.getText(source).trim();

/** A member of an interface in one line, without what `?` and the introduction say of its type. */
function memberOf(member, source, name) {
  const line = textOf(member, source)
    .replace(/\/\*\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/: \| /g, ': ')
    .replace(/;$/, '');
  if (!/^\w+\?: /.test(line)) return line;
  return line.replace(name.endsWith('Options') ? /(?: \| null)?(?: \| undefined)?$/ : / \| undefined$/, '').replace(/: \((.*)\)$/, ': $1');
}

/** The comment before a declaration: its \`text\`, and its \`tags\`. */
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

const slug = (name) => name.toLowerCase();

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

/** Sections of declarations, in order; overloads share one. */
function sections(declarations, level, link) {
  const names = [...new Set(declarations.map(({ name }) => name))];
  return names.flatMap((name) => [
    `${'#'.repeat(level)} \`${name}\``,
    ...declarations.filter((one) => one.name === name).flatMap((one) => asMarkdown(one, link)),
  ]);
}

/** The pages of the reference: name of the file → Markdown. */
export function reference() {
  const paths = subpaths();
  const declarations = declarationsOf(['index.d.ts', ...SHARED.files, ...paths.map(({ file }) => file)]);
  const all = declarations.get('index.d.ts');
  const starts = [...GROUPS.map(({ from }) => all.findIndex(({ name }) => name === from)), all.length];
  const isStore = ({ name }) => name.includes('/store/');
  const pages = [
    ...GROUPS.map(({ page, title }, index) => ({ page, title, parts: [{ declarations: all.slice(starts[index], starts[index + 1]) }] })),
    { ...SHARED, parts: SHARED.files.map((file) => ({ declarations: declarations.get(file) })) },
    ...paths
      .filter((path) => !isStore(path))
      .map(({ name, file }) => ({
        page: name.slice('palimpsest/'.length),
        title: `\`${name}\``,
        parts: [{ declarations: declarations.get(file) }],
      })),
  ];
  pages
    .find(({ page }) => page === 'stores')
    .parts.push(...paths.filter(isStore).map(({ name, file }) => ({ heading: `## \`${name}\``, declarations: declarations.get(file) })));

  /** Where a name is declared: on the page itself, in the groups, or in what the integrations share. */
  const places = new Map();
  for (const { page, parts } of pages)
    for (const { declarations } of parts) for (const { name } of declarations) if (!places.has(name)) places.set(name, page);
  const rendered = pages.map(({ page, title, parts }) => {
    const own = new Set(parts.flatMap(({ declarations }) => declarations.map(({ name }) => name)));
    const link = (path) => {
      const [name] = path.split('.');
      if (!own.has(name) && !places.has(name)) throw new Error(`docs/reference/${page}.md: {@link ${path}} leads nowhere`);
      return `[\`${path}\`](${own.has(name) ? '' : `${places.get(name)}.md`}#${slug(name)})`;
    };
    const blocks = parts.flatMap(({ heading, declarations }) => [
      ...(heading ? [heading] : []),
      ...sections(declarations, heading ? 3 : 2, link),
    ]);
    return [
      `${page}.md`,
      `# ${title}\n\n${[...(blocks.some((block) => /^\* `\w+\?/m.test(block)) ? [INTRO] : []), ...blocks].join('\n\n')}\n`,
    ];
  });
  const list = pages.map(({ page, title, parts }) => {
    const names = [...new Set(parts.flatMap(({ declarations }) => declarations.map(({ name }) => name)))];
    return `* [${title}](${page}.md): ${names.map((name) => `[\`${name}\`](${page}.md#${slug(name)})`).join(', ')}`;
  });
  const index = `# Reference\n\nWhat the package exports, from the types with their comments. The guides say which function is for what: [docs](../README.md).\n\n${list.join('\n')}\n`;
  return new Map([['README.md', index], ...rendered]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const pages = reference();
  mkdirSync(OUT, { recursive: true });
  for (const name of readdirSync(OUT)) if (!pages.has(name)) rmSync(join(OUT, name));
  for (const [name, text] of pages) writeFileSync(join(OUT, name), text);
}
