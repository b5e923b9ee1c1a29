import { isObject } from '../../checks.js';
// Anthropic messages. Consecutive messages of one role are one turn: the API joins them first. What is before a compaction, it ignores.

import { compactionIn, compactionOf } from '../shared/compaction.js';
import { MOST } from './breakpoints.js';
import { checkBlock, isBlank, isServerResult } from './block-rules.js';
import { Pairs } from '../shared/pairs.js';
import { isText, show } from '../shared/shapes.js';
import type { Block } from './block-rules.js';
import type { Fields } from '../shared/shapes.js';
import type { Path } from '../../types.js';
import type { Problems } from '../shared/problems.js';

// `system` among the messages is for instructions in the middle of a conversation.
const ROLES = new Set<unknown>(['user', 'assistant', 'system']);
const DEEPEST = 3; // a text in a search_result in a tool_result

type Message = { role?: unknown } | null | undefined;

interface Place {
  path: Path;
  turn: number;
}

/** The calls of tools that run at the provider. Their results follow in an assistant turn, the same or a later one. */
class ServerTools {
  #problems;
  #open: Map<unknown, Place> = new Map(); // by id
  #seen = new Set();

  constructor(problems: Problems) {
    this.#problems = problems;
  }

  read(block: Block, path: Path, turn: number) {
    if (block.type === 'server_tool_use' || block.type === 'mcp_tool_use') {
      if (this.#seen.has(block.id)) return this.#problems.add('duplicate-tool-call', path, `a second call has the id ${show(block.id)}`);
      this.#open.set(block.id, { path, turn });
      this.#seen.add(block.id);
    } else if (isServerResult(block.type)) {
      this.#open.delete(block.tool_use_id);
      if (this.#seen.has(block.tool_use_id)) return;
      this.#problems.add('server-result-without-call', path, `no server tool call before it has the id ${show(block.tool_use_id)}`);
    }
  }

  /** The calls of the turn `running` may still be at work. */
  close(running: number) {
    for (const [id, { path, turn }] of this.#open) {
      if (turn !== running) this.#problems.add('server-call-without-result', path, `no result follows the server tool call ${show(id)}`);
    }
  }
}

class Conversation {
  #problems;
  #isCompacted;
  #pairs;
  #ids = new Set();
  #server;
  #turn = 0;
  #role: unknown;
  #lastBlock: { type: string; path: Path } | undefined; // of the present turn
  #hasCalled = false; // whether the present turn holds a call
  #otherBlock = false; // whether the present user turn holds anything but results
  #cacheControls = 0;
  #isShort = false; // whether a breakpoint was there that lasts five minutes

  /** @param isCompacted whether it begins with a compaction */
  constructor(problems: Problems, isCompacted: boolean) {
    this.#isCompacted = isCompacted;
    this.#problems = problems;
    this.#pairs = new Pairs(problems);
    this.#server = new ServerTools(problems);
  }

  /** A message that speaks; the messages of the role `system` belong to no turn. */
  speak(role: unknown, index: number) {
    if (role === this.#role) return;
    if (this.#role === undefined && role !== 'user' && !this.#isCompacted) {
      this.#problems.add('first-message', [index], 'the first message is not of the role user');
    }
    this.#endTurn();
    // A call can only be answered in the next user turn; the calls of an assistant turn wait for the turn that starts now.
    if (role === 'assistant') this.#pairs.close('tool-call-without-result');
    this.#role = role;
    this.#turn++;
    this.#otherBlock = false;
    this.#hasCalled = false;
  }

  text(path: Path) {
    this.#afterCall(path);
    this.#lastBlock = { type: 'text', path };
    this.#otherBlock = true;
  }

  block(block: unknown, role: unknown, path: Path) {
    this.#countCacheControls(block, path);
    if (!checkBlock(block, role, path, this.#problems) || role === 'system') return;
    if (block.type === 'text') this.#afterCall(path);
    this.#lastBlock = { type: block.type, path };
    this.#server.read(block, path, this.#turn);
    if (block.type === 'tool_use') this.#call(block, path);
    else if (block.type !== 'tool_result') this.#otherBlock = true;
    else if (isText(block.tool_use_id) && this.#pairs.answer(block.tool_use_id, path) && this.#otherBlock) {
      this.#problems.add('tool-result-placement', path, `the result of ${show(block.tool_use_id)} stands behind other content`);
    }
  }

  /** A text. */
  #afterCall(path: Path) {
    if (this.#hasCalled) this.#problems.add('text-after-call', path, 'a text stands behind a tool_use of its turn');
  }

  #call(block: Fields, path: Path) {
    this.#hasCalled = true;
    if (!isText(block.id)) return;
    if (this.#ids.has(block.id)) return this.#problems.add('duplicate-tool-call', path, `a second call has the id ${show(block.id)}`);
    this.#ids.add(block.id);
    this.#pairs.call(block.id, path);
  }

  #countCacheControls(block: unknown, path: Path, depth: number = 1) {
    if (!isObject(block)) return;
    if (block.cache_control != null) {
      if (++this.#cacheControls > MOST)
        this.#problems.add('too-many-cache-controls', path, `this is cache_control number ${this.#cacheControls}`);
      const isLong = (block.cache_control as { ttl?: unknown }).ttl === '1h';
      if (isLong && this.#isShort) this.#problems.add('cache-control-order', path, 'a cache_control of five minutes stands before it');
      this.#isShort ||= !isLong;
    }
    if (depth === DEEPEST || !Array.isArray(block.content)) return;
    block.content.forEach((inner: unknown, index) => this.#countCacheControls(inner, [...path, 'content', index], depth + 1));
  }

  #endTurn() {
    const last = this.#lastBlock;
    if (this.#role === 'assistant' && last !== undefined && /thinking$/.test(last.type)) {
      this.#problems.add('thinking-at-end', last.path, 'nothing follows the thinking in this turn');
    }
    this.#lastBlock = undefined;
  }

  close() {
    this.#endTurn();
    this.#pairs.close(this.#role === 'assistant' ? 'tool-call-at-end' : 'tool-call-without-result');
    // The provider's tool may have paused the turn (`pause_turn`), or wait for the results of calls that its code made.
    this.#server.close(this.#role === 'user' && !this.#otherBlock ? this.#turn - 1 : this.#turn);
  }
}

/** Checks the answer to continue: the API refuses one that ends in white space. */
function checkLastText(text: unknown, path: Path, problems: Problems) {
  if (typeof text === 'string' && !isBlank(text) && /\s$/.test(text))
    problems.add('trailing-blank', path, 'the last assistant message ends in a blank');
}

function checkContent(message: Fields, index: number, isLast: boolean, conversation: Conversation, problems: Problems) {
  const { role, content } = message;
  const path = [index, 'content'];
  const mayBeEmpty = isLast && role === 'assistant';
  if (typeof content === 'string') {
    if (content === '' && !mayBeEmpty) problems.add('empty-content', path, 'the message has no content');
    else if (content !== '' && isBlank(content)) problems.add('empty-text', path, 'the text holds nothing but blanks');
    if (role !== 'system') conversation.text(path);
    if (mayBeEmpty) checkLastText(content, path, problems);
  } else if (!Array.isArray(content)) {
    problems.add('content-shape', path, `content has to be a string or an array of blocks, not ${show(content)}`);
  } else {
    if (content.length === 0 && !mayBeEmpty) problems.add('empty-content', path, 'the message has no content');
    const first = content.findLastIndex((block: Fields | null) => compactionOf(block) !== undefined);
    for (let at = Math.max(0, first); at < content.length; at++) conversation.block(content[at], role, [...path, at]);
    const last: Fields | null | undefined = content.at(-1);
    if (mayBeEmpty && last?.type === 'text') checkLastText(last.text, [...path, content.length - 1], problems);
  }
}

/** Checks what stands before and behind a message of the role `system`. Of two in a row, the second one is wrong. */
function checkPlace(messages: readonly Message[], index: number, problems: Problems) {
  const [before, after] = [messages[index - 1]?.role, messages[index + 1]?.role];
  if (before !== 'user') {
    const what =
      before === undefined ? 'nothing stands before the system message' : `the system message follows one of the role ${show(before)}`;
    problems.add('system-placement', [index], what);
  } else if (after === 'user') problems.add('system-placement', [index], 'a message of the role user follows the system message');
}

export function check(messages: readonly Message[], problems: Problems) {
  const newest = messages.findLastIndex((message) => isObject(message) && compactionIn(message) !== undefined);
  const conversation = new Conversation(problems, newest >= 0);
  const areAllSystem = messages.every((message) => message?.role === 'system');
  if (areAllSystem) problems.add('first-message', [0], 'no message is of the role user');
  for (const [index, message] of problems.objects(messages)) {
    if (index < newest) continue;
    if (!ROLES.has(message.role)) problems.add('unknown-role', [index, 'role'], `there is no role ${show(message.role)}`);
    else {
      if (message.role !== 'system') conversation.speak(message.role, index);
      else if (!areAllSystem) checkPlace(messages, index, problems);
      checkContent(message, index, index === messages.length - 1, conversation, problems);
    }
  }
  conversation.close();
}
