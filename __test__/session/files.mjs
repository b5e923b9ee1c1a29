// Files in memory, and the texts that stand in them.

export const ROOT = '/work/app';

const WORDS = (
  'order total invoice claim lock batch worker queue retry cursor token ledger parse render customer region backup schedule quota shard index limit offset ' +
  'session window route adapter cache budget field column'
).split(' ');
const NAMES = [
  'src/claim.ts',
  'src/pool.ts',
  'src/util/dates.ts',
  'lib/report.py',
  'test/claim.test.ts',
  'README.md',
  'config/app.yml',
  'data/orders.json',
  'notes.txt',
  'Makefile',
];

const capital = (word) => word[0].toUpperCase() + word.slice(1);
const name = (random) => random.pick(WORDS) + capital(random.pick(WORDS)) + random.integer(1, 99);
const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));

export const sentence = (random) =>
  `${capital(random.pick(WORDS))} ${random.pick(['waits for', 'holds', 'counts', 'drops', 'names'])} the ${random.pick(WORDS)} of ${name(random)}, ${random.pick(['so', 'because', 'but', 'and'])} the ${random.pick(WORDS)} ${random.pick(['stays', 'fails', 'grows', 'is late'])}.`;

const LINES = {
  ts: (random) =>
    random.pick([
      () => `export const ${name(random)} = ${random.integer(1, 999)};`,
      () => `export function ${name(random)}(${random.pick(WORDS)}: string) {\n  return ${name(random)}("${sentence(random)}");\n}`,
      () => `  // ${sentence(random)}`,
      () => '',
      () => `throw new Error(\`${name(random)}: \${${random.pick(WORDS)}}\\n\`);`,
    ])(),
  py: (random) =>
    random.pick([
      () =>
        `def ${name(random)}(self, ${random.pick(WORDS)}=None):\n    """${sentence(random)}"""\n    return ${name(random)}[${random.integer(0, 9)}]`,
      () => `    raise ValueError("${sentence(random)}")`,
      () => `${name(random)} = {"${random.pick(WORDS)}": ${random.integer(1, 99)}, 'b': None}`,
    ])(),
  md: (random) =>
    random.pick([
      () => `## ${capital(name(random))}\n`,
      () => `${sentence(random)} ${sentence(random)}`,
      () => `* \`${name(random)}\`: ${sentence(random)}`,
      () => `\`\`\`sh\nnpm run ${name(random)}\n\`\`\``,
    ])(),
  yml: (random) => `${name(random)}:\n  ${random.pick(WORDS)}: ${random.integer(1, 99)} # ${sentence(random)}`,
  txt: (random) =>
    random.pick([
      () => sentence(random),
      () => '灯台守がランプを直した。その後、船が来た。',
      () => '😀 done',
      () => '\ud83d half of a pair',
      () => '[… 12 lines]',
      () => '=== ok ===',
      () => `${random.integer(10, 23)}:00:0${random.integer(0, 9)} INFO ${sentence(random)}`,
    ])(),
};

/** A new text for a file of this name. */
export function contentFor(path, random) {
  const count = random.integer(1, random.chance(0.2) ? 90 : 25);
  const extension = path.split('.').at(-1);
  if (extension === 'json')
    return JSON.stringify(
      times(count, (id) => ({
        id,
        customer: name(random),
        total: random.integer(1, 99999) / 100,
        note: random.chance(0.3) ? sentence(random) : null,
      })),
      null,
      random.pick([0, 1, 2]),
    );
  const line = LINES[extension] ?? LINES.txt;
  const text = times(count, () => line(random)).join('\n') + random.pick(['\n', '\n', '']);
  return random.chance(0.1) ? text.replaceAll('\n', '\r\n') : text;
}

/** Output of programs. */
export const outputs = {
  log: (random) =>
    times(
      random.integer(3, random.chance(0.1) ? 500 : 60),
      (line) =>
        `2026-11-0${random.integer(1, 9)} 12:${10 + (line % 50)}:07 ${random.pick(['INFO', 'INFO', 'DEBUG', 'WARN', 'ERROR'])} ${random.pick(WORDS)}-${line % 7} ${random.chance(0.3) ? sentence(random) : `took ${random.integer(1, 900)} ms`}`,
    ).join('\n'),
  tests: (random) =>
    [
      ...times(random.integer(1, 20), () => `✔ ${sentence(random)} (${random.integer(1, 40)}ms)`),
      `ℹ tests ${random.integer(1, 40)}`,
      'ℹ fail 0',
    ].join('\n'),
  json: (random) =>
    JSON.stringify(
      {
        total: random.integer(1, 99),
        rows: times(random.integer(1, 40), (id) => ({ id, name: name(random), tags: [random.pick(WORDS)], ok: random.chance(0.5) })),
      },
      null,
      random.pick([0, 2]),
    ),
  fence: (random) =>
    `${sentence(random)}\n\n\`\`\`${random.pick(['', 'text', 'ts'])}\n${random.chance(0.5) ? outputs.log(random) : contentFor('a.ts', random)}${random.chance(0.6) ? '\n```\n' : ''}${sentence(random)}`,
  diff: (random) =>
    times(
      random.integer(1, 3),
      () =>
        `diff --git a/${random.pick(NAMES)} b/${random.pick(NAMES)}\n@@ -${random.integer(1, 40)},6 +${random.integer(1, 40)},7 @@ ${name(random)}\n-const ${name(random)} = 1;\n+const ${name(random)} = 2;\n ${sentence(random)}`,
    ).join('\n'),
  trace: (random) =>
    [
      `> ${name(random)}@1.0.0 test`,
      `Error: ${sentence(random)}`,
      ...times(
        random.integer(2, 30),
        () => `    at ${name(random)} (${ROOT}/${random.pick(NAMES)}:${random.integer(1, 200)}:${random.integer(1, 40)})`,
      ),
      'npm ERR! Test failed.',
    ].join('\n'),
  base64: (random) =>
    times(random.integer(10, 60), () => name(random))
      .join('')
      .padEnd(600, 'QUJD'),
  empty: () => '',
  one: (random) => times(random.integer(20, 300), () => sentence(random)).join(' '),
};

export class Files {
  texts = new Map();

  constructor(random) {
    for (const path of NAMES) if (random.chance(0.8)) this.texts.set(path, contentFor(path, random));
  }

  /** A file that is there, most often one of the few that the work is about. */
  some(random) {
    const paths = [...this.texts.keys()];
    return random.chance(0.6) ? paths[random.integer(0, Math.min(2, paths.length - 1))] : random.pick(paths);
  }

  newName(random) {
    return `${random.pick(['src', 'lib', 'test', 'docs'])}/${name(random)}.${random.pick(['ts', 'py', 'md', 'txt'])}`;
  }
}
