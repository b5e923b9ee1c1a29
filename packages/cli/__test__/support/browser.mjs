// Debian's Chromium, driven by puppeteer-core. CI as root installs it if it is missing; elsewhere the tests of pages are skipped.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
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
