// Source code, Markdown and JSON.
import { sentence, sentences } from './prose.mjs';
import {
  HEX,
  camel,
  capital,
  clock,
  date,
  hash,
  identifier,
  method,
  names,
  pascal,
  path,
  snake,
  uuid,
  version,
  vocabulary,
} from './vocabulary.mjs';

const argument = (random) => (random.chance(0.3) ? `"${random.pickRanked(vocabulary)}"` : identifier(random));
const call = (random) => `${method(random)}(${random.join(random.between(1, 2), ', ', () => argument(random))})`;
const comment = (random) => random.join(random.between(3, 9), ' ', () => random.pickRanked(vocabulary));

const statements = {
  ts: [
    (random) => `const ${camel(random)} = await ${call(random)};`,
    (random) => `const { ${identifier(random)}, ${identifier(random)} } = ${call(random)};`,
    (random) => `if (!${identifier(random)}) return ${call(random)};`,
    (random) => `// ${comment(random)}`,
    (random) => `throw new ${pascal(random)}(\`${random.pickRanked(vocabulary)} \${${identifier(random)}}\`);`,
    (random) => `${identifier(random)}.${identifier(random)} = ${random.between(0, 5_000)};`,
    (random) => `import { ${pascal(random)} } from '${path(random)}';`,
    (random) => `  ${identifier(random)}: ${identifier(random)} ?? '${random.pickRanked(vocabulary)}',`,
    () => '}',
    () => '});',
    () => '',
  ],
  go: [
    (random) => `${identifier(random)}, err := ${call(random)}`,
    () => 'if err != nil {',
    (random) => `\treturn fmt.Errorf("failed to ${random.pickRanked(vocabulary)} ${random.pickRanked(vocabulary)}: %w", err)`,
    () => '}',
    () => '}',
    (random) => `// ${comment(random)}`,
    (random) => `\t${pascal(random)} string \`json:"${snake(random)}"\``,
    (random) => `${identifier(random)} := ${pascal(random)}{${capital(identifier(random))}: ${identifier(random)}}`,
    (random) => `case ${identifier(random)} != nil:`,
    () => 'return nil',
    () => '',
  ],
  py: [
    (random) => `self.${snake(random)} = ${snake(random)}(${argument(random)}, ${identifier(random)}=${random.between(0, 100)})`,
    (random) => `for ${identifier(random)} in ${identifier(random)}.${identifier(random)}():`,
    (random) => `    ${identifier(random)}[${argument(random)}] = ${call(random)}`,
    (random) => `    return ${call(random)}`,
    (random) => `# ${comment(random)}`,
    (random) => `    raise ${pascal(random)}(f"${random.pickRanked(vocabulary)} {${identifier(random)}}")`,
    (random) => `assert ${call(random)} == ${random.between(0, 99)}`,
    () => '',
  ],
};
const heads = {
  ts: (random) => `export async function ${camel(random)}(${identifier(random)}: ${pascal(random)}): Promise<${pascal(random)}> {`,
  go: (random) => `func (${identifier(random)[0]} *${pascal(random)}) ${pascal(random)}(ctx context.Context) error {`,
  py: (random) => `def ${snake(random)}(self, ${identifier(random)}: ${pascal(random)} = None):`,
};
export const languages = Object.keys(statements);

/** Lines of a source file, `length` characters or somewhat more. */
export function codeLines(random, length, language = random.pick(languages)) {
  const lines = [];
  for (let size = 0; size < length; ) {
    const isHead = lines.length % 14 === 0;
    const line = isHead
      ? heads[language](random)
      : `${(language === 'go' ? '\t' : '    ').repeat(random.pickRanked([1, 2, 3]))}${random.pick(statements[language])(random)}`;
    lines.push(line.trimEnd());
    size += line.length + 1;
  }
  return lines;
}

export const code = (random, length) => codeLines(random, length).join('\n');

/** A source file as an agent reads it: each line after its number and an arrow. */
export function numberedCode(random, length) {
  const from = random.chance(0.5) ? 1 : random.between(2, 900);
  const lines = codeLines(random, length);
  return lines.map((line, index) => `${String(from + index).padStart(6)}→${line}`).join('\n');
}

export function diff(random, length) {
  const file = path(random);
  let text = `diff --git a/${file} b/${file}\nindex ${hash(random, 7)}..${hash(random, 7)} 100644\n--- a/${file}\n+++ b/${file}`;
  const language = random.pick(languages);
  while (text.length < length) {
    text += `\n@@ -${random.between(1, 900)},7 +${random.between(1, 900)},9 @@ ${heads[language](random)}`;
    for (const line of codeLines(random, 400, language)) text += `\n${random.pick([' ', ' ', '+', '-'])}${line}`;
  }
  return text;
}

const sections = [
  (random) => `## ${capital(random.pickRanked(vocabulary))} ${random.pickRanked(vocabulary)}`,
  (random) => sentences(random, random.between(2, 5), 0.06),
  (random) => random.join(random.between(3, 7), '\n', () => `- **${capital(random.pickRanked(vocabulary))}**: ${sentence(random, 0.08)}`),
  (random) => random.join(random.between(2, 5), '\n', () => `- \`${path(random)}\` ${sentence(random, 0.04)}`),
  (random) => `\`\`\`${random.pick(languages)}\n${code(random, random.between(150, 600))}\n\`\`\``,
  (random) =>
    `| Name | Value | Note |\n|---|---|---|\n${random.join(random.between(2, 6), '\n', () => `| \`${identifier(random)}\` | ${random.between(0, 999)} | ${sentence(random, 0)} |`)}`,
  (random) =>
    `See [${random.pickRanked(names)}](https://${random.pick(names).toLowerCase()}.example/${path(random)}) — ${sentence(random)}`,
];

export function markdown(random, length) {
  let text = `# ${capital(random.pickRanked(vocabulary))} ${random.pickRanked(vocabulary)}\n\n${sentences(random, 2)}`;
  while (text.length < length) text += `\n\n${random.pick(sections)(random)}`;
  return text;
}

const values = [
  (random) => random.between(0, 100_000),
  (random) => random.chance(0.5),
  (random) => `${date(random)}T${clock(random)}.${random.between(100, 999)}Z`,
  (random) => uuid(random),
  (random) => `${random.pickRanked(names)} ${random.pickRanked(names)}`,
  (random) => sentence(random, 0.04),
  (random) => path(random),
  (random) => version(random),
  (random) => random.letters(12, HEX),
  (random) => [random.pickRanked(vocabulary), random.pickRanked(vocabulary)],
  (random) => ({ [identifier(random)]: random.between(0, 99), [camel(random)]: random.pickRanked(vocabulary) }),
];

/** The answer of an API: a list of records that share their keys. */
export function json(random, length) {
  const keys = Array.from({ length: random.between(5, 11) }, () => random.pick([camel, snake, identifier])(random));
  const makers = keys.map(() => random.pick(values));
  const records = [];
  for (let size = 0; size < length; ) {
    const record = Object.fromEntries(keys.map((key, index) => [key, makers[index](random)]));
    size += JSON.stringify(record).length;
    records.push(record);
  }
  const answer = { total: records.length, next: uuid(random), items: records };
  return random.chance(0.5) ? JSON.stringify(answer, null, 2) : JSON.stringify(answer);
}
