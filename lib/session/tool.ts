// The tools that the model may be given, in a neutral shape.

import type { Session } from '../../index.d.ts';
import type { Foreign } from '../types.js';

/** What is said of a tool, and to whom it answers nothing. */
interface Described<Parameters> {
  name: string;
  description: string;
  /** JSON schema of the arguments */
  parameters: Parameters;
  /** the answer where the conversation of a call is not known */
  unknown: string;
  /** the answer where an error would end the agent's run */
  failed: string;
}

/**
 * Returns a tool in a neutral shape.
 *
 * @param sessionOf returns the session of a call, from what the SDK passes beside the arguments
 * @param answer answers a call of the model
 */
export function neutralTool<Parameters>(
  { name, description, parameters, unknown, failed }: Described<Parameters>,
  sessionOf: (call: Foreign) => Session | undefined,
  answer: (session: Session, input: unknown) => string,
) {
  return {
    name,
    description,
    parameters: structuredClone(parameters),
    execute(input: unknown, call?: unknown) {
      try {
        const session = sessionOf(call);
        return session === undefined ? unknown : answer(session, input);
      } catch {
        return failed;
      }
    },
  };
}

/** Returns whether a name is that of a tool: some SDKs put the name of a server before it. */
export const isNamed = (own: string, name?: string) => name === own || String(name).endsWith(`__${own}`);
