// The strict judge of each provider: what it, or the SDK before it, answers with an error.
import { PROVIDERS } from '../../providers/index.mjs';
import { Refusal } from './refusal.mjs';

/** Returns the objection to messages of a provider, or of the one whose format has the name, or null. */
export async function objectionTo(provider, messages) {
  try {
    await (PROVIDERS[provider] ?? provider).judge(messages);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}
