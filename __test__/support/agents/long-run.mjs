// What must hold after the long agent's run through an integration, by the server's records.
import assert from 'node:assert/strict';

/** Returns a function that makes options of an integration, with `defaults`, that also collect its steps and sessions. */
export const observer = (defaults) => (options) => {
  const seen = { steps: [], sessions: new Set() };
  const onStep = (step, { session }) => {
    seen.steps.push(step);
    seen.sessions.add(session);
  };
  return { seen, options: { ...defaults, onStep, ...options } };
};

/** Number of epochs of a session. */
export const epochsOf = ({ report }) => Object.values(report.epochs).reduce((sum, count) => sum + count, 0);

/** The JSON of the conversation in a recorded request. */
export const sent = ({ body }) => JSON.stringify(body.messages ?? body.input);

/**
 * Checks that all requests of a conversation succeeded, were of one session, stayed within its limit, and that the session's report of
 * the cache agrees with the server.
 *
 * @param {{ steps: number, limit: number, isObserved?: boolean }} run number of requests, tokens that each may have, and whether the
 *   session was told the usage of each answer (default: yes)
 */
export function checkLongRun(t, provider, name, { steps, sessions }, { steps: count, limit, isObserved = true }) {
  const requests = provider.requests.filter(({ conversation }) => conversation === name);
  assert.deepEqual(
    requests.filter(({ status }) => status !== 200).map(({ error }) => error),
    [],
  );
  assert.equal(requests.length, count);
  assert.equal(sessions.size, 1, 'one conversation');
  const [session] = sessions;
  const epochs = epochsOf(session);
  const sum = provider.sum({ conversation: name });
  t.diagnostic(`${name}: ${sum.sent} tokens sent, ${(100 * sum.cachedShare).toFixed(1)}% cached, ${epochs} epochs`);
  assert.ok(epochs >= 3, `${epochs} epochs`);
  requests.forEach(({ tokens }, index) => {
    assert.ok(tokens <= limit, `request ${index}: ${tokens} tokens`);
    // OpenAI's own count of tools and messages is less than the JSON that the server counts; usage tells how much.
    const expected = steps[index].tokens.after;
    const tolerance = isObserved ? 0.05 * expected : 0.2 * expected + 500;
    if (index >= 5) assert.ok(Math.abs(tokens - expected) <= tolerance, `request ${index}: ${tokens} tokens, expected ${expected}`);
  });
  // OpenAI's cache reads whole blocks of 128 tokens.
  const { report } = session;
  const share = report.tokens.cached / report.tokens.sent;
  const blocks = (128 * requests.length) / sum.sent;
  assert.ok(sum.cachedShare <= share + 0.01 && sum.cachedShare >= share - 0.01 - blocks, `${sum.cachedShare} read, ${share} reported`);
  assert.match(sent(requests.at(-1)), /\[palimpsest:|\[…/);
}
