import { openai } from '@ai-sdk/openai';
import { generateText, stepCountIs, tool } from 'ai';
import { prepareStep } from 'palimpsest/ai-sdk';
import { z } from 'zod';

const tools = { now: tool({ inputSchema: z.object({}), execute: () => new Date().toISOString() }) };
const choose = prepareStep({ model: 'gpt-5.5', tools });
const prompt = 'What time is it?';
const { text } = await generateText({ model: openai('gpt-5.5'), tools, prompt, stopWhen: stepCountIs(50), prepareStep: choose });
console.log(text);
