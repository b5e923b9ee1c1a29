// Debian's Chromium, driven by puppeteer-core. CI as root installs it if it is missing; elsewhere the tests of pages are skipped.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import puppeteer from 'puppeteer-core';

const PATHS = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const found = () => PATHS.find((path) => path !== undefined && existsSync(path));

function installed() {
  const path = found();
  if (path !== undefined || !process.env.CI || process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).error) return path;
  try {
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore' });
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  return found();
}

const executablePath = installed();
/** Why the tests of pages are skipped; false if they are not. */
export const withoutBrowser =
  executablePath === undefined ? 'no Chromium: install Debian’s `chromium`, or set CHROMIUM to its path' : false;

// Chromium refuses its sandbox to root.
export const launch = () => puppeteer.launch({ executablePath, headless: true, args: ['--no-sandbox', '--disable-dev-shm-usage'] });

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Opens a page with a report. What it complains about, and each request that goes elsewhere than to `url`, is in `complaints`.
 *
 * @param {import('puppeteer-core').Browser} browser
 * @param {string} url
 * @param {{ dark?: boolean, width?: number, hash?: string }} [options]
 */
export async function openReport(browser, url, { dark = false, width = 1200, hash = '' } = {}) {
  const tab = await browser.newPage();
  const complaints = [];
  tab.on('console', (message) => complaints.push(message.text()));
  tab.on('pageerror', (error) => complaints.push(error.message));
  tab.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) complaints.push(request.url());
  });
  await tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]);
  await tab.setViewport({ width, height: 900 });
  await tab.goto(`${url}${hash}`);
  await tab.waitForFunction(() => document.documentElement.dataset.ready === 'true');
  return { tab, complaints };
}

/**
 * Serious findings of axe-core, which runs past the page's policy.
 *
 * @param {import('puppeteer-core').Page} tab
 * @param {string} [part] selector of the part of the page that is looked at
 * @param {string[]} [rules] rules that are checked; all by default
 */
export async function findings(tab, part = 'html', rules) {
  await tab.evaluate(AXE);
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  const { violations } = await tab.evaluate((...args) => globalThis.axe.run(...args), part, options);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 2).map(({ html }) => html.slice(0, 150))}`);
}
