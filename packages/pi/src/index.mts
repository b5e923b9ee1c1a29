// An extension of the coding agent pi: a session chooses what each request sends, in place of pi's compaction.
import { createHarness } from 'palimpsest/internal';
import type { SavedSession } from 'palimpsest';
import type { HarnessSettings } from 'palimpsest/internal';
import type { Context, Extension } from './pi.mjs';

/** Options of {@link palimpsest}: those of `createSession` but its store. pi gives the model, its window, the system prompt and the tools. */
export type PiOptions = HarnessSettings;

/** Formats of requests by pi's name of their API. Requests of all others go out as they are, and pi compacts them as ever. */
const FORMATS = {
  'anthropic-messages': 'anthropic',
  'openai-completions': 'openai-chat',
  'openai-responses': 'openai-responses',
  'azure-openai-responses': 'openai-responses',
  'openai-codex-responses': 'openai-responses',
  'google-generative-ai': 'gemini',
  'google-vertex': 'gemini',
} as const;

/** Type of the entries of a session file that hold the state. */
const ENTRY = 'palimpsest';
const LIMIT = 'palimpsest-limit';

/**
 * Returns an extension of pi with options.
 *
 * @example
 * // ~/.pi/agent/extensions/palimpsest/index.ts, beside a package.json that depends on @palimpsest/pi
 * import { palimpsest } from '@palimpsest/pi';
 *
 * export default palimpsest({ limit: 100_000 });
 *
 * @throws {TypeError | RangeError} the extension throws it for an option that is wrong, and pi says so when it starts
 */
export function palimpsest(options?: PiOptions | null): Extension {
  return (pi) => {
    let context: Context | undefined;
    // What Node.js writes of a warning would stand in the middle of pi's screen.
    const tell = (text: string) =>
      context?.hasUI ? context.ui.notify(`palimpsest: ${text}`, 'warning') : console.error(`palimpsest: ${text}`);
    const settings = { recall: { limit: 3000 }, warn: false, onError: (error: unknown) => tell(messageOf(error)), ...options };
    const create = (limit: object) => {
      const created = createHarness('palimpsest()', { ...settings, ...limit });
      return { harness: created, tool: created.recallTool() };
    };
    let { harness, tool } = create({});
    const { name, description, parameters } = tool;
    pi.registerFlag(LIMIT, { type: 'string', description: 'palimpsest: most tokens of a request, such as 100000 or 100k' });
    pi.registerTool({
      name,
      label: name,
      description,
      parameters,
      execute: async (_id, input) => ({ content: [{ type: 'text', text: tool.execute(input) }], details: undefined }),
    });
    pi.registerCommand('palimpsest', {
      description: 'Say what palimpsest sent, and what that cost',
      handler: async (_input, { ui }) => {
        const { summary = 'no request yet', mistakes = [] } = harness.session?.report ?? {};
        ui.notify([summary, ...mistakes.map(({ text }) => text)].join('\n'), 'info');
      },
    });

    const save = (isEnd: boolean) => {
      const state = harness.state(isEnd);
      if (state !== undefined) pi.appendEntry(ENTRY, state);
    };
    const open = (_event: object, { sessionManager }: Context) => {
      const last = sessionManager.getBranch().findLast(({ type, customType }) => type === 'custom' && customType === ENTRY);
      harness.open(last?.data as SavedSession | undefined);
    };

    pi.on('session_start', (event, ctx) => {
      const limit = pi.getFlag(LIMIT);
      if (limit !== undefined) ({ harness, tool } = create({ limit: tokensOf(limit) }));
      open(event, ctx);
    });
    pi.on('session_tree', open);
    pi.on('before_provider_request', async ({ payload }, ctx) => {
      context = ctx;
      const format = formatOf(ctx);
      if (format === undefined) return undefined;
      const request = await harness.choose(payload as Record<string, unknown>, { format, window: ctx.model?.contextWindow });
      save(false);
      return request;
    });
    pi.on('message_end', ({ message }) => {
      if (message.role !== 'assistant' || message.usage === undefined) return;
      const { input, output, cacheRead: read, cacheWrite: write } = message.usage;
      harness.observe({ input, output, read, write });
    });
    pi.on('session_before_compact', ({ reason }, ctx) => {
      // The user's own /compact is obeyed, and so is what helps where a request was too long after all.
      const isNeedless = reason === 'threshold' && formatOf(ctx) !== undefined && (harness.session === undefined || harness.isFitting);
      return isNeedless ? { cancel: true } : undefined;
    });
    pi.on('session_shutdown', () => save(true));
  };
}

export default palimpsest();

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const formatOf = ({ model }: Context) => (FORMATS as Partial<Record<string, (typeof FORMATS)[keyof typeof FORMATS]>>)[model?.api ?? ''];

/** The tokens that a flag says; what is no number is refused as any other wrong limit. */
function tokensOf(flag: string | boolean) {
  const [, digits, thousands] = /^([\d_.]+)(k?)$/i.exec(String(flag)) ?? [];
  return Number((digits ?? String(flag)).replaceAll('_', '')) * (thousands ? 1000 : 1);
}
