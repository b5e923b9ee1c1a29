// What the models behind LangChain refuse of its messages: their own blocks as the provider does, LangChain's as the chat model that sends them.
import { refuse } from './refusal.mjs';

const isReasoning = ({ type }) => /^(thinking|redacted_thinking|reasoning|reasoning_content)$/.test(type);
const isHostedCall = ({ type }) => type === 'server_tool_call' || type === 'server_tool_use' || type === 'mcp_tool_use';
const answeredBy = ({ type, tool_use_id: id, toolCallId }) =>
  /_tool_result$|^server_tool_call_result$/.test(type) ? (id ?? toolCallId) : undefined;

const isCompaction = ({ type, value, content } = {}) => (type === 'non_standard' ? isCompaction(value) : type === 'compaction' && content);

export function answerLangchain({ messages }) {
  if (messages.length === 0) refuse('messages: at least one message is required');
  let waiting = [];
  const hosted = [];
  messages.forEach((message, i) => {
    const { type, content, tool_calls: calls = [], tool_call_id: id } = message;
    const blocks = Array.isArray(content) ? content : [];
    if (typeof content !== 'string' && !Array.isArray(content)) refuse(`messages[${i}]: no content`);
    if (content.length === 0 && calls.length === 0 && type !== 'tool') refuse(`messages[${i}]: no content`);
    // Bedrock refuses a message that begins with a cachePoint.
    if (blocks[0]?.cachePoint) refuse(`messages[${i}]: no content before a cachePoint`);
    if (type === 'tool') {
      if (!waiting.includes(id)) refuse(`messages[${i}]: a result without its call ${id}`);
      waiting = waiting.filter((one) => one !== id);
      return;
    }
    if (waiting.length > 0) refuse(`messages[${i}]: calls without results: ${waiting}`);
    if (type === 'human' && hosted.length > 0) refuse(`messages[${i}]: a tool of the provider without its result: ${hosted}`);
    waiting = calls.map((call) => call.id);
    if (type === 'ai' && blocks.length > 0 && calls.length === 0 && isReasoning(blocks.findLast((block) => !block.cachePoint)))
      refuse(`messages[${i}]: the final block in an assistant message cannot be \`thinking\``);
    // A model's own message has its calls a second time: in blocks of Anthropic's, or as the API of OpenAI gave them.
    const raw = message.additional_kwargs?.tool_calls?.map((call) => ({ id: call.id, input: JSON.parse(call.function.arguments) }));
    for (const copies of [blocks.filter((block) => block.type === 'tool_use' && block.input !== undefined), raw ?? []]) {
      for (const { id: twice, input } of copies) {
        const { args } = calls.find((call) => call.id === twice) ?? {};
        if (JSON.stringify(args) !== JSON.stringify(input)) refuse(`messages[${i}]: a call that stands twice differs`);
      }
    }
    for (const block of blocks) {
      if (/^(tool_use|tool_call)$/.test(block.type) && !waiting.includes(block.id))
        refuse(`messages[${i}]: a block of a call that is not in tool_calls`);
      if (isHostedCall(block)) hosted.push(block.id);
      const answered = answeredBy(block);
      if (answered === undefined) continue;
      if (!hosted.includes(answered)) refuse(`messages[${i}]: a result of the provider without its call ${answered}`);
      hosted.splice(hosted.indexOf(answered), 1);
    }
  });
  if (waiting.length > 0) refuse(`calls without results: ${waiting}`);
  if (hosted.length > 0) refuse(`a tool of the provider without its result: ${hosted}`);
  const first = messages.find(({ type }) => type !== 'system' && type !== 'developer');
  if (first?.type !== 'human' && !isCompaction(first?.content[0])) refuse('messages: first message must use the "user" role');
}
