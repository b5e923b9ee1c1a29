// Four invented projects that an agent works on: their vocabulary, files and tool output.

/** The vocabulary of each project's files, logs and tests. */
export const PROJECTS = [
  {
    name: 'harbour-bookings',
    extension: 'ts',
    things: ['berth', 'tide', 'pilot', 'vessel', 'mooring', 'invoice', 'customs', 'crane', 'beacon', 'ferry'],
    verbs: ['assign', 'release', 'quote', 'confirm', 'weigh', 'schedule', 'cancel', 'merge'],
    test: 'npm test --',
    comments: [
      'Tides are in centimetres above chart datum.',
      'A pilot rests eleven hours between two vessels.',
      'Customs close at noon on Sundays.',
    ],
    body: (name, thing, limit) => [
      `export function ${name}(${thing}: Record<string, number>, at: Date): number {`,
      `  if (at.getTime() < 0) throw new RangeError('${thing} before the harbour opened');`,
      `  const waiting = Object.values(${thing}).filter((value) => value > ${limit}).length;`,
      `  return waiting * ${limit + 3};`,
      '}',
    ],
  },
  {
    name: 'greenhouse-sensors',
    extension: 'py',
    things: ['humidity', 'valve', 'seedling', 'lamp', 'reservoir', 'vent', 'nutrient', 'probe', 'shade', 'compost'],
    verbs: ['read', 'calibrate', 'open', 'average', 'alarm', 'flush', 'log', 'repeat'],
    test: 'pytest -q',
    comments: [
      'Probes drift by a tenth a month.',
      'Valves must not open while a lamp warms up.',
      'The reservoir holds nine days of water.',
    ],
    body: (name, thing, limit) => [
      `def ${name}(${thing}: list[float], window: int = ${limit}) -> float:`,
      `    """Returns the ${thing} over the last readings, without those that failed."""`,
      `    valid = [value for value in ${thing}[-window:] if value == value]`,
      '    if not valid:',
      `        raise ValueError("no ${thing} in the last %d readings" % window)`,
      '    return sum(valid) / len(valid)',
    ],
  },
  {
    name: 'library-loans',
    extension: 'rs',
    things: ['reader', 'shelf', 'loan', 'reminder', 'copy', 'fine', 'hold', 'branch', 'catalogue', 'binding'],
    verbs: ['renew', 'return', 'reserve', 'count', 'move', 'waive', 'sort', 'print'],
    test: 'cargo test',
    comments: [
      'A hold lapses after six days on the shelf.',
      'Fines stop at the price of the copy.',
      'Branches exchange copies on Tuesdays.',
    ],
    body: (name, thing, limit) => [
      `pub fn ${name}(${thing}s: &[u32], day: u32) -> Option<u32> {`,
      `    let due = ${thing}s.iter().copied().filter(|${thing}| day >= ${thing} + ${limit});`,
      '    due.max().map(|last| last.saturating_sub(day))',
      '}',
    ],
  },
  {
    name: 'bakery-orders',
    extension: 'go',
    things: ['dough', 'oven', 'tray', 'order', 'flour', 'delivery', 'crust', 'label', 'proof', 'basket'],
    verbs: ['mix', 'bake', 'cool', 'price', 'pack', 'split', 'stamp', 'refund'],
    test: 'go test ./...',
    comments: ['Rye rises for ninety minutes.', 'An oven takes fourteen trays.', 'Labels carry the day in the customer’s time zone.'],
    body: (name, thing, limit) => [
      `func ${name}(${thing}s []int, at time.Time) (int, error) {`,
      `\tif len(${thing}s) > ${limit} {`,
      `\t\treturn 0, fmt.Errorf("${name}: %d ${thing}s, at most ${limit}", len(${thing}s))`,
      '\t}',
      `\treturn len(${thing}s) * at.Hour(), nil`,
      '}',
    ],
  },
];

const capital = (word) => word[0].toUpperCase() + word.slice(1);
const pad = (number) => String(number).padStart(2, '0');

/** A source file as a tool shows it, with line numbers; the same function of file and version each time. */
export function sourceOf(project, thing, version, constant) {
  const lines = [`// ${project.name}: what is known about a ${thing}.`, `${constant.name} = ${constant.value + version}`, ''];
  for (const [index, verb] of project.verbs.entries()) {
    const limit = 7 + ((index * 5 + thing.length * 3 + version) % 40);
    lines.push(`// ${project.comments[index % project.comments.length]}`, ...project.body(`${verb}${capital(thing)}`, thing, limit), '');
  }
  return lines;
}
export const numbered = (lines) => lines.map((line, index) => `${String(index + 1).padStart(6)}\t${line}`).join('\n');

export const grepOf = (random, project, thing) =>
  Array.from({ length: random.between(12, 40) }, () => {
    const verb = random.pick(project.verbs);
    const file = random.pick(project.things);
    return `src/${file}.${project.extension}:${random.between(3, 90)}:  ${verb}${capital(thing)}(${file}, ${random.between(1, 900)})`;
  }).join('\n');

/** A long log in which one line matters. */
export const logOf = (random, project, needle) => {
  const count = random.between(60, 160);
  const at = random.between(20, count - 10);
  return Array.from({ length: count }, (_, line) => {
    const clock = `2026-03-${pad(1 + (line % 27))}T${pad(line % 24)}:${pad((line * 7) % 60)}:${pad((line * 13) % 60)}Z`;
    if (line === at) return `${clock} ERROR ${needle}`;
    const [thing, other] = [random.pick(project.things), random.pick(project.things)];
    return `${clock} INFO  ${random.pick(project.verbs)} ${thing} for ${other} took ${random.between(1, 400)} ms`;
  }).join('\n');
};

export const testsOf = (random, project, failed) => {
  const passed = project.things.flatMap((thing) =>
    project.verbs.map((verb) => `ok   ${verb}${capital(thing)} (${random.between(1, 40)} ms)`),
  );
  if (failed === undefined) return `${passed.join('\n')}\n\n${passed.length} passed, 0 failed`;
  return `${passed.slice(0, -1).join('\n')}\nFAIL ${failed.name}\n     ${failed.why}\n\n${passed.length - 1} passed, 1 failed`;
};
