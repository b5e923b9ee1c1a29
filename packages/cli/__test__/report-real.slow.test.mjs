// The page with sessions of the size of real ones, in Chromium: what it says first, and that everybody can use it, at every width and on paper.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { analyse } from '../dist/analysis/index.mjs';
import { wordsOf } from '../dist/report/client/findings.mjs';
import { dollars } from '../dist/report/client/format.mjs';
import { page } from '../dist/report/page.mjs';
import { findings, launch, openReport, withoutBrowser } from './support/browser.mjs';
import { realSize } from './support/real-size.mjs';

const NOW = Date.parse('2026-11-27T00:00:00Z');

describe('the page with sessions of the size of real ones', { skip: withoutBrowser }, () => {
  let browser;
  let report;
  let url;
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-real-'));
  before(async () => {
    report = await analyse(realSize(), { limit: 40_000, now: NOW });
    const path = join(folder, 'report.html');
    writeFileSync(path, page(report));
    url = String(pathToFileURL(path));
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const opened = (options) => openReport(browser, url, options);

  test('the first screen says what it cost, what it would have cost, and what to do', async () => {
    const { tab, complaints } = await opened();
    const { totals, curve, recommended } = report;
    const answers = await tab.evaluate(() =>
      [...document.querySelectorAll('.answer strong')].map(({ textContent, className }) => [textContent, className]),
    );
    assert.deepEqual(answers[0], [dollars(totals.cost), '']);
    assert.ok(recommended !== undefined && curve[recommended].cost < totals.cost);
    assert.deepEqual(answers[1], [dollars(curve[recommended].cost), 'accent']);
    // All three begin on the first screen.
    const tops = await tab.evaluate(() =>
      ['cost-title', 'curve-title', 'findings-title'].map((id) => document.getElementById(id).getBoundingClientRect().top),
    );
    assert.ok(
      tops.every((top) => top < 900),
      `${tops}`,
    );
    const shown = await tab.evaluate(() =>
      [...document.querySelectorAll('.finding')].map((one) => [
        one.querySelector('strong').textContent,
        one.querySelector('.title').textContent,
      ]),
    );
    assert.deepEqual(
      shown,
      report.findings.slice(0, 5).map((one) => [dollars(one.cost), wordsOf(one).title]),
    );
    assert.deepEqual(complaints, []);
  });

  test('the recommended limit has its command, a cheaper one that keeps too little a warning, and the table of limits no clipped column', async () => {
    const { curve, recommended, totals } = report;
    const tooLittle = curve.find(({ cost, kept }) => cost < totals.cost && kept < 0.9);
    assert.ok(tooLittle !== undefined);
    for (const width of [390, 1200]) {
      const { tab } = await opened({ width });
      const [way, warning, cells] = await tab.evaluate(() => {
        for (const one of document.querySelectorAll('.answers details')) one.open = true;
        const scroll = document.querySelector('.limits').parentElement;
        return [
          [...document.querySelectorAll('.way code')].map(({ textContent }) => textContent),
          document.querySelector('.warning').textContent,
          [scroll.scrollWidth, scroll.clientWidth],
        ];
      });
      const limit = `${curve[recommended].limit / 1000}k`;
      assert.deepEqual(way, [`npx @palimpsest/cli proxy --limit ${limit}`, 'ANTHROPIC_BASE_URL=http://127.0.0.1:8377 claude']);
      assert.ok(warning.startsWith(`${dollars(totals.cost)} → ${dollars(tooLittle.cost)}`) && warning.includes("don't"), warning);
      assert.ok(cells[0] <= cells[1], `${cells} at ${width} px`);
    }
  });

  test('a finding leads to its messages, and the next cut to the next message that is not whole', async () => {
    const { tab } = await opened();
    const [session, message] = report.findings.find(({ places }) => places.length > 0).places[0];
    await tab.evaluate(() => document.querySelector('.finding .places button').click());
    await tab.waitForFunction((id) => document.activeElement.id === id, {}, `message-${message}`);
    assert.equal(new URL(tab.url()).hash, `#session=${session}&message=${message}`);
    assert.ok(await tab.evaluate(() => [...document.activeElement.querySelectorAll('details')].every(({ open }) => open)));
    const { messages } = report.sessions[session];
    const runs = messages.flatMap(({ fate }, index) => (fate !== 'kept' && fate !== messages[index - 1]?.fate ? [index] : []));
    const next = runs.find((index) => index > message) ?? runs[0];
    await tab.evaluate(() =>
      [...document.querySelectorAll('#session button')].find(({ textContent }) => textContent === 'Next cut').click(),
    );
    assert.equal(await tab.evaluate(() => document.activeElement.id), `message-${next}`);
  });

  test('tables are sorted by each column, with the keyboard', async () => {
    const { tab } = await opened();
    await tab.click('#where-tool');
    const column = (place) =>
      tab.evaluate(
        (at) => [...document.querySelectorAll(`#where tbody tr:not([hidden]) td:nth-child(${at})`)].map(({ textContent }) => textContent),
        place,
      );
    const { rows } = report.where.find(({ by }) => by === 'tool');
    const names = (list) => list.slice(0, 12).map(({ name }) => name || 'no tool');
    assert.deepEqual(await column(1), names(rows));
    await tab.focus('#where th:nth-child(4) button');
    await tab.keyboard.press('Enter');
    assert.deepEqual(await column(1), names([...rows].sort((a, b) => b.sent - a.sent)));
    assert.equal(await tab.evaluate(() => document.activeElement.closest('th').getAttribute('aria-sort')), 'descending');
    await tab.keyboard.press('Enter');
    assert.deepEqual(await column(1), names([...rows].sort((a, b) => a.sent - b.sent)));
  });

  test('messages are read as Markdown, edits as what they change, and calls and thinking are folded', async () => {
    const session = report.sessions.findIndex(({ id }) => id === 'session-0');
    const { messages } = report.sessions[session];
    const { tab } = await opened({ hash: `#session=${session}&message=${messages.length - 1}` });
    const html = await tab.evaluate(() => document.activeElement.querySelector('.prose').innerHTML);
    for (const part of [
      '<strong>lock</strong>',
      '<code>src/orders.ts</code>',
      '<s>The cache</s>',
      '<blockquote>',
      '<td><code>orders.ts</code></td>',
      '☑ ',
      '&lt;b&gt;a test&lt;/b&gt;',
    ])
      assert.ok(html.includes(part), `${part} in ${html}`);
    assert.ok(!/<a |<b>|<img/.test(html));
    const edit = messages.findIndex(({ parts }) =>
      parts.some(({ label, text }) => label === 'call' && text.includes('"old_string"') && text.length < 900),
    );
    const call = JSON.parse(messages[edit].parts.find(({ label }) => label === 'call').text);
    const diff = await (await opened({ hash: `#session=${session}&message=${edit}` })).tab.evaluate(() =>
      [...document.activeElement.querySelectorAll('.diff del, .diff ins')].map(({ localName, textContent }) => [localName, textContent]),
    );
    assert.deepEqual(diff, [
      ['del', call.old_string],
      ['ins', call.new_string],
    ]);
    const whole = await opened({ hash: `#session=${session}` });
    const folded = await whole.tab.evaluate(() =>
      [...document.querySelectorAll('.message:not(.cut, :focus) details:is(.call, .thinking)')]
        .filter((one) => !one.querySelector('.diff'))
        .map(({ open }) => open),
    );
    assert.ok(folded.length > 5 && folded.every((open) => !open));
  });

  for (const [width, dark] of [
    [1200, false],
    [1200, true],
    [390, true],
    [320, false],
  ]) {
    test(`axe finds nothing, and nothing is wider than the window, at ${width} px in ${dark ? 'dark' : 'light'} colours`, async () => {
      const { tab, complaints } = await opened({ width, dark, hash: '#session=0' });
      const isWithin = () => tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
      assert.ok(await isWithin());
      // Each tab, and much of what can be opened.
      for (const name of ['spend-project', 'spend-model', 'where-file', 'where-tool']) {
        await tab.click(`#${name}`);
        assert.ok(await isWithin(), name);
      }
      await tab.evaluate(() => {
        for (const button of document.querySelectorAll('#overview button.more, #where button.more')) button.click();
        document.querySelector('#where button.row').click();
        for (const details of document.querySelectorAll('#overview details, #session > details, .message:nth-child(-n + 12) details'))
          details.open = true;
      });
      assert.ok(await isWithin());
      assert.deepEqual(await findings(tab), []);
      assert.deepEqual(complaints, []);
    });
  }

  test('on paper it is light, as wide as the paper, and without what is pressed', async () => {
    const { tab } = await opened({ dark: true, hash: '#session=0' });
    const theme = () => tab.evaluate(() => document.documentElement.dataset.theme);
    await tab.evaluate(() => {
      addEventListener('beforeprint', () => {
        document.body.dataset.printed = document.documentElement.dataset.theme;
      });
    });
    assert.ok((await tab.pdf({ format: 'A4' })).length > 50_000);
    assert.equal(await tab.evaluate(() => document.body.dataset.printed), 'light');
    assert.equal(await theme(), 'dark');
    await tab.emulateMediaType('print');
    await tab.setViewport({ width: 700, height: 900 });
    const [width, canvas, buttons] = await tab.evaluate(() => [
      document.documentElement.scrollWidth,
      Math.max(...[...document.querySelectorAll('canvas')].map((one) => one.getBoundingClientRect().right)),
      [...document.querySelectorAll('#theme, button.more')].filter((one) => one.checkVisibility()).length,
    ]);
    assert.ok(width <= 700 && canvas <= 700, `${width}, ${canvas}`);
    assert.equal(buttons, 0);
  });
});
