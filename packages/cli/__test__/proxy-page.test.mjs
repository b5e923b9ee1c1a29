// The page of the proxy in a real browser: live, without an error, and readable by everybody.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import OpenAI from 'openai';
import { longAgent } from '../../../__test__/support/agents/index.mjs';
import { withProvider } from '../../../__test__/support/clients.mjs';
import { startProxy } from '../src/proxy/index.mjs';
import { launch, withoutBrowser } from './support/browser.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let browser;
before(async () => {
  if (!withoutBrowser) browser = await launch();
});
after(() => browser?.close());

for (const scheme of ['light', 'dark']) {
  test(`the page shows each request as it goes through, in ${scheme} colours`, { skip: withoutBrowser }, async () => {
    await withProvider(longAgent({ steps: 1 }), async (provider) => {
      const proxy = await startProxy({ limit: 18_000, upstream: provider.url, port: 0 });
      try {
        const tab = await browser.newPage();
        const complaints = [];
        tab.on('console', (message) => complaints.push(message.text()));
        tab.on('pageerror', (error) => complaints.push(error.message));
        await tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
        await tab.goto(proxy.url);
        await tab.waitForFunction(() => document.getElementById('state').textContent === 'live');
        const client = new OpenAI({ apiKey: 'sk-secret', baseURL: `${proxy.url}/v1`, maxRetries: 0 });
        await client.chat.completions.create({ model: 'gpt-5.5', messages: [{ role: 'user', content: 'A secret question' }] });
        await tab.waitForFunction(() => document.querySelectorAll('#rows tr').length === 1);
        const text = await tab.evaluate(() => document.body.innerText);
        assert.match(text, /openai-chat\s+gpt-5\.5/);
        assert.doesNotMatch(text, /secret/);
        await tab.evaluate(AXE);
        const { violations } = await tab.evaluate(() => globalThis.axe.run(document));
        assert.deepEqual(
          violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id }) => id),
          [],
        );
        assert.deepEqual(complaints, []);
        await tab.close();
      } finally {
        await proxy.close();
      }
    });
  });
}
