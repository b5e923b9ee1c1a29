/** The provider by whose rules the messages of a format are counted: OpenAI's where they may go to any provider. */
export const providerOf = (format: string): 'openai' | 'anthropic' | 'gemini' =>
  format === 'anthropic' || format === 'gemini' ? format : 'openai';
