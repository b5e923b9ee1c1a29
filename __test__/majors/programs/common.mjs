// What the programs share: an agent that reads files, and looks one of them up when it went.

export const MODEL = 'gpt-5.5';
export const CLAUDE = 'claude-opus-5';
export const GEMINI = 'gemini-3.5-flash';

/** Number of files that the agent reads, one in each turn: some 19,500 tokens. */
export const READS = 25;
/** Maximum number of tokens of a request. */
export const LIMIT = 5000;
/** Turns that an SDK must grant. */
export const TURNS = READS + 10;
export const PROMPT = 'Compare the checksums of all files.';
export const READ = 'Reads a file.';
export const PARAMETERS = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'], additionalProperties: false };

export const systemOf = (name) => `You compare files. [conversation ${name}]`;
export const pathOf = (step) => `src/module${step}/index.ts`;

/** What is looked up: it depends on the whole path. */
export const checksumOf = (text) => `sum${[...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7)}`;

/** Some 780 tokens. */
export function contentOf(path) {
  const lines = Array.from({ length: 44 }, (_, line) => `export const value${line} = compute(${checksumOf(`${path}:${line}`)});`);
  lines[12] = `// The checksum of ${path} is ${checksumOf(path)}.`;
  return lines.join('\n');
}

/** What the model does: it reads, looks up the checksum of a file that went, and ends. */
export function script({ step, tools }) {
  if (step < READS) return { calls: [{ name: 'read', input: { path: pathOf(step) } }] };
  if (step === READS && tools.includes('recall')) return { calls: [{ name: 'recall', input: { query: `checksum of ${pathOf(2)}` } }] };
  return { text: 'Done.' };
}

/** Options for an integration, and what is seen through them. */
export function watching() {
  const seen = { steps: 0, observed: 0, errors: [] };
  const sessions = new WeakSet();
  const onStep = (_step, { session }) => {
    seen.steps++;
    if (sessions.has(session)) return;
    sessions.add(session);
    const observe = session.observe.bind(session);
    session.observe = (usage) => {
      seen.observed++;
      return observe(usage);
    };
  };
  const onError = (error) => void seen.errors.push(String(error?.stack ?? error));
  return { seen, options: { limit: LIMIT, onStep, onError } };
}
