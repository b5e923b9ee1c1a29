// What frameworks keep in messages beside what is sent: ids, dates, metadata and usage come, go and change between requests. They are no edit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { convertMessagesToCompletionsMessageParams, convertMessagesToResponsesInput } from '@langchain/openai';
import { convertToModelMessages } from 'ai';
import fc from 'fast-check';
import { countTokens, createSession, fit, restore } from 'palimpsest';
import { dialogue, FORMATS, sayIn } from '../support/transcripts.mjs';
import { cases, IS_WHOLE, someOf } from '../support/seed.mjs';

const EVERYWHERE = ['createdAt', 'created_at', 'updatedAt', 'updated_at', 'timestamp', 'metadata', 'usage'];
/** Members of a message that are not sent, by format. The ids of items are: of the Responses API and of OpenAI's Agents SDK. */
const IN_MESSAGES = {
  'openai-chat': ['id'],
  'openai-responses': [],
  'openai-agents': [],
  anthropic: ['id'],
  'ai-sdk-model': ['id'],
  'ai-sdk-ui': ['id'],
  gemini: ['id'],
  langchain: ['id', 'response_metadata', 'usage_metadata'],
  mastra: ['id', 'threadId', 'resourceId'],
  'ag-ui': ['id'],
  message: ['id'],
};
/** Parts of which the metadata is not sent, but by LangChain, which sends what it does not know. */
const PLAIN = ['text', 'input_text', 'output_text', 'thinking', 'reasoning', 'tool_use', 'tool_result', 'tool-call', 'tool-result'];
/** Breakpoints, as members of a part that says something. */
const BREAKPOINTS = {
  'openai-chat': [{ prompt_cache_breakpoint: { mode: 'explicit' } }, { cache_control: { type: 'ephemeral' } }],
  'openai-responses': [{ prompt_cache_breakpoint: { mode: 'explicit' } }],
  'openai-agents': [{ promptCacheBreakpoint: { mode: 'explicit' } }],
  anthropic: [{ cache_control: { type: 'ephemeral' } }],
  'ai-sdk-model': [
    { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } },
    { providerOptions: { openai: { promptCacheBreakpoint: { mode: 'explicit' } } } },
    { providerOptions: { bedrock: { cachePoint: { type: 'default' } } } },
  ],
  'ai-sdk-ui': [{ providerMetadata: { anthropic: { cacheControl: { type: 'ephemeral' } } } }],
  langchain: [
    { cache_control: { type: 'ephemeral' } },
    { prompt_cache_breakpoint: { mode: 'explicit' } },
    { extras: { prompt_cache_breakpoint: { mode: 'explicit' } } },
    { metadata: { cache_control: { type: 'ephemeral' } } },
  ],
};
const SAYING = ['text', 'input_text', 'output_text'];

/** A copy of a message or part with other members; undefined takes one away. */
function withOther(owner, members) {
  const copy = Object.assign(Object.create(Object.getPrototypeOf(owner)), owner, members);
  for (const key of Object.keys(members)) if (members[key] === undefined) delete copy[key];
  return copy;
}

const keyOfParts = (message) => (Array.isArray(message.parts) ? 'parts' : 'content');
const partsOf = (message) => {
  const parts = message[keyOfParts(message)];
  return Array.isArray(parts) ? parts : [];
};

/** What a member has where an SDK calls its methods or looks into it. */
const SHAPES = { id: (value) => value && `id ${typeof value}`, response_metadata: (value) => ({ finish_reason: value }) };

/** Ways to change what is not sent of a message, as functions of a value. */
function waysToChange(format, message) {
  const key = keyOfParts(message);
  const part = (at, members) => withOther(message, { [key]: message[key].with(at, withOther(message[key][at], members)) });
  return [
    ...[...EVERYWHERE, ...IN_MESSAGES[format]].map(
      (name) => (value) => withOther(message, { [name]: (SHAPES[name] ?? ((own) => own))(value) }),
    ),
    ...partsOf(message).flatMap((one, at) => [
      ...(format !== 'langchain' ? [(value) => part(at, { createdAt: value })] : []),
      ...(format !== 'langchain' && PLAIN.includes(one.type) ? [(value) => part(at, { metadata: value })] : []),
      ...(format === 'ai-sdk-ui' && ['text', 'reasoning'].includes(one.type) ? [(value) => part(at, { state: value })] : []),
      ...(SAYING.includes(one.type) && message.role !== 'assistant'
        ? (BREAKPOINTS[format] ?? []).filter((own) => !(Object.keys(own)[0] in one)).map((own) => () => part(at, own))
        : []),
    ]),
    ...(format === 'langchain' && message.getType() === 'human' && partsOf(message).length > 0
      ? [() => withOther(message, { content: [...message.content, { cachePoint: { type: 'default' } }] })]
      : []),
  ];
}

const value = fc.constantFrom(undefined, 'other', 7, { seen: true, long: 'It was seen by the user at ten. '.repeat(3) });
const changes = fc.array(fc.tuple(fc.nat(), fc.nat(), value), { minLength: 1, maxLength: 12 });
const changed = (format, messages, list) =>
  list.reduce((all, [which, how, to]) => {
    const at = which % all.length;
    const ways = waysToChange(format, all[at]);
    return all.with(at, ways[how % ways.length](to));
  }, messages);

const datesOf = (messages) => messages.map(({ timestamp, createdAt, created_at: date }) => timestamp ?? createdAt ?? date);

const viaJson = (given) => JSON.parse(JSON.stringify(given));

for (const format of someOf(FORMATS)) {
  test(`${format}: a session goes on behind what it sent, also a saved one`, () => {
    fc.assert(
      fc.property(dialogue, changes, fc.nat(), fc.constantFrom(0.5, 2), (spoken, list, place, share) => {
        const history = sayIn(format, spoken);
        const before = history.slice(0, 1 + (place % history.length));
        const options = { format, now: () => 0, limit: Math.ceil(share * countTokens(history, { format })) };
        const [known, same] = [createSession(options), createSession(options)];
        const [sent] = [known.next(before), same.next(before)];
        const saved = viaJson(known);
        const other = changed(format, history, list);
        for (const [session, control] of [
          [known, same],
          [createSession(options, saved), createSession(options, saved)],
        ]) {
          const [step, expected] = [session.next(other), control.next(history)];
          const goingOn = ({ report, epoch }) => [report.messages.before, report.messages.reused, epoch?.reason];
          assert.deepEqual(goingOn(step), goingOn(expected));
          assert.equal(step.tokens.before, expected.tokens.before);
          // What an epoch chooses depends on dates.
          if (JSON.stringify(datesOf(other)) === JSON.stringify(datesOf(history)))
            assert.deepEqual([step.report.messages, step.epoch], [expected.report.messages, expected.epoch]);
          assert.deepEqual([step.report.foreign, step.report.prefix], [undefined, undefined]);
          // A breakpoint is sent where it is now, and all else as it was sent before.
          if (session === known)
            for (let index = 0; index < step.report.messages.reused; index++)
              if (JSON.stringify(step.messages[index]) !== JSON.stringify(sent.messages[index]))
                assert.deepEqual(bare(step.messages[index], format), bare(sent.messages[index], format));
        }
      }),
      { numRuns: cases(40) },
    );
  });

  test(`${format}: what was cut comes back`, () => {
    fc.assert(
      fc.property(dialogue, changes, fc.constantFrom(0.3, 0.6), (spoken, list, share) => {
        const history = sayIn(format, spoken);
        const { messages, originals } = fit(history, { format, limit: Math.floor(share * countTokens(history, { format })) });
        fc.pre(messages.length > 0);
        const back = restore(changed(format, messages, list), originals);
        assert.deepEqual(
          back.messages.map((message) => bare(message, format)),
          history.map((message) => bare(message, format)),
        );
        assert.deepEqual(back.missing, restore(messages, originals).missing);
      }),
      { numRuns: cases(40) },
    );
  });

  test(`${format}: whatever else changes is an edit`, () => {
    let found = 0;
    fc.assert(
      fc.property(dialogue, fc.nat(), fc.nat(), (spoken, which, where) => {
        const history = sayIn(format, spoken);
        const at = which % history.length;
        const ways = waysToEdit(format, history[at]);
        const session = createSession({ format, limit: 1_000_000, now: () => 0 });
        session.next(history);
        const [name, way] = ways[where % ways.length];
        let step;
        try {
          step = session.next(history.with(at, way()));
        } catch {
          return; // it is no message of the format then
        }
        found++;
        assert.equal(step.report.messages.reused, at, name);
      }),
      { numRuns: cases(60) },
    );
    assert.ok(found > cases(20), `${found}`);
  });
}

/** A message as the provider sees it, without breakpoints. */
function bare(message, format) {
  const shown = (own, names) => Object.fromEntries(Object.entries(own).filter(([name]) => !names.includes(name)));
  const json = message.getType ? shown(message, ['lc_kwargs']) : message;
  const { [keyOfParts(message)]: parts, ...rest } = shown(viaJson(json), [...EVERYWHERE, ...IN_MESSAGES[format]]);
  const own = (part) => {
    const marks = ['createdAt', 'cache_control', 'prompt_cache_breakpoint', 'promptCacheBreakpoint', 'extras'];
    const options = ['providerOptions', 'providerMetadata'].filter((name) =>
      /cacheControl|cachePoint|Breakpoint/.test(JSON.stringify(part[name])),
    );
    const names = [
      ...marks,
      ...options,
      ...(PLAIN.includes(part.type) || format === 'langchain' ? ['metadata'] : []),
      ...(format === 'ai-sdk-ui' && !part.toolCallId ? ['state'] : []),
    ];
    return shown(part, names);
  };
  const list = Array.isArray(parts) ? parts.filter((part) => part?.cachePoint === undefined).map(own) : parts;
  return { ...rest, parts: list?.length === 1 && list[0].type === 'text' && !message.parts ? list[0].text : list };
}

/** Changes of a member that is sent: of each text, and a new member of a message and of a part. */
function waysToEdit(format, message) {
  // An instance has no members but those of its class.
  const ways = format === 'langchain' ? [] : [['a new member', () => withOther(message, { x_own: 1 })]];
  const json = format === 'langchain' ? ['content', 'tool_calls', 'tool_call_id', 'additional_kwargs'] : Object.keys(message);
  const visit = (owner, keys, isTop, make, path) => {
    for (const key of keys) {
      if (isTop && [...EVERYWHERE, ...IN_MESSAGES[format]].includes(key)) continue;
      if (/^cache_control$/.test(key) || (key === 'state' && !owner.toolCallId)) continue;
      const inner = owner[key] ?? null;
      const put = (other) => make(Array.isArray(owner) ? owner.with(key, other) : withOther(owner, { [key]: other }));
      if (typeof inner === 'string') ways.push([`${path}.${key}`, () => put(`${inner}~`)]);
      else if (inner !== null && typeof inner === 'object') visit(inner, Object.keys(inner), false, put, `${path}.${key}`);
    }
  };
  visit(message, json, true, (other) => other, '');
  return ways;
}

test('the ids of items are sent, so that another one is an edit', () => {
  for (const format of ['openai-responses', 'openai-agents'])
    for (const item of [
      { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Yes.' }] },
      { id: 'msg_1', role: 'user', content: 'Go.' },
      { id: 'one', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Yes.' }] },
      { id: 'one', role: 'user', content: [{ type: 'input_text', text: 'Go.' }] },
      { type: 'reasoning', id: 'rs_1', summary: [], content: [] },
    ]) {
      const session = createSession({ format, limit: 1000 });
      session.next([{ role: 'user', content: 'Begin.' }, item]);
      const { report } = session.next([
        { role: 'user', content: 'Begin.' },
        { ...item, id: 'msg_2' },
        { role: 'user', content: 'And?' },
      ]);
      assert.equal(report.messages.reused, 1, JSON.stringify(item));
    }
});

test('what LangChain sends of an answer beside its content is an edit', () => {
  const make = (own) => [new HumanMessage('Go.'), new AIMessage({ content: 'Yes.', ...own }), new HumanMessage('And?')];
  const items = [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'No.' }] }];
  const inputOf = (messages) => JSON.stringify(convertMessagesToResponsesInput({ messages, zdrEnabled: false, model: 'gpt-5.5' }));
  for (const [one, other] of [
    [{ id: 'msg_1' }, { id: 'msg_2' }],
    [{}, { response_metadata: { output: items } }],
    [{}, { response_metadata: { output_version: 'v1' } }],
  ]) {
    // The converter of its SDK sends something else then.
    assert.notEqual(inputOf(make(one)), inputOf(make(other)));
    const session = createSession({ format: 'langchain', limit: 1000 });
    session.next(make(one));
    assert.equal(session.next(make(other)).report.messages.reused, 1);
  }
});

test('the converters of the SDKs send the same whatever it is', async () => {
  const checks = [];
  const own = ['ai-sdk-ui', 'langchain'];
  fc.assert(
    fc.property(dialogue, changes, fc.constantFrom(...own), (spoken, list, format) => {
      const history = sayIn(format, spoken);
      const isMoved = (way) => /cache|Breakpoint/i.test(JSON.stringify(way));
      const other = changed(format, history, list);
      if (!other.some(isMoved)) checks.push([format, history, other]);
    }),
    { numRuns: cases(60) },
  );
  for (const [format, history, other] of checks) {
    if (format === 'ai-sdk-ui') assert.deepEqual(await convertToModelMessages(other), await convertToModelMessages(history));
    else
      for (const convert of [
        (messages) => convertMessagesToCompletionsMessageParams({ messages, model: 'gpt-5.5' }),
        (messages) => convertMessagesToResponsesInput({ messages, zdrEnabled: false, model: 'gpt-5.5' }),
      ])
        assert.deepEqual(viaJson(convert(other)), viaJson(convert(history)));
  }
  if (IS_WHOLE) assert.ok(checks.length > cases(10), `${checks.length}`);
});

test('metadata is sent of files and blocks of LangChain, so that another one is an edit', () => {
  const make = (name) => [
    new HumanMessage({ content: [{ type: 'file', source_type: 'base64', data: 'YQ==', mime_type: 'text/plain', metadata: { name } }] }),
    new AIMessage('Yes.'),
  ];
  const inputOf = (messages) => JSON.stringify(convertMessagesToCompletionsMessageParams({ messages, model: 'gpt-5.5' }));
  assert.notEqual(inputOf(make('a')), inputOf(make('b')));
  const session = createSession({ format: 'langchain', limit: 1000 });
  session.next(make('a'));
  assert.equal(session.next([...make('b'), new HumanMessage('And?')]).report.messages.reused, 0);
});

test('an id in the JSON of a result is data', () => {
  const make = (id) => [
    new HumanMessage('Go.'),
    new AIMessage({ content: '', tool_calls: [{ id: 'c', name: 'find', args: { id, metadata: id } }] }),
    new ToolMessage({ content: 'Found.', tool_call_id: 'c' }),
  ];
  const session = createSession({ format: 'langchain', limit: 1000 });
  session.next(make('a'));
  assert.equal(session.next(make('b')).report.messages.reused, 1);
});

test('usage that is not there changes nothing', () => {
  const session = createSession({ limit: 1000, format: 'openai-chat' });
  session.observe(undefined);
  session.next([{ role: 'user', content: 'Go.' }]);
  const before = viaJson(session);
  for (const none of [undefined, null]) assert.equal(session.observe(none), undefined);
  assert.deepEqual(viaJson(session), before);
});
