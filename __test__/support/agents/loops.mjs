// The agent's loop with each official client, as an application without a framework writes it.
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { agentTools } from './tools.mjs';

/** Clients that don't try again. */
export function clientsOf({ url }, headers = {}) {
  const rest = { apiKey: 'test', maxRetries: 0, defaultHeaders: headers };
  return {
    anthropic: new Anthropic({ ...rest, baseURL: url }),
    openai: new OpenAI({ ...rest, baseURL: `${url}/v1` }),
    gemini: new GoogleGenAI({ apiKey: 'test', httpOptions: { baseUrl: url, headers } }),
  };
}

/** Runs a tool; an error is a result, too. */
export function runTool(name, input) {
  try {
    return { output: agentTools.find((tool) => tool.name === name).run(input), error: false };
  } catch (error) {
    return { output: error.message, error: true };
  }
}

const SYSTEM = 'You mend programs.';
const TASK = 'Find out why the export is slow.';

/** Each gives the whole history when the model has said its last word. `request` adds to what is sent. */
export const loops = {
  async anthropic({ anthropic }, { stream = false, system = SYSTEM, task = TASK, request = {} } = {}) {
    const messages = [{ role: 'user', content: task }];
    const tools = agentTools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters }));
    for (;;) {
      const body = { model: 'claude-test', max_tokens: 2000, cache_control: { type: 'ephemeral' }, system, tools, messages, ...request };
      const answer = await (stream ? anthropic.messages.stream(body).finalMessage() : anthropic.messages.create(body));
      messages.push({ role: 'assistant', content: answer.content });
      if (answer.stop_reason === 'end_turn') return messages;
      const calls = answer.content.filter(({ type }) => type === 'tool_use');
      const content = calls.map(({ id, name, input }) => {
        const { output, error } = runTool(name, input);
        return { type: 'tool_result', tool_use_id: id, content: output, is_error: error };
      });
      messages.push({ role: 'user', content });
    }
  },

  async 'openai-chat'({ openai }, { stream = false, system = SYSTEM, task = TASK, request = {} } = {}) {
    const messages = [
      { role: 'system', content: system },
      { role: 'user', content: task },
    ];
    const tools = agentTools.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    }));
    for (;;) {
      const body = { model: 'gpt-test', messages, tools, ...request };
      const answer = await (stream
        ? openai.chat.completions.stream({ ...body, stream_options: { include_usage: true } }).finalChatCompletion()
        : openai.chat.completions.create(body));
      const { content, tool_calls: calls = [] } = answer.choices[0].message;
      const tool_calls = calls.map(({ id, type, function: { name, arguments: json } }) => ({
        id,
        type,
        function: { name, arguments: json },
      }));
      messages.push({ role: 'assistant', content, ...(calls.length > 0 && { tool_calls }) });
      if (answer.choices[0].finish_reason === 'stop') return messages;
      for (const { id, function: called } of tool_calls)
        messages.push({ role: 'tool', tool_call_id: id, content: runTool(called.name, JSON.parse(called.arguments)).output });
    }
  },

  async 'openai-responses'({ openai }, { stream = false, system = SYSTEM, task = TASK, request = {} } = {}) {
    const input = [{ role: 'user', content: task }];
    const tools = agentTools.map(({ name, description, parameters }) => ({
      type: 'function',
      name,
      description,
      parameters,
      strict: false,
    }));
    for (;;) {
      const body = { model: 'gpt-test', instructions: system, input, tools, store: false, ...request };
      let answer = await openai.responses.create({ ...body, stream });
      if (stream) for await (const event of answer) if (event.type === 'response.completed') answer = event.response;
      const { output } = answer;
      input.push(...output);
      const calls = output.filter(({ type }) => type === 'function_call');
      if (calls.length === 0) return input;
      for (const { call_id, name, arguments: json } of calls)
        input.push({ type: 'function_call_output', call_id, output: runTool(name, JSON.parse(json)).output });
    }
  },

  async gemini({ gemini }, { stream = false, system = SYSTEM, task = TASK, request = {} } = {}) {
    const contents = [{ role: 'user', parts: [{ text: task }] }];
    const functionDeclarations = agentTools.map(({ name, description, parameters }) => ({
      name,
      description,
      parametersJsonSchema: parameters,
    }));
    const config = { systemInstruction: system, tools: [{ functionDeclarations }], ...request };
    for (;;) {
      const parts = [];
      if (stream) {
        for await (const chunk of await gemini.models.generateContentStream({ model: 'gemini-test', contents, config })) {
          for (const part of chunk.candidates[0].content.parts) {
            const last = parts.at(-1);
            if (part.text !== undefined && last?.text !== undefined && last.thought === part.thought) last.text += part.text;
            else parts.push(part);
          }
        }
      } else {
        const answer = await gemini.models.generateContent({ model: 'gemini-test', contents, config });
        parts.push(...answer.candidates[0].content.parts);
      }
      contents.push({ role: 'model', parts });
      const calls = parts.filter(({ functionCall }) => functionCall);
      if (calls.length === 0) return contents;
      const results = calls.map(({ functionCall: { id, name, args } }) => {
        const { output, error } = runTool(name, args);
        return { functionResponse: { id, name, response: error ? { error: output } : { output } } };
      });
      contents.push({ role: 'user', parts: results });
    }
  },
};
