// @ts-check
import { Misuse } from '../errors.mjs';
import { orphaning } from '../parent.mjs';

/** Time between looks at whether the parent is still there, in ms. */
const PARENT_CHECK = 500;

/** @type {import('./index.mjs').Command} */
export const command = {
  name: 'proxy',
  summary: 'Passes the requests of an agent on to its provider, within a limit',
  usage: '',
  positionals: 0,
  notes: [
    'Speaks the APIs of Anthropic (Messages), OpenAI (Chat Completions, Responses) and Gemini (generateContent). Each request is sent with the messages that a session chooses; everything else passes as it comes. Conversations are in memory only; keys are not stored or shown.',
    'The page at its address shows what goes through, live, and the report of it. It runs until it is interrupted.',
  ],
  options: {
    limit: { type: 'tokens', value: 'TOKENS', text: 'how much a request may take, such as 100k; required' },
    upstream: { type: 'string', value: 'URL', text: "where all requests go; by default each to its API's own provider" },
    port: { type: 'count', value: 'PORT', text: 'port to listen on; 0 means any free one. Default 8377' },
    host: { type: 'string', value: 'ADDRESS', text: 'address to listen on. Default 127.0.0.1; others need a token' },
    redact: { type: 'boolean', text: 'leaves out of the page what the messages say' },
    token: { type: 'string', value: 'TOKEN', text: 'what clients must present, as part of the address. Default: PALIMPSEST_TOKEN' },
  },
  examples: [
    ['palimpsest proxy --limit 100k', 'for agents of this machine'],
    ['ANTHROPIC_BASE_URL=http://127.0.0.1:8377 claude', 'Claude Code through it'],
    ['palimpsest proxy --limit 60k --upstream https://gateway.example.com', 'to a gateway'],
  ],
  async run({ values: { limit, upstream, port, host, token, redact, quiet }, io }) {
    if (limit === undefined) throw new Misuse('proxy needs --limit TOKENS, such as --limit 100k');
    // The report of its page is made in another thread, when somebody looks: what that needs must not be missing only then.
    const [{ startProxy }] = await Promise.all([
      import('../proxy/index.mjs'),
      import('../analysis/index.mjs'),
      import('../report/page.mjs'),
    ]);
    const onWarning = (/** @type {string} */ text) => void io.stderr.write(`palimpsest: ${text}\n`);
    const secret = token ?? (io.env.PALIMPSEST_TOKEN || undefined);
    const proxy = await startProxy({ limit, upstream, port, host, token: secret, redact, onWarning });
    const interrupted = new Promise((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, resolve);
      const isOrphan = orphaning(io.env);
      setInterval(() => isOrphan() && resolve(undefined), PARENT_CHECK).unref();
    });
    io.stdout.write(`${proxy.url}\n`);
    if (!quiet) {
      io.stderr.write(
        `Requests go out with at most ${limit.toLocaleString('en')} tokens. The page at this address shows them. For example:\n`,
      );
      io.stderr.write(
        `  ANTHROPIC_BASE_URL=${proxy.url} claude\n  OPENAI_BASE_URL=${proxy.url}/v1 …\n  GOOGLE_GEMINI_BASE_URL=${proxy.url} gemini\n`,
      );
    }
    await interrupted;
    await proxy.close();
  },
};
