// A long life: turns of a user in which the provider answers with every kind of content that it has, over the loopback servers.
import assert from 'node:assert/strict';
import { startProvider } from './agents/index.mjs';
import { Draw, kindsOf, PROVIDERS } from '../providers/index.mjs';
import { billed } from './providers/billed.mjs';
import { Random } from './random.mjs';
import { SEED } from './seed.mjs';

export const TURNS = 40;
/** Tokens, as the provider bills them: the largest request. */
export const WINDOW = 30_000;

/** Draws texts and files that are long enough for a life to exceed its window many times over. */
class LongDraw extends Draw {
  constructor(random, number) {
    super(random, number, { bytes: 3000 });
  }

  text(most = 240) {
    this.words = this.random.integer(1, this.random.pick([20, most, 2 * most]));
    return super.text(most);
  }

  pdf() {
    // No more: two of them in the newest exchange, which stays, would take more than an epoch leaves.
    const pages = '/Type /Page \n'.repeat(this.random.integer(1, 2));
    return this.drew('data', Buffer.from(`%PDF-1.4\n${this.random64(this.bytes)}\n${pages}%%EOF`).toString('base64'));
  }
}

/** What the client adds to a history; all else is the model's. */
const BY_CLIENT = {
  anthropic: ({ role }) => role !== 'assistant',
  'openai-chat': ({ role }) => role !== 'assistant',
  gemini: ({ role }) => role !== 'model',
  'openai-responses': ({ type, role, execution }) =>
    role === 'user' ||
    role === 'developer' ||
    type === 'mcp_approval_response' ||
    (/_output$/.test(type) && type !== 'program_output' && execution !== 'server'),
};

/** What the model says in one answer: blocks, parts, items or a message. */
const CONTENT = {
  anthropic: (run) => run.flatMap(({ content }) => content),
  'openai-chat': (run) => run,
  gemini: (run) => run.flatMap(({ parts }) => parts),
  'openai-responses': (run) => run,
};

/** Messages in runs of the client's and the model's. */
function runsOf(format, messages) {
  const runs = [];
  for (const message of messages) {
    const isClients = BY_CLIENT[format](message);
    if (runs.at(-1)?.isClients === isClients) runs.at(-1).messages.push(message);
    else runs.push({ isClients, messages: [message] });
  }
  return runs;
}

/** Replaces the user's words, which come last in the message, by longer ones. */
function withWords(message, words) {
  const parts = message.parts ?? message.content;
  if (typeof parts === 'string') return { ...message, content: words };
  const longer = parts.with(-1, { ...parts.at(-1), text: words });
  return message.parts === undefined ? { ...message, content: longer } : { ...message, parts: longer };
}

/**
 * Returns the turns of a life, in a wire format: for each the user's `words`, and its `steps`, each with what the client `sends` and the `content` of
 * the answer.
 *
 * @param {string} format
 * @param {(list: string, name: string) => boolean} has whether a kind comes up
 * @param {number} [most] maximum number of kinds in a turn
 */
export function turnsOf(format, has, most = 3) {
  const random = new Random(SEED);
  const kinds = kindsOf(PROVIDERS[format]).filter(([list, name]) => has(list, name));
  assert.ok(kinds.length > 0);
  return Array.from({ length: TURNS }, (_, turn) => {
    // Each kind comes up, as far as there are turns.
    const drawn = [kinds[(turn * 7 + (SEED % kinds.length)) % kinds.length], ...Array.from({ length: most - 1 }, () => random.pick(kinds))];
    drawn.length = random.integer(1, most);
    const draw = new LongDraw(random, turn);
    const exchanges = drawn.map(([, , make]) => make(draw));
    const words = `${turn}: ${draw.text(60)}`;
    const [first, ...rest] = exchanges[0];
    const messages = [withWords(first, words), ...rest];
    // The model goes on by itself where the user would have said nothing but words.
    for (const [said, ...more] of exchanges.slice(1)) {
      const parts = said.parts ?? said.content;
      if (typeof parts === 'string' || parts.length === 1) messages.push(...more);
    }
    const runs = runsOf(format, messages);
    const steps = [];
    for (let at = 0; at < runs.length; at += 2) {
      assert.ok(runs[at].isClients && runs[at + 1], JSON.stringify(drawn.map(([, name]) => name)));
      steps.push({ sends: runs[at].messages, answer: runs[at + 1].messages, content: CONTENT[format](runs[at + 1].messages) });
    }
    return { words, steps, names: drawn.map(([list, name]) => `${list}: ${name}`) };
  });
}

const SERVERS = { anthropic: 'anthropic', gemini: 'gemini', 'openai-chat': 'openai', 'openai-responses': 'openai' };

/**
 * Lives through turns: starts the provider, which answers with what the turns say and refuses what it refuses, and checks what came to it.
 *
 * @param {object} t the test's context
 * @param {string} format of the requests
 * @param {object[]} turns
 * @param {(provider: object) => Promise<void>} run
 */
export async function living(t, format, turns, run) {
  const answers = turns.flatMap(({ words, steps, names }, turn) => steps.map(({ content }) => ({ content, words, turn, names })));
  const lost = [];
  const script = ({ step, request }) => {
    const { content, words, turn, names } = answers[step] ?? assert.fail(`request ${step} of ${answers.length}`);
    if (!JSON.stringify(request).includes(JSON.stringify(words).slice(1, -1))) lost.push({ step, turn, names });
    return { content };
  };
  const none = { minimum: Infinity };
  const provider = await startProvider(script, {
    window: WINDOW,
    tokensOf: billed(SERVERS[format]),
    cache: { openai: none, gemini: none, anthropic: none },
    conversationOf: () => 'life',
  });
  try {
    await run(provider);
    const { requests } = provider;
    const failed = requests.filter(({ status }) => status !== 200).map(({ error, step }) => ({ error, step, names: answers[step]?.names }));
    assert.deepEqual(failed, []);
    assert.deepEqual(lost, [], "the user's newest words are whole");
    assert.equal(requests.length, answers.length);
    const tokens = requests.map((one) => one.tokens);
    t.diagnostic(
      `${requests.length} requests, at most ${Math.max(...tokens)} of ${WINDOW} tokens, ${tokens.reduce((a, b) => a + b)} in all`,
    );
  } finally {
    await provider.close();
  }
}

/** Options that record steps, and throw whatever of ours fails or can't keep a promise. */
export function recording(options) {
  const steps = [];
  const sessions = new Set();
  return {
    steps,
    sessions,
    options: {
      window: WINDOW,
      onStep: (step, { session }) => {
        steps.push(step);
        sessions.add(session);
        assert.ok(step.fits, `step ${steps.length - 1} does not fit: ${JSON.stringify(step.tokens)}`);
      },
      onError(error) {
        throw error;
      },
      ...options,
    },
  };
}

/** The parts of what a client sends, whatever the format: `{ text }`, `{ mediaType, base64 }`, and results of tools as `{ id, parts, isError }`. */
export const partsOf = (format, sends) => sends.flatMap((message) => READ[format](message));

const textOf = (value) => (typeof value === 'string' ? [{ text: value }] : undefined);
const inline = (url) => {
  const [, mediaType, base64] = /^data:([^;]+);base64,(.*)$/s.exec(url);
  return { mediaType, base64 };
};

/** The text of a document of Anthropic's: as one, or in blocks. */
const documentText = ({ data, content }) => data ?? (typeof content === 'string' ? content : content.map(({ text }) => text).join('\n'));

function ofBlock(block) {
  switch (block.type) {
    case 'text':
      return { text: block.text };
    case 'tool_result':
      return { id: block.tool_use_id, isError: block.is_error === true, parts: textOf(block.content) ?? block.content.map(ofBlock) };
    case 'image':
    case 'document':
      return block.source.type === 'base64'
        ? { mediaType: block.source.media_type, base64: block.source.data }
        : { mediaType: 'text/plain', base64: Buffer.from(documentText(block.source)).toString('base64') };
    default:
      return assert.fail(block.type);
  }
}

function ofContent(part) {
  switch (part.type) {
    case 'input_text':
      return { text: part.text };
    case 'input_image':
      return inline(part.image_url);
    case 'input_file':
      return inline(part.file_data);
    default:
      return assert.fail(part.type);
  }
}

function ofItem({ type = 'message', role, content, output, call_id: id, ...rest }) {
  if (role === 'user') return textOf(content) ?? content.map(ofContent);
  if (type === 'mcp_approval_response') return [{ id: rest.approval_request_id, approve: rest.approve, parts: [] }];
  if (type === 'computer_call_output') return [{ id, parts: [inline(output.image_url)] }];
  return [{ id, output, parts: textOf(output) ?? (/^(function|custom)/.test(type) ? output.map(ofContent) : []) }];
}

const ofPart = ({ text, inlineData, functionResponse }) => {
  if (functionResponse !== undefined)
    return { id: functionResponse.id, name: functionResponse.name, response: functionResponse.response, parts: [] };
  return inlineData === undefined ? { text } : { mediaType: inlineData.mimeType, base64: inlineData.data };
};

const READ = {
  anthropic: ({ content }) => textOf(content) ?? content.map(ofBlock),
  'openai-responses': ofItem,
  gemini: ({ parts }) => parts.map(ofPart),
};
