import { PROVIDERS } from './index.js';
import { systemFormats, toolFormats } from './shared/beside.js';

// What stands beside the messages of a request shows their format where the messages read the same in several.

/**
 * Returns the names of the formats that the rest of a request indicates, the likeliest first. Values of no known shape indicate nothing.
 *
 * @param request `tools` and `system` as the caller gave them, and the model's provider
 */
export function hintsOf({ tools, system, provider }: { tools?: unknown; system?: unknown; provider?: string | undefined }): string[] {
  const isOfProvider = ({ vendor, request }: (typeof PROVIDERS)[number]) => request !== undefined && vendor === provider;
  const formats = provider === undefined ? [] : PROVIDERS.filter(isOfProvider).map(({ name }) => name);
  return tools == null && system == null ? formats : [...toolFormats(tools), ...systemFormats(system), ...formats];
}
