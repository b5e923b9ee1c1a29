import { isObject } from '../checks.js';
import { fit } from '../fit/index.js';
import { getIn, setIn } from '../providers/shared/copy.js';
import { checkOwnOptions } from '../options/index.js';
import { func, switching } from '../options/kinds.js';
import { tokensAbove0 } from '../options/limits.js';
import { recall } from '../recall/index.js';
import { isOff } from '../switch.js';
import { DESCRIPTION, isRecall, NAME, NOTHING, UNKNOWN } from '../session/recall-tool.js';
import { countTokens } from '../tokens/index.js';
import { belonging, checkCall, checkOptionsGiven } from './belonging.js';
import { Guard } from './guard.js';
import { checkPeers } from './peer.js';
import { zodOf } from './zod.js';
import type { FitResult } from '../../index.js';
import type { Path } from '../types.js';
import type { Option } from '../options/shared.js';
import type { WithRecallTool } from './options.js';
import type { HookCallback, HookInput, PostToolUseHookInput } from '@anthropic-ai/claude-agent-sdk' with { 'resolution-mode': 'import' };
import type { SdkMcpToolDefinition } from '@anthropic-ai/claude-agent-sdk' with { 'resolution-mode': 'import' };

checkPeers('claude-agent-sdk');

export type { WithRecallTool };

/** Options of `shortenToolOutput`. `undefined` and `null` mean the default. */
export interface ShortenToolOutputOptions {
  /** Maximum number of tokens of an output, above 0, counted with `o200k_base`. Claude's own count may be up to 1.66 times as much. */
  limit: number;
  /** As `enabled` of `createSession`: while it is `false`, outputs stay whole. Default `true`. */
  enabled?: boolean | (() => boolean) | null | undefined;
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

const CALLER = 'shortenToolOutput()';

const OPTIONS: Record<string, Option> = {
  limit: { kind: tokensAbove0, isRequired: true },
  enabled: { kind: switching, default: true },
  onShortened: { kind: func },
  note: { kind: func },
  onError: { kind: func },
};

/**
 * Members of the built-in tools' outputs that the model is shown as text. Not of Read: the model edits by what it shows, and its lines are
 * numbered after hooks have run.
 */
const SHOWN: Map<string, string[]> = new Map([
  ['Agent', ['content']],
  ['Bash', ['stdout', 'stderr']],
  ['Grep', ['content']],
  ['PowerShell', ['stdout', 'stderr']],
  ['ReadMcpResourceTool', ['contents']],
  ['Task', ['content']],
  ['WebFetch', ['result']],
]);
/** The file of an image, which Claude Code writes beside it. */
const FILE_OF_IMAGE = /^\[Image: source: .*\]$/m;
/** Those of tools of MCP servers, of which most outputs are lists of blocks or a text. */
const SHOWN_OF_MCP = ['content'];

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
 * `recallTool()` of the hook is for `createSdkMcpServer`. It searches the outputs that this hook shortened, the newest 16 Mi UTF-16 code units of
 * them, of whichever agent: use one hook for each conversation.
 *
 * @example
 * const hook = shortenToolOutput({ limit: 2000 });
 * const server = createSdkMcpServer({ name: 'palimpsest', tools: [hook.recallTool()] });
 * // query({ prompt, options: { hooks: { PostToolUse: [{ hooks: [hook] }] }, mcpServers: { palimpsest: server } } })
 *
 * @throws {TypeError} an option is wrong
 * @throws {RangeError} `limit` is out of range
 */
export function shortenToolOutput(options: ShortenToolOutputOptions): HookCallback & WithRecallTool<SdkMcpToolDefinition<any>> {
  const own = [CALLER, 'claude-agent-sdk'] as const;
  checkOptionsGiven(own, [options]);
  const { limit, enabled, onShortened, note, onError } = checkOwnOptions(CALLER, OPTIONS, options ?? {}) as ShortenToolOutputOptions;
  const guard = new Guard(CALLER, onError as ConstructorParameters<typeof Guard>[1]);
  const outputs = new Outputs();
  const answer = async (input: HookInput) => {
    if (input?.hook_event_name !== 'PostToolUse') return {};
    outputs.meet(input.session_id);
    // What was looked up is short, and not looked up again.
    if (isRecall(input.tool_name) || isOff({ enabled }, `${CALLER}: options`)) return {};
    const cut = shorten(input, limit);
    if (cut === undefined) return {};
    const { shortened, ...messages } = cut;
    outputs.add(messages);
    await onShortened?.(shortened);
    const additionalContext = await note?.(shortened);
    return {
      hookSpecificOutput: {
        hookEventName: 'PostToolUse' as const,
        updatedToolOutput: shortened.updatedToolOutput,
        ...(typeof additionalContext === 'string' && { additionalContext }),
      },
    };
  };
  const hook = async (...given: [HookInput, ...unknown[]]) => {
    checkCall(own, given);
    return (await guard.run(() => answer(given[0]), given[0])) ?? {};
  };
  return belonging(hook, own, { recallTool: () => toolOf(outputs) });
}

/** Maximum length of the outputs that a hook remembers, in UTF-16 code units; the newest one is always remembered. */
const MAX_REMEMBERED = 2 ** 24;

/** A call and its output as messages. */
interface Remembered {
  whole: Message[];
  sent: Message[];
  units: number;
}

interface Message {
  role: string;
  content: [{ type: 'tool_use'; id: string; name: string; input: object } | Result];
}

interface Result {
  type: 'tool_result';
  tool_use_id: string;
  content: Block[];
}

/** A text of an output. */
interface Block {
  type: string;
  text: string;
}

/** The outputs that a hook shortened, as messages: as they were, and as they were sent. */
class Outputs {
  #list: Remembered[] = [];
  #units = 0;
  #conversations = new Set();

  /** @param conversation in which the hook was called */
  meet(conversation: unknown) {
    if (this.#conversations.size < 2) this.#conversations.add(conversation);
  }

  add(output: Remembered) {
    this.#list.push(output);
    this.#units += output.units;
    while (this.#units > MAX_REMEMBERED && this.#list.length > 1) this.#units -= (this.#list.shift() as Remembered).units;
  }

  /** Answers a call. It doesn't tell its conversation, so there may only be one. */
  answer(query: string) {
    if (this.#conversations.size > 1) return UNKNOWN;
    const messages = (key: 'whole' | 'sent') => this.#list.flatMap((output) => output[key]);
    return recall(messages('whole'), messages('sent'), query, { format: 'anthropic' }).text || NOTHING;
  }
}

/** The recall tool as the SDK takes it. */
function toolOf(outputs: Outputs): SdkMcpToolDefinition<any> {
  const z = zodOf('@anthropic-ai/claude-agent-sdk');
  return {
    name: NAME,
    description: DESCRIPTION.replace('this conversation', 'the outputs of tools').replace(/ Or give .*/, ''),
    inputSchema: { query: z.string() },
    handler: async ({ query }) => ({ content: [{ type: 'text', text: outputs.answer(query as string) }] }),
  };
}

/** The shortened output of a call, and both as messages; undefined if nothing of it is cut. */
function shorten(
  { tool_name: toolName, tool_input: toolInput, tool_use_id: toolUseId, tool_response: output }: PostToolUseHookInput,
  limit: number,
) {
  const paths = textPaths(toolName, output);
  if (paths.length === 0) return undefined;
  const call: Message = {
    role: 'assistant',
    content: [{ type: 'tool_use', id: toolUseId, name: toolName, input: isObject(toolInput) ? toolInput : {} }],
  };
  const blocks: Block[] = paths.map((path) => ({ type: 'text', text: getIn(output, path) }));
  const result: Message = { role: 'user', content: [{ type: 'tool_result', tool_use_id: toolUseId, content: blocks }] };
  const around = countTokens([call], { format: 'anthropic' });
  const fitted: FitResult<Message> = fit([call, result], {
    format: 'anthropic',
    limit: limit + around,
    keep: { arguments: true, patterns: [FILE_OF_IMAGE] },
  });
  const [, sent] = fitted.messages;
  if (sent === result) return undefined;
  const shortened = {
    toolUseId,
    toolName,
    toolInput,
    output,
    updatedToolOutput: written(output, paths, blocks, (sent.content[0] as Result).content),
    tokens: { before: fitted.tokens.before - around, after: fitted.tokens.after - around },
  };
  const units = blocks.reduce((sum, { text }) => sum + text.length, 0);
  return { shortened, whole: [call, result], sent: [call, sent], units };
}

/** The output with other texts at some paths; the rest is the same. */
function written(output: unknown, paths: readonly Path[], before: readonly Block[], after: readonly Block[]): unknown {
  if (after.length !== before.length) throw new Error('a text of the output is gone');
  const owned = new Set<object>();
  return paths.reduce((made, path, index) => (after[index] === before[index] ? made : setIn(made, path, after[index].text, owned)), output);
}

/** Where an output has texts that the model is shown. */
function textPaths(tool: string, output: unknown): Path[] {
  if (!isObject(output)) return pathsIn(output, []);
  // Of an output that is stored in a file the model is only shown the beginning and the name of the file.
  if (output.isImage || output.persistedOutputPath !== undefined) return [];
  const names = SHOWN.get(tool) ?? (/^mcp__/.test(tool) ? SHOWN_OF_MCP : []);
  return names.flatMap((name) => pathsIn(output[name], [name]));
}

/** What is read of a block. */
interface Shown {
  type?: unknown;
  text?: unknown;
  resource?: { text?: unknown };
}

/** The texts in a text or a list of blocks. */
function pathsIn(value: unknown, path: Path): Path[] {
  if (typeof value === 'string') return value === '' ? [] : [path];
  if (!Array.isArray(value)) return [];
  return value.flatMap((block: Shown | null | undefined, index) => {
    const isEmbedded = block?.type === 'resource';
    const { text } = (isEmbedded ? block.resource : block) ?? {};
    if (typeof text !== 'string' || text === '') return [];
    return [[...path, index, ...(isEmbedded ? ['resource'] : []), 'text']];
  });
}
