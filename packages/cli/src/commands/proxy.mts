import { resolve } from 'node:path';
import { Misuse } from '../errors.mjs';
import { orphaning } from '../parent.mjs';
import { lineOf } from '../proxy/lines.mjs';
import { serviceOf } from '../proxy/service.mjs';
import { PORT, readState, StateFile, stateFile } from '../proxy/state.mjs';
import { checkedOptions, SHADOW_TOKENS } from '../proxy/options.mjs';
import { percent } from '../report/client/format.mjs';
import { shadowWords } from '../report/client/shadow.mjs';
import { homeOf } from './sessions.mjs';
import { ROLES, tell } from './verbs.mjs';
import { defineCommand } from './index.mjs';
import type { Given, Io } from './index.mjs';

/** Limit in tokens below which the user probably meant thousands: the instructions and tools of an agent take more. */
const LEAST_MEANT = 1_000;
/** Time between looks at whether the parent is still there, in ms. */
const PARENT_CHECK = 500;

export const command = defineCommand({
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
    roles: ROLES,
    upstream: { type: 'string', value: 'URL', text: "where all requests go; by default each to its API's own provider" },
    port: { type: 'count', value: 'PORT', text: 'port to listen on; 0 means any free one. Default 8377' },
    host: { type: 'string', value: 'ADDRESS', text: 'address to listen on. Default 127.0.0.1; others need a token' },
    redact: { type: 'boolean', text: 'leaves out of the page what the messages say' },
    token: { type: 'string', value: 'TOKEN', text: 'what clients must present, as part of the address. Default: PALIMPSEST_TOKEN' },
    'dry-run': { type: 'boolean', text: 'changes nothing: requests go out as they came, and the page shows what would be cut' },
    shadow: {
      type: 'share',
      value: 'SHARE',
      text: 'also sends this share of the cut requests whole, twice, and compares what the model does next. They cost what whole requests cost',
    },
    'shadow-tokens': { type: 'tokens', value: 'TOKENS', text: 'maximum tokens of all these requests. Default 1M' },
    state: {
      type: 'string',
      value: 'FILE',
      isFile: true,
      text: 'file that keeps the counts for the next start, without content. Default: proxy-PORT.json in the folder for program state',
    },
    service: { type: 'boolean', text: 'prints the unit of a service with these options (systemd, launchd), and how to start it' },
  },
  examples: [
    ['palimpsest proxy --limit 100k', 'for agents of this machine'],
    ['ANTHROPIC_BASE_URL=http://127.0.0.1:8377 claude', 'Claude Code through it'],
    ['palimpsest proxy --limit 100k --dry-run', 'shows what it would do, and does nothing'],
    ['palimpsest proxy --limit 100k --shadow 2%', 'measures on your own requests how often a cut changes what the model does'],
    ['palimpsest proxy --limit 100k --service > ~/.config/systemd/user/palimpsest-proxy.service', 'for every day'],
    ['palimpsest proxy --limit 60k --upstream https://gateway.example.com', 'to a gateway'],
  ],
  async run({ values, io }) {
    const { limit, roles, upstream, port = PORT, host, token, redact, shadow, quiet } = values;
    if (limit === undefined) throw new Misuse('proxy needs --limit TOKENS, such as --limit 100k');
    if (values['shadow-tokens'] !== undefined && shadow === undefined)
      throw new Misuse('--shadow-tokens needs --shadow SHARE, such as --shadow 2%');
    const secret = token ?? (io.env.PALIMPSEST_TOKEN || undefined);
    const given = {
      limit,
      roles,
      upstream,
      port,
      host,
      token: secret,
      redact,
      shadow,
      shadowTokens: values['shadow-tokens'],
      isDry: values['dry-run'],
    };
    if (values.service) {
      checkedOptions(given);
      printService(values, secret !== undefined, io);
      return undefined;
    }
    // The report of its page is made in another thread, when somebody looks: what that needs must not be missing only then.
    const [{ startProxy }] = await Promise.all([
      import('../proxy/index.mjs'),
      import('../analysis/index.mjs'),
      import('../report/page.mjs'),
    ]);
    // Of any free port there is no next start.
    const path = values.state ?? (port === 0 ? undefined : stateFile(io, port));
    const file = path === undefined ? undefined : new StateFile(path, io);
    const proxy = await startProxy({
      ...given,
      state: path === undefined ? undefined : await readState(path, io),
      onState: (state) => file?.save(state),
      onRequest: (record) => void (quiet || io.stderr.write(`${lineOf(record)}\n`)),
      onWarning: (text) => void io.stderr.write(`palimpsest: ${text}\n`),
    });
    const interrupted = new Promise((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, resolve);
      const isOrphan = orphaning(io.env);
      setInterval(() => isOrphan() && resolve(undefined), PARENT_CHECK).unref();
    });
    const { origin } = new URL(proxy.url);
    const isSecret = secret !== undefined;
    // What is no terminal may be a journal that others read.
    io.stdout.write(`${isSecret && (quiet || !io.stdout.isTTY) ? origin : proxy.url}\n`);
    if (!quiet) {
      const most = limit.toLocaleString('en');
      const what = values['dry-run']
        ? `Nothing is cut: what ${most} tokens would cut is shown`
        : `Requests go out with at most ${most} tokens`;
      if (shadow !== undefined) {
        const tokens = (values['shadow-tokens'] ?? SHADOW_TOKENS).toLocaleString('en');
        io.stderr.write(`${percent(shadow)} of the cut requests also go out whole, twice, with at most ${tokens} tokens in all.\n`);
      }
      if (limit < LEAST_MEANT)
        tell(io, values, `${most} tokens do not hold the instructions and tools of an agent: did you mean --limit ${limit}k?`);
      io.stderr.write(`${what}. The page at this address shows them. For example:\n`);
      const url = isSecret && !io.stderr.isTTY ? `${origin}/$PALIMPSEST_TOKEN` : proxy.url;
      io.stderr.write(`  ANTHROPIC_BASE_URL=${url} claude\n  OPENAI_BASE_URL=${url}/v1 …\n  GOOGLE_GEMINI_BASE_URL=${url} gemini\n`);
    }
    await interrupted;
    await proxy.close();
    await file?.close();
    if (proxy.shadow) tell(io, values, `shadow requests: ${shadowWords(proxy.shadow)}`);
  },
});

/** Options that are no part of a service. */
const ONCE = new Set(['service', 'token', 'help']);

function printService(values: Given, hasToken: boolean, io: Io) {
  const given = Object.entries(values).filter(([name]) => !ONCE.has(name));
  const options = given.flatMap(([name, value]) => {
    if (value === true) return [`--${name}`];
    // A service has another folder.
    return [`--${name}`, name === 'state' ? resolve(io.cwd, String(value)) : String(value)];
  });
  const { unit, steps } = serviceOf(process.platform, [process.execPath, resolve(process.argv[1]), 'proxy', ...options], {
    hasToken,
    home: homeOf(io),
  });
  io.stdout.write(unit);
  if (!values.quiet) io.stderr.write(`${steps.map((step, index) => `${index + 1}. ${step}`).join('\n')}\n`);
}
