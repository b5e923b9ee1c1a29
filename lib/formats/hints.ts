import { systemFormats, toolFormats } from './beside.js';

// What stands beside the messages of a request shows their format where the messages read the same in several.

const PROVIDER_FORMATS = { openai: ['openai-chat', 'openai-responses'], anthropic: ['anthropic'], gemini: ['gemini'] };

/**
 * Returns the names of the formats that the rest of a request indicates, the likeliest first. Values of no known shape indicate nothing.
 *
 * @param request `tools` and `system` as the caller gave them, and the model's provider
 */
export function hintsOf({ tools, system, provider }: { tools?: unknown; system?: unknown; provider?: string | undefined }): string[] {
  const formats = (PROVIDER_FORMATS as Record<string, string[]>)[provider ?? ''] ?? [];
  return tools == null && system == null ? formats : [...toolFormats(tools), ...systemFormats(system), ...formats];
}
