import { createOpenAI } from '@ai-sdk/openai';
import * as ai from 'ai';
import { palimpsestMiddleware, prepareStep } from 'palimpsest/ai-sdk';
import { contentOf, MODEL, PARAMETERS, PROMPT, READ, systemOf, TURNS } from './common.mjs';

const { generateText, jsonSchema, tool, wrapLanguageModel } = ai;
async function streamText(request) {
  const result = ai.streamText(request);
  await result.consumeStream();
  return result;
}
const modelOf = (url) => createOpenAI({ apiKey: 'test', baseURL: `${url}/v1` }).chat(MODEL);
const read = tool({ description: READ, inputSchema: jsonSchema(PARAMETERS), execute: ({ path }) => contentOf(path) });
/** Names changed in version 7. */
const isNew = ai.isStepCount !== undefined;
const settings = (name) => ({
  [isNew ? 'instructions' : 'system']: systemOf(name),
  prompt: PROMPT,
  stopWhen: (ai.isStepCount ?? ai.stepCountIs)(TURNS),
  maxRetries: 0,
});
const said = async (result) => (isNew ? await result.responseMessages : (await result.response).messages);

const middled =
  (run) =>
  async ({ url, name, options }) => {
    const middleware = palimpsestMiddleware(options);
    const model = wrapLanguageModel({ model: modelOf(url), middleware });
    return said(await run({ ...settings(name), model, tools: { read, recall: middleware.recallTool() } }));
  };
const prepared =
  (run) =>
  async ({ url, name, options }) => {
    const choose = prepareStep(options);
    return said(await run({ ...settings(name), model: modelOf(url), tools: { read, recall: choose.recallTool() }, prepareStep: choose }));
  };

export const ways = {
  'middleware, generateText': middled(generateText),
  'middleware, streamText': middled(streamText),
  'prepareStep, generateText': prepared(generateText),
  'prepareStep, streamText': prepared(streamText),
};
