// The hashes of the engine: their keys differ from process to process, the results do not, and no word can pass for another.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fit, prune } from '../index.mjs';
import { Talk, closed, sentence } from './fit/talk.mjs';

test('every process computes the same results', async () => {
  const script = fileURLToPath(new URL('hashing/results.mjs', import.meta.url));
  const run = async () => (await promisify(execFile)(process.execPath, [script])).stdout.trim().split('\n');
  const [first, second] = await Promise.all([run(), run()]);
  assert.ok(first.length > 800, `${first.length} results`);
  assert.ok(new Set(first.map((line) => line.split(' ')[0])).size > 400, 'the results differ from one another');
  assert.deepEqual(second, first);
});

/**
 * Words that have the same hash as `settingsForTheirBackups` where eight letters at a time go through a multiplication by a
 * public number (2^64 over the golden ratio): the second eight undo what the first eight changed.
 */
const WORD = 'settingsForTheirBackups';
const TWINS = [
  'hbcbbgheE4Ci4gZ9Backups',
  'ggefdafhc07lIGwiBackups',
  'hfhfagec8p0VIWP0Backups',
  'hddceahdA1s_08guBackups',
  'dcfgabbfENro0Y6OBackups',
];
/** The same words except for one letter. */
const lookalike = (twin) => twin.replace('Backups', 'Backupz');

const report = Array.from({ length: 120 }, (_, number) => sentence(number)).join('\n');

for (const twin of TWINS) {
  test(`prune keeps the last mention of a word, although ${twin} occurs elsewhere`, () => {
    const talk = (said) =>
      closed(
        new Talk()
          .user(`Look after ${said}, please.\n${report}`)
          .call('Read', { file_path: 'notes.md' }, `${report}\nand ${WORD}\n`)
          .call('Edit', { file_path: 'notes.md', old_string: 'day 1000', new_string: 'day 1001' }, 'The file was edited.'),
      );
    for (const said of [twin, lookalike(twin)]) {
      const { messages } = prune(talk(said).messages, { keep: { recent: 0 } });
      assert.notDeepEqual(messages, talk(said).messages, 'what was read was cut');
      assert.ok(
        messages.some(({ role, content }) => role === 'tool' && content.includes(WORD)),
        said,
      );
    }
  });

  test(`fit does not confuse ${twin} with another word`, () => {
    const fitted = (said) => {
      const talk = closed(
        new Talk()
          .user('Look for what is missing.')
          .call('Bash', { command: 'make check' }, `${report}\nThere is no ${WORD} at all.\n${report.replaceAll('station', 'harbor')}`)
          .user(`Look after ${said}, please, and after ${said} again.`),
      );
      const { messages } = fit(talk.messages, { budget: Math.ceil(talk.tokens / 3), tokenizer: 'estimate', keep: { recent: 1 } });
      return JSON.stringify(messages.map(({ content }) => content)).replaceAll(said, 'SAID');
    };
    assert.equal(fitted(twin), fitted(lookalike(twin)));
  });
}
