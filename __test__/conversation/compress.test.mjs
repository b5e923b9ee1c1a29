// D12: conversationFlow, semanticClustering, coreference and discourseAware lose, repeat and reorder nothing, cut nothing that
// has to stay whole, and grow with no pass.
import assert from 'node:assert/strict';
import test, { describe } from 'node:test';

import { compress, uncompress } from 'palimpsest';

import { clusterMessages } from 'palimpsest/compress';

const BOTH = { conversationFlow: true, semanticClustering: true };

const QUESTION = 'Which part of the export job do we look at first to find the delay, given that the crew restarted the scheduler twice?';
const ANSWER =
  'The slowest part is the label stage, since it waits on a printer that times out. Start there and measure how long each label takes before you touch the rest.';
const STATEMENT =
  'The warehouse crew told us that the pallet export has been late since the weekend and that nobody in the office saw it until the morning talk began.';

/** Messages of these contents: the user's, then the assistant's, unless a part says otherwise. */
const conversation = (...parts) =>
  parts.map((part, index) => ({
    id: `m${index}`,
    index,
    role: index % 2 ? 'assistant' : 'user',
    content: part,
    ...(part.content && part),
  }));

const lengthOf = ({ content }) => (typeof content === 'string' ? content.length : 0);
const total = (messages) => messages.reduce((sum, message) => sum + lengthOf(message), 0);

/** Compresses, and checks that all comes back in order, and that no message is longer than what it stands for. */
function roundTrip(messages, options) {
  const result = compress(messages, { trace: true, ...options });
  checkRoundTrip(messages, result);
  return result;
}

function checkRoundTrip(messages, result) {
  const written = result.messages.filter((message) => !messages.includes(message));
  assert.deepEqual(uncompress(written, result.verbatim).missing_ids, []);
  const restored = uncompress(result.messages, result.verbatim).messages;
  assert.equal(restored.length, messages.length);
  restored.forEach((message, index) => assert.equal(message, messages[index]));
  let next = 0;
  for (const message of result.messages) {
    const count = message === messages[next] ? 1 : message.metadata._cce_original.ids.length;
    assert.ok(lengthOf(message) <= total(messages.slice(next, next + count)));
    // What the trace says of a message is what became of it; forced truncation has a test of its own.
    const decisions = result.compression.decisions?.slice(next, next + count) ?? [];
    if (!decisions.some(({ action }) => action === 'truncated')) {
      for (const { outputChars } of decisions) assert.equal(outputChars, Math.round(lengthOf(message) / count));
    }
    next += count;
  }
  assert.equal(next, messages.length);
}

const reasons = ({ compression }) => compression.decisions.map(({ reason }) => reason);

describe('conversationFlow', () => {
  test('one summary stands for a question, its answer and the thanks', () => {
    const messages = conversation(QUESTION, ANSWER, 'Thanks, will do that');
    const { messages: output } = roundTrip(messages, { recencyWindow: 0, conversationFlow: true });
    assert.deepEqual(
      output.map(({ content }) => content),
      [`[summary: Q: ${QUESTION.slice(0, 77)}... → A: ${ANSWER.slice(0, 117)}... (confirmed) (3 messages, qa)]`],
    );
  });

  test('a group before a chain does not swallow its first message', () => {
    const messages = conversation(STATEMENT, { role: 'user', content: QUESTION }, { role: 'assistant', content: ANSWER });
    const result = roundTrip(messages, { recencyWindow: 0, conversationFlow: true });
    assert.deepEqual(reasons(result).slice(1), ['flow:qa', 'flow:qa']);
  });

  test('messages that something stands between are not joined, and a confirmation that comes later stays out', () => {
    const between = { role: 'tool', content: 'queue drained ok' };
    const apart = conversation(QUESTION, between, { role: 'assistant', content: ANSWER });
    assert.deepEqual(
      reasons(roundTrip(apart, { recencyWindow: 0, conversationFlow: true })).filter((reason) => reason.startsWith('flow')),
      [],
    );
    const late = conversation(QUESTION, ANSWER, between, { role: 'user', content: 'Thanks, will do that' });
    const result = roundTrip(late, { recencyWindow: 0, conversationFlow: true });
    assert.deepEqual(reasons(result), ['flow:qa', 'flow:qa', 'short_content', 'short_content']);
    assert.match(result.messages[0].content, /[^)] \(2 messages, qa\)\]$/);
  });

  test('a window below zero is none', () => {
    const messages = conversation(QUESTION, ANSWER);
    assert.deepEqual(reasons(roundTrip(messages, { recencyWindow: -2, conversationFlow: true })), ['flow:qa', 'flow:qa']);
  });

  test('recent messages stay', () => {
    const messages = conversation(QUESTION, ANSWER);
    assert.deepEqual(roundTrip(messages, { recencyWindow: 1, conversationFlow: true }).messages[1], messages[1]);
  });
});

describe('what has to stay whole is never cut', () => {
  const key = 'sk-abcdefghij0123456789KLMN';
  const whole = {
    'a key in a long text': `${ANSWER} The key for it is ${key} until the end of the season.`,
    'a key in a text that is short anyway': `It is ${key}, as I have told you.`,
    SQL: `${ANSWER} SELECT fee FROM yachts WHERE size = 1 ORDER BY fee is the query that shows it.`,
    JSON: JSON.stringify({ stage: 'label', printers: [1, 2, 3], note: ANSWER, again: STATEMENT }),
    'short JSON': '{"printer": "north", "labels": 12, "late": true, "crew": "night"}',
    'code in a fence': '```js\nconst stage = "label";\nconst late = true;\n```',
  };
  for (const [name, content] of Object.entries(whole)) {
    for (const options of [{}, { observationThreshold: 1e6 }, { tokenBudget: 10 }]) {
      test(`${name}, ${JSON.stringify(options)}`, () => {
        const messages = conversation(QUESTION, content, `Thanks, will do that. ${ANSWER}`, ANSWER, QUESTION);
        const { messages: output } = roundTrip(messages, { recencyWindow: 0, clusterThreshold: 0, ...BOTH, ...options });
        assert.ok(output.includes(messages[1]), JSON.stringify(output));
      });
    }
  }

  test('not even where the classifier alone decides, or the message is large', async () => {
    const messages = conversation(QUESTION, `It is ${key}, as I have told you.`, ANSWER, QUESTION);
    const classifier = () => ({ decision: 'compress', confidence: 1, reason: '' });
    for (const options of [{ classifier, classifierMode: 'full' }, { observationThreshold: 5 }]) {
      const result = await compress(messages, { recencyWindow: 0, clusterThreshold: 0, trace: true, ...BOTH, ...options });
      checkRoundTrip(messages, result);
      assert.ok(reasons(result).every((reason, index) => index !== 1 || !/^(flow|cluster)/.test(reason)));
    }
  });

  test('messages kept by a pattern or the classifier, and answers to tool calls', async () => {
    const messages = conversation(QUESTION, ANSWER, STATEMENT, 'It is done, and the label stage is fast.');
    const options = { recencyWindow: 0, clusterThreshold: 0, ...BOTH };
    const kept = roundTrip(messages, { ...options, preservePatterns: [{ re: /label stage/, label: 'stage' }] });
    assert.ok(kept.messages.includes(messages[1]) && kept.messages.includes(messages[3]));
    const classifier = (text) => ({ decision: text === ANSWER ? 'preserve' : 'compress', confidence: 1, reason: '' });
    assert.ok((await compress(messages, { ...options, classifier })).messages.includes(messages[1]));
    const tool = messages.map((message) => ({ ...message, tool_call_id: 'c1' }));
    assert.equal(roundTrip(tool, options).messages.length, 4);
  });
});

describe('semanticClustering', () => {
  const about = (topic) =>
    `The ${topic} compressor leaks oil onto the lighthouse floor each night, and the ${topic} seal is worn since the spring of last year.`;
  const messages = [
    ...conversation(about('fogHorn'), about('fogHorn').replace('leaks', 'loses')),
    ...conversation(
      'Bread prices rose again at the market hall by nine percent this week, and flour prices will follow them in the next.',
      STATEMENT,
    ),
  ].map((message, index) => ({ ...message, id: `m${index}`, role: 'user' }));

  test('one summary stands for neighbours about the same thing', () => {
    const result = roundTrip(messages, { recencyWindow: 0, semanticClustering: true });
    const [cluster] = clusterMessages(messages, [0, 1, 2, 3]);
    assert.deepEqual(reasons(result).slice(0, 2), Array(2).fill(`cluster:${cluster.label}`));
    assert.equal(cluster.label, 'fogHorn');
    assert.equal(
      result.messages[0].content,
      `[summary: [fogHorn] ${about('fogHorn').slice(0, 97)}... → ${messages[1].content.slice(0, 97)}... (2 messages)]`,
    );
  });

  test('not below the threshold, and not what belongs to a chain', () => {
    assert.ok(
      !reasons(roundTrip(messages, { recencyWindow: 0, semanticClustering: true, clusterThreshold: 1.01 })).some((reason) =>
        reason.startsWith('cluster'),
      ),
    );
    const asked = [{ ...messages[0], content: `${messages[0].content} Why?` }, { ...messages[1], role: 'assistant' }, ...messages.slice(2)];
    assert.deepEqual(reasons(roundTrip(asked, { recencyWindow: 0, ...BOTH })).slice(0, 2), ['flow:qa', 'flow:qa']);
  });

  test('of a long conversation the last 200 messages before the window are compared', () => {
    const long = Array.from({ length: 400 }, (_, index) => ({
      id: `m${index}`,
      index,
      role: index % 2 ? 'user' : 'assistant',
      content: `${about('fogHorn')} Number ${index}.`,
    }));
    const found = reasons(roundTrip(long, { recencyWindow: 10, semanticClustering: true, clusterThreshold: 0 }));
    assert.deepEqual(
      found.map((reason) => reason.startsWith('cluster')),
      long.map((_, index) => index >= 190 && index < 390),
    );
  });
});

describe('coreference', () => {
  const definition = 'The parcelRouter keeps a table of depots and of the price of each, by night.';
  const filler =
    'However, the harbour must never close before the TokenStream is read, therefore the crew of 3 workers always waits 30 seconds.';
  const source = [
    definition,
    filler,
    filler.replace('harbour', 'quay'),
    filler.replace('harbour', 'pier'),
    filler.replace('harbour', 'market'),
  ].join(' ');
  const asking = (name) =>
    conversation({ role: 'assistant', content: source }, 'Fine.', { role: 'user', content: `Does ${name} still pick the old depot?` });

  test('a summary says what it lacks and a message that stays uses, inside of its brackets', () => {
    const plain = compress(asking('parcelRouter'), { recencyWindow: 1 }).messages[0].content;
    assert.ok(!plain.split(' | entities: ')[0].includes('parcelRouter'), plain);
    const { messages } = roundTrip(asking('parcelRouter'), { recencyWindow: 1, coreference: true });
    assert.equal(messages[0].content, plain.replace('[summary: ', `[summary: [context: ${definition}] `));
    const named = roundTrip(asking('parcelRouter'), { recencyWindow: 1, coreference: true, embedSummaryId: true }).messages[0];
    assert.ok(named.content.startsWith(`[summary#${named.metadata._cce_original.summary_id}: [context: ${definition}] `), named.content);
  });

  test('not what it has, nor what nobody uses, nor what is compressed itself', () => {
    for (const [name, window] of [
      ['TokenStream', 1],
      ['nobody', 1],
      ['parcelRouter', 0],
    ]) {
      const messages = asking(name);
      if (window === 0) messages[2].content += ` ${STATEMENT} ${ANSWER} ${QUESTION}`;
      assert.deepEqual(
        roundTrip(messages, { recencyWindow: window, coreference: true }).messages,
        compress(messages, { recencyWindow: window }).messages,
      );
    }
  });

  test('nothing grows, pass by pass', () => {
    let { messages } = compress(asking('parcelRouter'), { recencyWindow: 1, coreference: true });
    for (let pass = 0; pass < 5; pass++) {
      const next = roundTrip(messages, { recencyWindow: 1, coreference: true }).messages;
      assert.deepEqual(next, messages);
      messages = next;
    }
  });

  test('content that is no string has no names', () => {
    const messages = [{ id: 'p', index: 0, role: 'user', content: [{ type: 'text', text: 'parcelRouter' }] }, ...asking('parcelRouter')];
    assert.match(roundTrip(messages, { recencyWindow: 1, coreference: true, semanticClustering: true }).messages[1].content, /\[context: /);
  });
});
