// @ts-check
// The report as one HTML file: no network, no content of a transcript anywhere but in a block of JSON.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { sourceOf } from '../policy.mjs';
import { withoutContents } from './redact.mjs';

/** @typedef {import('../types.d.ts').Report} Report */

/** Modules of the client, each behind those that it imports. */
const MODULES = ['format', 'dom', 'overview', 'where', 'sessions', 'chart', 'conversation', 'main'];

const require = createRequire(import.meta.url);
/** @param {string} path */
const read = (path) => readFileSync(new URL(`client/${path}`, import.meta.url), 'utf8');
/** @param {string} file a file of uPlot's `dist` */
const readUPlot = (file) => readFileSync(require.resolve(`uplot/dist/${file}`), 'utf8');

/** The modules as one script: names are unique among them, so that their imports and exports can go. */
const joined = () =>
  MODULES.map((name) =>
    read(`${name}.js`)
      .replace(/^import .*;\n/gm, '')
      .replace(/^export (?=const|function)/gm, ''),
  ).join('\n');

/** JSON that ends no element: `<` is escaped. @param {unknown} value */
const embedded = (value) => JSON.stringify(value).replaceAll('<', '\\u003c');

/**
 * Returns the page of a report.
 *
 * @param {Report} report
 * @param {{ redact?: boolean }} [options] `redact`: leaves out what the messages say
 * @returns {string}
 */
export function page(report, { redact = false } = {}) {
  const styles = [readUPlot('uPlot.min.css'), read('style.css')];
  const scripts = [readUPlot('uPlot.iife.min.js'), `'use strict';\n{\n${joined()}}\n`];
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.map(sourceOf).join(' ')}`,
    `style-src ${styles.map(sourceOf).join(' ')}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en" data-redacted="${redact}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>palimpsest report</title>
<link rel="icon" href="data:,">
${styles.map((style) => `<style>${style}</style>`).join('\n')}
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
<header class="top">
<div><h1>What your agents sent</h1><p id="subtitle"></p></div>
<button type="button" id="theme" aria-pressed="false">Dark</button>
</header>
<main id="main" tabindex="-1">
<noscript><p class="note">This page needs JavaScript, which is in the page itself: it loads nothing.</p></noscript>
<section aria-label="Overview" id="overview"></section>
<details id="skipped" hidden></details>
<section aria-labelledby="where-title" id="where"><h2 id="where-title">Where the tokens are</h2></section>
<section aria-labelledby="sessions-title" id="sessions"><h2 id="sessions-title">Sessions</h2></section>
<section aria-label="Session" id="session" hidden></section>
</main>
<footer>
<details><summary>How to read this</summary>
<p>Tokens are those of the input of all requests: an agent sends its history again with each. A <em>session</em> is what palimpsest would have sent in their place: the same history within the limit, cut rarely, so that the provider's cache keeps working. Costs are list prices, as of the day of the report.</p>
<p><em>Still there</em> is the share of the facts (paths, names, numbers) from older messages which the next messages used, and which the request with a session still contained. It is measured on these very sessions, at some of their requests.</p>
<p>A message is <em>kept</em>, <em>cut</em> (parts of it are left) or <em>gone</em> in the last request with a session. Nothing is lost: the history stays whole, and palimpsest restores what was cut.</p>
</details>
</footer>
<script type="application/json" id="data">${embedded(redact ? withoutContents(report) : report)}</script>
${scripts.map((script) => `<script>${script}</script>`).join('\n')}
</body>
</html>
`;
}
