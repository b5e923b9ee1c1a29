// Written by scripts/entries.mjs: claude-agent-sdk.d.ts for ES modules.
// Types of palimpsest/claude-agent-sdk.
import type { HookCallback, PostToolUseHookInput } from '@anthropic-ai/claude-agent-sdk';
import type { SdkMcpToolDefinition } from '@anthropic-ai/claude-agent-sdk';

/** Options of `shortenToolOutput`. `undefined` and `null` mean the default. */
export interface ShortenToolOutputOptions {
  /** Maximum number of tokens of an output, above 0, counted with `o200k_base`. Claude's own count may be up to 1.66 times as much. */
  limit: number;
  /**
   * Called with each output that was shortened, before the model sees it, to keep the whole output; a promise is waited for. If it fails, the
   * output stays whole. Default none.
   */
  onShortened?: ((shortened: ShortenedOutput) => void | Promise<void>) | null | undefined;
  /**
   * Returns a text for the model that follows the output, such as how to recall the rest; a promise is waited for. Default none.
   */
  note?: ((shortened: ShortenedOutput) => string | null | undefined | Promise<string | null | undefined>) | null | undefined;
  /**
   * Called with each failure; the output then stays whole. The hook rejects with errors that it throws. Default none: the process emits one
   * warning with the code `PALIMPSEST_PASSED_THROUGH`.
   */
  onError?: ((error: unknown, context: { params: PostToolUseHookInput }) => void | Promise<void>) | null | undefined;
}

/** The output of a tool that was shortened. */
export interface ShortenedOutput {
  /** Id of the call, as the transcript has it: the key to keep the output by. */
  toolUseId: string;
  toolName: string;
  toolInput: unknown;
  /** The whole output, as the tool gave it. */
  output: unknown;
  /** The output that the model gets, in the same shape. */
  updatedToolOutput: unknown;
  /** Tokens of the texts in the output. */
  tokens: { before: number; after: number };
}

/**
 * Creates a `PostToolUse` hook that shortens the output of a tool before the model sees it for the first time, so that no cached prefix breaks. The
 * texts in it are cut as by `fit`, with marks in place of the gaps; lines related to the call are worth more. The shape of the output
 * stays, because Claude Code refuses others.
 *
 * Shortened are texts and blocks of MCP tools, `stdout` and `stderr` of Bash and PowerShell, `content` of Grep, `result` of WebFetch, the
 * texts of agents, and resources. Not shortened are Read, whose lines are numbered afterwards and which has `offset` and `limit`, images,
 * outputs that Claude Code has put into a file, and other built-in tools.
 *
 * The SDK lets nobody edit the history: what the model has seen stays until Claude Code compacts the conversation.
 *
 * @throws {TypeError} an option is wrong
 * @throws {RangeError} `limit` is out of range
 */
export function shortenToolOutput(options: ShortenToolOutputOptions): HookCallback;

/**
 * Creates the tool with which the model looks up what a hook cut, for `createSdkMcpServer`. It searches the outputs that this hook shortened, the
 * newest 16 Mi UTF-16 code units of them, of whichever agent: use one hook for each conversation.
 *
 * @example
 * const hook = shortenToolOutput({ limit: 2000 });
 * const server = createSdkMcpServer({ name: 'palimpsest', tools: [recallTool(hook)] });
 * // query({ prompt, options: { hooks: { PostToolUse: [{ hooks: [hook] }] }, mcpServers: { palimpsest: server } } })
 *
 * @throws {TypeError} `hook` is not a hook of `shortenToolOutput`
 */
export function recallTool(hook: HookCallback): SdkMcpToolDefinition<any>;
