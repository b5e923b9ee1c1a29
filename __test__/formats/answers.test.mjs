// Which messages are the model's. A conversation that shares one with another is a branch of it, and gets a copy of its session.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import fc from 'fast-check';
import { declaredKinds } from '../support/declared.mjs';
import { cases } from '../support/seed.mjs';
import { dialogue, FORMATS, sayIn } from '../support/transcripts.mjs';

const require = createRequire(import.meta.url);
const { isAnswer, PROVIDERS } = require('../../unbundled/providers/index.js');
const { Conversations } = require('../../unbundled/integrations/conversations.js');

const declared = declaredKinds();
/** Items that the model makes and that are no call: what runs at the client is an output, a response or a result. */
const OTHERS = ['reasoning', 'program', 'mcp_list_tools', 'mcp_approval_request'];
const isMade = (type) => type.endsWith('_call') || OTHERS.includes(type);
const made = { 'openai-responses': declared.responses.filter(isMade), 'openai-agents': declared.agents.filter(isMade), langchain: ['ai'] };
const ROLES = { gemini: ['model'], langchain: [], 'ag-ui': ['assistant', 'reasoning'] };

for (const { name, answers } of PROVIDERS) {
  test(`${name}: roles and types of the model's messages are those that its types declare`, () => {
    assert.deepEqual([...(answers.types ?? [])].sort(), [...(made[name] ?? [])].sort());
    assert.deepEqual(answers.roles ?? [], ROLES[name] ?? ['assistant']);
  });
}

test('every message that neither the user, the system nor a tool wrote is the model’s', () => {
  // An activity of AG-UI is for the user alone.
  const others = ['user', 'human', 'system', 'developer', 'tool', 'activity'];
  for (const format of FORMATS)
    fc.assert(
      fc.property(dialogue, (spoken) => {
        for (const message of sayIn(format, spoken)) {
          const who = message.getType?.() ?? message.role ?? message.type;
          const isOther = others.includes(who) || /_(?:output|result)$/.test(who);
          assert.equal(isAnswer(message), !isOther, `${format}: ${who}`);
        }
      }),
      { numRuns: cases(20) },
    );
});

test('a branch after any item of the model’s is a copy of its session', async () => {
  for (const type of new Set([...made['openai-responses'], ...made['openai-agents']])) {
    const created = [];
    const create = (saved) => {
      created.push(saved);
      return { toJSON: () => ({ type }) };
    };
    const conversations = new Conversations(10, async () => ({}));
    const first = [{ role: 'user', content: 'Mend it.' }, { type }];
    for (const more of [[], ['Go on with a.'], ['Go on with b.']])
      await conversations.next([...first, ...more.map((content) => ({ role: 'user', content }))], '', create);
    assert.deepEqual(created, [undefined, { type }]);
  }
});
