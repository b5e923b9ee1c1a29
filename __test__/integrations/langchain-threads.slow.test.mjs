// The middleware of palimpsest/langchain called as a graph does, in any order of threads, branches and retries.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from 'langchain';
import fc from 'fast-check';
import { createSession } from 'palimpsest';
import { palimpsestMiddleware } from 'palimpsest/langchain';
import { cases, IS_WHOLE } from '../support/seed.mjs';

const OPTIONS = { limit: 1_500, now: () => 0 };
const systemMessage = new SystemMessage('You repair programs.');
const usage = (messages) => ({ input_tokens: 50 + JSON.stringify(messages).length, output_tokens: 5, total_tokens: 0 });
const onlyTexts = (messages) => messages.map((message) => [message.id, message.getType(), message.content, message.tool_calls]);

/** Another session for each request, read from its saved state: what the middleware saves itself for live sessions. */
function expected(messages, saved) {
  const session = createSession({ ...OPTIONS, format: 'langchain', system: systemMessage, tools: [] }, saved);
  const step = session.next(messages);
  session.observe(usage(step.messages));
  return { sent: onlyTexts(step.messages), requests: session.report.requests, saved: session.toJSON() };
}

/** A call and its long result, said in one of several ways. */
function answered(messages, way) {
  const id = `${messages.length}-${way}`;
  const content = Array.from({ length: 30 }, (_, line) => `line ${line} of ${id} holds ${(way * 7919 + line * 104_729) % 9973}`).join('\n');
  return [
    ...messages,
    new AIMessage({ id: `a${id}`, content: '', tool_calls: [{ id: `c${id}`, name: 'read', args: { path: `${id}.ts` } }] }),
    new ToolMessage({ id: `t${id}`, content, tool_call_id: `c${id}`, name: 'read' }),
  ];
}

const threads = fc.array(
  fc.record({
    // Threads that go on at the same time, counted from the latest.
    places: fc.uniqueArray(fc.nat(4), { minLength: 1, maxLength: 3 }),
    // How often another middleware asks.
    times: fc.integer({ min: 1, max: 2 }),
    // Whether a checkpointer wrote and read the state since.
    isRead: fc.boolean(),
    way: fc.nat(2),
    // Whether the thread goes on from here as well.
    isBranch: fc.boolean(),
  }),
  { maxLength: 25 },
);

test('each request is what a session read from the state of its thread sends', async () => {
  const start = () => ({ messages: [new HumanMessage({ id: 'h', content: 'Repair it.' })], saved: undefined });
  let epochs = 0;
  await fc.assert(
    fc.asyncProperty(threads, async (rounds) => {
      const fail = (error) => {
        throw error;
      };
      const { wrapModelCall } = palimpsestMiddleware({
        ...OPTIONS,
        explainMarks: false,
        onError: fail,
        onStep: ({ epoch }) => void (epoch && epochs++),
      });
      const all = [start(), start(), start()];
      const ask = async ({ messages, saved }) => {
        let sent;
        const request = {
          model: {},
          messages,
          tools: [],
          systemMessage,
          systemPrompt: systemMessage.text,
          state: { messages, _palimpsest: saved },
        };
        const command = await wrapModelCall(request, async (changed) => {
          sent = changed.messages;
          return new AIMessage({ content: 'ok', usage_metadata: usage(sent) });
        });
        const { _palimpsest: state } = command.update;
        return { sent: onlyTexts(sent), requests: state.ledger.requests, saved: state };
      };
      for (const { places, times, isRead, way, isBranch } of rounds) {
        const going = [...new Set(places.map((place) => all.at(-1 - (place % all.length))))];
        const answers = await Promise.all(
          going.map(async (one) => {
            const own = isRead && one.saved ? { ...one, saved: JSON.parse(JSON.stringify(one.saved)) } : one;
            for (let time = 1; time < times; time++) await ask(own);
            return { one, got: await ask(own), wanted: expected(one.messages, one.saved) };
          }),
        );
        for (const { one, got, wanted } of answers) {
          assert.deepEqual(got.sent, wanted.sent);
          assert.ok(got.requests >= wanted.requests && got.requests <= wanted.requests + times - 1);
          const next = { messages: answered(one.messages, way), saved: got.saved };
          if (isBranch || all.length < 3) all.push(next);
          else all[all.indexOf(one)] = next;
        }
      }
    }),
    { numRuns: cases(60) },
  );
  if (IS_WHOLE) assert.ok(epochs > 20, `${epochs} epochs`);
});
