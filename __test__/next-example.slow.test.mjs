// examples/next as a user has it: installed, built, started, and clicked through in a browser. The chat becomes longer than the model's window, and
// goes on after a restart of the server.
import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, withoutBrowser } from '../packages/cli/__test__/support/browser.mjs';
import { welcome } from './newcomer/newcomer.mjs';
import { root, serve } from './packed/project.mjs';
import { node22, withoutNode22 } from './support/node22.mjs';
import { startProvider } from './support/agents/index.mjs';

const skip = withoutNode22 || withoutBrowser;
const example = join(root, 'examples/next');
const TURNS = 6;
const WINDOW = 200_000;
/** What the model answers: 15,000 tokens. */
const answerOf = (step) =>
  Array.from(
    { length: 800 },
    (_, line) => `12:${step}:${line % 60} worker-${(line * 7 + step) % 13} wrote ${line * 31 + step} rows of batch ${line * step}`,
  ).join('\n');

let newcomer;
before(async () => {
  if (!skip) newcomer = await welcome();
});
after(() => newcomer?.remove());

test('a chat with Next.js and useChat stays within the window, and goes on after a restart', { skip }, async (t) => {
  const { dependencies } = JSON.parse(readFileSync(join(example, 'package.json'), 'utf8'));
  const { palimpsest: _, ...others } = dependencies;
  const { project, run } = await newcomer.begin({ install: Object.entries(others).map(([name, version]) => `${name}@${version}`) });
  cpSync(example, project, { recursive: true, filter: (path) => !/node_modules|\.next\b|chats\.db/.test(path.slice(example.length)) });
  const next = join(project, 'node_modules/next/dist/bin/next');
  const built = await run([next, 'build'], { NEXT_TELEMETRY_DISABLED: '1' });
  assert.doesNotMatch(built, /warn/i);

  const provider = await startProvider(({ step }) => ({ text: `Answer ${step}.\n${answerOf(step)}` }), { window: WINDOW });
  t.after(() => provider.close());
  const env = { OPENAI_API_KEY: 'test', OPENAI_BASE_URL: `${provider.url}/v1` };
  const start = (port) => serve(next, ['start', '--hostname', '127.0.0.1', '--port', port], project, env, node22);
  let server = await start('0');
  t.after(() => server.stop());
  const browser = await launch();
  t.after(() => browser.close());
  const page = await browser.newPage();
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(server.url);

  /** Asks, and waits until the answer is there and the next question may come. */
  const ask = async (question, count) => {
    await page.click('textarea');
    await page.keyboard.sendCharacter(question);
    await page.click('button');
    await page.waitForFunction(
      (wanted) => document.querySelectorAll('[data-role=assistant]').length === wanted && !document.querySelector('button').disabled,
      { timeout: 60_000 },
      count,
    );
    return page.$$eval('[data-role=assistant]', (answers) => answers.at(-1).textContent.split('\n')[0]);
  };
  for (let turn = 0; turn < 2 * TURNS; turn++) {
    if (turn === TURNS) {
      await server.stop();
      server = await start(new URL(server.url).port);
    }
    assert.equal(await ask(`What did the workers write in hour ${turn}?`, turn + 1), `Answer ${turn}.`);
  }
  assert.deepEqual(complaints, []);
  assert.equal(await page.$('[role=alert]'), null);
  assert.equal(provider.requests.length, 2 * TURNS);
  for (const { status, error } of provider.requests) assert.equal(error ?? status, 200);
  const sizes = provider.requests.map(({ tokens }) => tokens);
  assert.ok(Math.max(...sizes) > 100_000 && Math.max(...sizes) < WINDOW, `${sizes}`);
  assert.ok(
    sizes.some((size, index) => size < (sizes[index - 1] ?? 0)),
    `nothing was cut: ${sizes}`,
  );
  // The restarted server sends again what the one before it had chosen, so that the provider reads it from its cache.
  const restarted = provider.requests[TURNS];
  assert.ok(restarted.cached > 0.8 * provider.requests[TURNS - 1].tokens, `${restarted.cached} of ${sizes[TURNS - 1]}`);
  t.diagnostic(`tokens of each request: ${sizes}; the first one after the restart read ${restarted.cached} from the cache`);
});
