// The built site in a real browser: every page loads on its own, can be read by everybody, and links and copied code are what they say.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findings, launch, withoutBrowser } from '../packages/cli/__test__/support/browser.mjs';
import { addressOf, PAGES, REPOSITORY } from '../site/pages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const site = join(root, 'site');
const BASE = '/palimpsest/';
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.png': 'image/png', '.svg': 'image/svg+xml' };

/** Installs what the site is built with, if it isn't, and builds it. Returns why that can't be; false if it can. */
function build() {
  const options = { cwd: site, stdio: 'pipe', shell: process.platform === 'win32' };
  const modified = (path) => (existsSync(join(site, path)) ? statSync(join(site, path)).mtimeMs : 0);
  if (modified('node_modules/.package-lock.json') < modified('package-lock.json')) {
    try {
      execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], options);
    } catch (error) {
      if (process.env.CI) throw error;
      return 'what the site is built with can’t be installed';
    }
  }
  execFileSync('npm', ['run', 'build'], options);
  return false;
}

/** The code of each block of a page, also in lists and quotations. */
const blocksOf = (page) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^((?:> ?| )*)```\w*\n([\s\S]*?)^\1```$/gm)].map(([, before, code]) =>
    code.replaceAll(new RegExp(`^(?:${before}|${before.trimEnd()}$)`, 'gm'), '').trimEnd(),
  );

function serve() {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const path = join(site, '.vitepress/dist', decodeURIComponent(pathname.slice(BASE.length)), pathname.endsWith('/') ? 'index.html' : '');
    if (!pathname.startsWith(BASE) || !existsSync(path)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(readFileSync(path));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

describe('the site', { skip: withoutBrowser }, () => {
  let server;
  let origin;
  let skipped = false;
  /** By page: what the browser saw. */
  const seen = new Map();

  /** Opens a browser with a tab that notes what is wrong, and what the buttons copy. A tab in the background would not be drawn. */
  async function open() {
    const browser = await launch();
    const [tab] = await browser.pages();
    const wrong = [];
    const copied = [];
    tab.on('console', (message) => ['error', 'warn'].includes(message.type()) && wrong.push(message.text()));
    tab.on('pageerror', (error) => wrong.push(error.message));
    tab.on(
      'request',
      (request) => request.url().startsWith('data:') || new URL(request.url()).origin === origin || wrong.push(`asked ${request.url()}`),
    );
    tab.on('response', (response) => response.status() < 400 || wrong.push(`${response.status()} ${response.url()}`));
    await tab.exposeFunction('noteCopy', (text) => copied.push(text));
    await tab.evaluateOnNewDocument(() => {
      navigator.clipboard.writeText = (text) => globalThis.noteCopy(text);
    });
    return { browser, tab, wrong, copied };
  }

  /** Loads a page, to the point where it reacts. */
  async function load(tab, address) {
    await tab.goto(origin + BASE + address);
    await tab.waitForFunction(() => document.querySelector('#app')?.__vue_app__);
  }

  async function visit({ tab, wrong, copied }, page) {
    wrong.length = 0;
    copied.length = 0;
    await tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }]);
    await load(tab, addressOf(page));
    const { links, ids } = await tab.evaluate(() => {
      for (const button of document.querySelectorAll('button.copy')) button.click();
      return {
        links: [...document.querySelectorAll('a[href]')].map(({ href }) => href),
        ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
      };
    });
    // The frame is the same around all pages: one of them shows it whole.
    const part = page === 'docs/README.md' ? 'html' : 'main';
    const light = await findings(tab, part);
    await tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
    await tab.waitForSelector('html.dark');
    seen.set(page, {
      wrong: [...wrong],
      copied: [...copied],
      links,
      ids: new Set(ids),
      light,
      dark: await findings(tab, part, ['color-contrast']),
    });
  }

  before(async () => {
    skipped = build();
    if (skipped) return;
    server = await serve();
    origin = `http://127.0.0.1:${server.address().port}`;
    const waiting = [...PAGES];
    const work = async () => {
      const opened = await open();
      for (let page = waiting.shift(); page !== undefined; page = waiting.shift()) await visit(opened, page);
      await opened.browser.close();
    };
    await Promise.all([work(), work()]);
  });
  after(() => server?.close());

  /** A test of every page: `find` returns what is wrong with one. */
  const everyPage = (name, find) =>
    test(name, (t) => {
      if (skipped) return t.skip(skipped);
      assert.equal(seen.size, PAGES.length);
      for (const [page, record] of seen) assert.deepEqual(find(record, page), [], page);
    });

  everyPage('every page loads without an error, and asks no other server', ({ wrong }) => wrong);
  everyPage('axe finds nothing serious in the light', ({ light }) => light);
  everyPage('axe finds nothing serious in the dark', ({ dark }) => dark);

  test('what is copied from a page is its code, block by block', (t) => {
    if (skipped) return t.skip(skipped);
    let blocks = 0;
    for (const [page, { copied }] of seen) {
      assert.deepEqual(copied.map((text) => text.trimEnd()).sort(), blocksOf(page).sort(), page);
      blocks += copied.length;
    }
    assert.ok(blocks > 100, `${blocks}`);
  });

  everyPage('every link leads to a heading of the site, or to a file of the repository', ({ links }) => {
    const pages = new Map([...seen].map(([page, { ids }]) => [addressOf(page).replace(/(^|\/)index\.html$/, '$1'), ids]));
    return links.filter((link) => {
      const { origin: linked, pathname, hash, href } = new URL(link);
      if (linked === origin) {
        const ids = pages.get(pathname.slice(BASE.length).replace(/(^|\/)index\.html$/, '$1'));
        return ids === undefined || (hash !== '' && !ids.has(decodeURIComponent(hash.slice(1))));
      }
      const [, path] = /\/blob\/[^/]+\/([^#]*)/.exec(href) ?? [];
      return href.startsWith(REPOSITORY) && path !== undefined && !existsSync(join(root, path));
    });
  });

  test('the search finds a function', async (t) => {
    if (skipped) return t.skip(skipped);
    const { browser, tab, wrong } = await open();
    t.after(() => browser.close());
    await load(tab, '');
    await tab.keyboard.down('Control');
    await tab.keyboard.press('k');
    await tab.keyboard.up('Control');
    const input = await tab.waitForSelector('.VPLocalSearchBox input');
    await input.type('createSession');
    await tab.waitForSelector('.VPLocalSearchBox a.result');
    const found = await tab.$$eval('.VPLocalSearchBox a.result', (results) => results.map(({ href }) => href));
    assert.ok(
      found.some((href) => href.includes('/docs/reference/sessions') && href.endsWith('#createsession')),
      found.join('\n'),
    );
    assert.deepEqual(wrong, []);
  });
});
