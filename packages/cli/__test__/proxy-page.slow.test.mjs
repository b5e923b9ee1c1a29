// The page of the proxy in a real browser: live figures, and the report of what went through.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import OpenAI from 'openai';
import { longAgent, startProvider } from '../../../__test__/support/agents/index.mjs';
import { clientsOf, loops } from '../../../__test__/support/agents/loops.mjs';
import { withProvider } from '../../../__test__/support/clients.mjs';
import { startProxy } from '../dist/proxy/index.mjs';
import { JSON_HEADERS, send, startUpstream } from './raw-http.mjs';
import { findings, launch, openReport, withoutBrowser } from './support/browser.mjs';

const LIMIT = 18_000;
const MODEL = 'claude-haiku-4-5';
/** List prices of that model in dollars for a million tokens, as Anthropic's page of prices has them. */
const PRICES = { input: 1, cached: 0.1, written: 1.25, output: 5 };

const grouped = (value) => new Intl.NumberFormat('en').format(value);
/** What a provider bills for all of its requests. */
const costOf = ({ sent, cached, written, output }) =>
  ((sent - cached - written) * PRICES.input + cached * PRICES.cached + written * PRICES.written + output * PRICES.output) / 1e6;
/** The report in a page. */
const reportIn = (tab) => tab.evaluate(() => JSON.parse(document.getElementById('data').textContent));
const textOf = (tab) => tab.evaluate(() => document.body.innerText);

describe('the page of the proxy', { skip: withoutBrowser }, () => {
  let browser;
  let provider;
  let proxy;
  /** What an agent sends without the proxy, and with it. */
  let sums;
  before(async () => {
    browser = await launch();
    provider = await startProvider(longAgent({ steps: 40 }), { window: 200_000 });
    const request = { model: MODEL };
    await loops.anthropic(clientsOf(provider), { request });
    const plain = provider.sum();
    provider.reset();
    proxy = await startProxy({ limit: LIMIT, port: 0, upstream: provider.url });
    await loops.anthropic(clientsOf(proxy), { request, stream: true });
    sums = { plain, fitted: provider.sum() };
  });
  after(async () => {
    await browser?.close();
    await proxy?.close(0);
    await provider?.close();
  });

  test('its sums are those of what was sent and of the usage that was answered', async () => {
    const { tab, complaints } = await openReport(browser, proxy.url);
    const { totals, sessions } = await reportIn(tab);
    const { plain, fitted } = sums;
    assert.ok(fitted.sent < plain.sent / 2, 'much was cut');
    assert.deepEqual([totals.sessions, totals.requests, totals.sent], [1, fitted.requests, fitted.sent]);
    assert.ok(Math.abs(totals.costWithSession - costOf(fitted)) < 1e-9, `${totals.costWithSession}, not ${costOf(fitted)}`);
    const cached = sessions[0].requests.reduce((sum, one) => sum + one.cached, 0);
    assert.equal(cached, fitted.cached);
    // What the agent would have sent is the session's count, in the provider's tokens.
    assert.ok(Math.abs(totals.tokens / plain.sent - 1) < 0.05, `${totals.tokens}, not ${plain.sent}`);
    assert.ok(Math.abs(totals.cost / costOf(plain) - 1) < 0.1, `${totals.cost}, not ${costOf(plain)}`);
    const text = await textOf(tab);
    for (const value of [fitted.sent, totals.tokens]) assert.ok(text.includes(`${grouped(value)} tokens`));
    assert.match(text, /Cost as sent\s+\$\d+\.\d\d/);
    assert.deepEqual(complaints, []);
    await tab.close();
  });

  test('a page of the upstream runs nothing, and reads nothing of the proxy', async () => {
    const script =
      '<title>as it came</title><p>Hello.</p><script>document.title = "run"; fetch("/")</script><img src=x onerror="document.title = 1">';
    const upstream = await startUpstream((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(script));
    const own = await startProxy({ limit: LIMIT, port: 0, upstream: upstream.url });
    try {
      const tab = await browser.newPage();
      await tab.goto(`${own.url}/v1/models`);
      assert.deepEqual([await tab.title(), upstream.requests.length], ['as it came', 1]);
      await tab.close();
    } finally {
      await own.close(0);
      await upstream.close();
    }
  });

  test('a conversation that went out uncut is an alert', async () => {
    const upstream = await startUpstream();
    const own = await startProxy({ limit: LIMIT, port: 0, upstream: upstream.url });
    try {
      const { tab } = await openReport(browser, own.url);
      const body = JSON.stringify({ model: 'm', previous_response_id: 'resp_1', input: [{ role: 'user', content: 'And now?' }] });
      await send(own.url, { path: '/v1/responses', headers: JSON_HEADERS, body });
      await tab.waitForSelector('#live-uncut:not([hidden])');
      assert.match(await textOf(tab), /1 request went out uncut: the provider keeps the history;/);
      await tab.close();
    } finally {
      await own.close(0);
      await upstream.close();
    }
  });

  test('a session that is clicked shows each message before and after', async () => {
    const { tab } = await openReport(browser, proxy.url);
    await tab.click('[data-session="0"]');
    await tab.waitForFunction(() => document.activeElement.id === 'session-title');
    const fates = await tab.evaluate(() => [...document.querySelectorAll('#session label.fate')].map((one) => one.textContent.trim()));
    const count = Object.fromEntries(fates.map((text) => text.split(' ')));
    assert.ok(Number(count.kept) > 0 && Number(count.cut) > 0 && Number(count.gone) > 0, fates.join());
    const sent = new Set(provider.requests.at(-1).body.messages.map(({ content }) => JSON.stringify(content)));
    const [{ messages }] = (await reportIn(tab)).sessions;
    assert.equal(messages.filter(({ fate }) => fate === 'kept').length, Number(count.kept));
    assert.ok(Number(count.kept) <= sent.size);
    // Without the kept and the gone, there are those that were cut. A short one may be longer by the mark of what stood beside it.
    await tab.evaluate(() => {
      for (const fate of ['kept', 'gone']) document.querySelector(`#session label.${fate} input`).click();
    });
    const wholes = await tab.evaluate(() =>
      [...document.querySelectorAll('#session li.message')].map((message) =>
        [...message.querySelectorAll('.part')].map((one) => one.textContent).join(''),
      ),
    );
    const whole = wholes.reduce((one, other) => (other.length > one.length ? other : one));
    await tab.evaluate(() => document.querySelector('#session input[value=after]').click());
    const left = await tab.evaluate(
      (place) => document.querySelectorAll('#session li.message')[place].querySelector('pre').textContent,
      wholes.indexOf(whole),
    );
    assert.ok(left.length < whole.length, `${left.length} of ${whole.length} characters`);
    assert.ok([...sent].some((content) => content.includes(JSON.stringify(left.slice(-40)).slice(1, -1))));
    await tab.close();
  });

  test('it shows what the last request is made of: a bar, and a table whose tokens are those that were sent', async () => {
    const { tab } = await openReport(browser, proxy.url, { hash: '/#session=0' });
    const { heading, rows, widths, note } = await tab.evaluate(() => {
      const bar = document.querySelector('#session .context');
      const table = [...document.querySelectorAll('#session table')].find((one) => one.caption?.textContent === 'Tokens by what they are');
      return {
        heading: document.querySelector('#session h3').textContent,
        rows: [...table.tBodies[0].rows].filter((row) => !row.hidden).map((row) => [...row.cells].map(({ innerText }) => innerText.trim())),
        widths: [...bar.children].map((one) => one.getBoundingClientRect().width / bar.getBoundingClientRect().width),
        note: bar.previousElementSibling.textContent,
      };
    });
    const numberIn = (text) => Number(text.replaceAll(',', ''));
    const { tokens } = provider.requests.at(-1);
    assert.equal(heading, 'What the last request is made of');
    const sum = rows.reduce((total, [, count]) => total + numberIn(count), 0);
    assert.ok(Math.abs(sum - tokens) <= rows.length / 2, `${sum}, not ${tokens}`);
    assert.ok(note.startsWith(`${grouped(Math.round(tokens))} of ${grouped(LIMIT)} tokens; `), note);
    for (const name of ['tools', 'instructions', 'marks of cuts'])
      assert.ok(
        rows.some(([kind]) => kind === name),
        name,
      );
    for (const [index, width] of widths.entries()) assert.ok(Math.abs(width - numberIn(rows[index][1]) / LIMIT) < 0.005);
    await tab.close();
  });

  test('a message that is missing says why, by the requests that the provider was sent', async () => {
    const { tab } = await openReport(browser, proxy.url, { hash: '/#session=0' });
    const index = await tab.evaluate(() => {
      const button = document.querySelector('#session li.message.gone button.fate');
      button.click();
      return Number(button.closest('li').id.slice('message-'.length));
    });
    const rows = await tab.evaluate(
      (at) =>
        Object.fromEntries(
          [...document.querySelectorAll(`#message-${at} dl.why > div`)].map((row) => [...row.children].map((one) => one.textContent)),
        ),
      index,
    );
    const [{ messages }] = (await reportIn(tab)).sessions;
    const { text } = messages[index].parts[0];
    const json = JSON.stringify(text.slice(0, 200)).slice(1, -1);
    const having = provider.requests.flatMap(({ body }, at) => (JSON.stringify(body.messages).includes(json) ? [at + 1] : []));
    const [first, last] = [having[0], having.at(-1)];
    assert.ok(rows['Was in'].startsWith(`requests ${first}`) && rows['Was in'].endsWith(` ${last}`), `${rows['Was in']}: ${having}`);
    assert.ok(rows.Went.startsWith(`in request ${last + 1}, chosen anew because `), rows.Went);
    await tab.close();
  });

  for (const [name, options] of Object.entries({ light: {}, dark: { dark: true }, narrow: { width: 360 } })) {
    test(`axe finds nothing serious in it, and nothing is wider than the window: ${name}`, async () => {
      const { tab, complaints } = await openReport(browser, proxy.url, { ...options, hash: '/#session=0' });
      await tab.evaluate(() => {
        for (const one of document.querySelectorAll('#live details')) one.open = true;
        for (const button of document.querySelectorAll('#session button.fate')) button.click();
      });
      await tab.waitForFunction((count) => document.querySelectorAll('#live-rows tr').length === count, {}, sums.fitted.requests);
      assert.deepEqual(await findings(tab), []);
      assert.equal(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
      assert.deepEqual(complaints, []);
      await tab.close();
    });
  }
});

describe('a page that is open', { skip: withoutBrowser }, () => {
  let browser;
  before(async () => {
    browser = await launch();
  });
  after(() => browser?.close());

  /** An open page of a proxy, and a client that goes through it. */
  async function withPage(work, options) {
    await withProvider(longAgent({ steps: 1 }), async (provider) => {
      const proxy = await startProxy({ limit: LIMIT, upstream: provider.url, port: 0, ...options });
      try {
        const client = new OpenAI({ apiKey: 'sk-secret', baseURL: `${proxy.url}/v1`, maxRetries: 0 });
        const ask = (content, more) => client.chat.completions.create({ model: 'gpt-5.5', messages: [{ role: 'user', content }], ...more });
        const { tab, complaints } = await openReport(browser, proxy.url);
        await work({ tab, ask, provider });
        assert.deepEqual(complaints, []);
        assert.doesNotMatch(await tab.content(), /sk-secret/);
        await tab.close();
      } finally {
        await proxy.close(0);
      }
    });
  }

  test('shows the first request at once, and later ones when the reader wants them, where the reader was', async () => {
    await withPage(async ({ tab, ask, provider }) => {
      await ask('The first question');
      await tab.waitForSelector('[data-session="0"]');
      await tab.click('[data-session="0"]');
      await tab.waitForFunction(() => document.activeElement.id === 'session-title');
      // More tokens: this session comes before the first.
      await ask('The second question. '.repeat(40));
      await tab.waitForSelector('#news:not([hidden])');
      const text = await textOf(tab);
      assert.match(text, /1 request since this report was made/);
      assert.doesNotMatch(text, /second question/);
      assert.equal(await tab.evaluate(() => document.querySelectorAll('#live-rows tr').length), 2);
      await Promise.all([tab.waitForNavigation(), tab.click('#news-show')]);
      await tab.waitForSelector('[data-session="1"]');
      assert.equal(await tab.evaluate(() => document.getElementById('session-title').textContent), 'The first question');
      assert.equal(await tab.evaluate(() => document.getElementById('news').hidden), true);
      const { totals } = await reportIn(tab);
      assert.equal(totals.tokens, provider.sum().sent);
    });
  });

  test('shows hostile contents as text', async () => {
    const hostile = [
      '</script><script>globalThis.wasHit = true</script>',
      '<img src=x onerror="globalThis.wasHit = true">',
      '\u202e\ud83d\u2028',
    ];
    await withPage(
      async ({ tab, ask }) => {
        await ask(hostile.join('\n'), { model: hostile[1] });
        await tab.waitForSelector('#session:not([hidden])');
        await tab.waitForFunction(() => document.querySelectorAll('#live-rows tr').length === 1);
        const shown = await tab.evaluate(() => [
          document.querySelector('#session .message .prose').textContent,
          document.querySelector('#live-rows').textContent,
        ]);
        assert.equal(shown[0], hostile.join('\n'));
        assert.ok(shown[1].includes(hostile[1]));
        assert.equal(await tab.evaluate(() => globalThis.wasHit), undefined);
        assert.equal(await tab.evaluate(() => document.querySelectorAll('#main img, #main script').length), 0);
      },
      { token: 'a-token_of-20-letters' },
    );
  });

  test('leaves out what the messages say, if it is to', async () => {
    await withPage(
      async ({ tab, ask }) => {
        await ask('The first question');
        await tab.waitForSelector('#session:not([hidden])');
        assert.doesNotMatch(await tab.content(), /first question/);
        assert.match(await textOf(tab), /What the messages say was left out/);
        // The reader stays at the first session, though the second comes before it.
        await tab.click('[data-session="0"]');
        await ask('The second question. '.repeat(40));
        await tab.waitForSelector('#news:not([hidden])');
        await Promise.all([tab.waitForNavigation(), tab.click('#news-show')]);
        await tab.waitForSelector('[data-session="1"][aria-current]');
        assert.equal(await tab.evaluate(() => document.getElementById('session-title').textContent), 'session 1');
      },
      { redact: true },
    );
  });
});
