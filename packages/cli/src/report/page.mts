// The report as one HTML file: no network, no content of a transcript anywhere but in a block of JSON.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { sourceOf } from '../policy.mjs';
import { shadowWords } from './client/shadow.mjs';
import { withoutContents } from './redact.mjs';
import type { Report } from '../types.mjs';

/** `version`: of the report; `isDry`: requests went out as they came */
type Live = { version: number; isDry: boolean };

/** Modules of the client, each behind those that it imports. */
const MODULES = [
  'format',
  'shadow',
  'words',
  'dom',
  'data',
  'findings',
  'curve',
  'overview',
  'where',
  'sessions',
  'chart',
  'context',
  'markdown',
  'edits',
  'gone',
  'conversation',
  'main',
];

const require = createRequire(import.meta.url);
const read = (path: string) => readFileSync(new URL(`client/${path}`, import.meta.url), 'utf8');
/** A library of the page, with its license. */
function library(name: string, file: string) {
  const manifest = require.resolve(`${name}/package.json`);
  const text = (path: string) => readFileSync(join(dirname(manifest), path), 'utf8');
  return `/*! ${name} ${JSON.parse(text('package.json')).version}\n${text('LICENSE')}*/\n${text(file).replace(/\n\/\/# sourceMappingURL=.*\s*$/, '')}`;
}
/** Read at once: if one is missing, that shows before there is a report to lose. */
const LIBRARIES = {
  style: readFileSync(require.resolve('uplot/dist/uPlot.min.css'), 'utf8'),
  script: [library('uplot', 'dist/uPlot.iife.min.js'), library('marked', 'lib/marked.umd.js'), library('diff', 'dist/diff.min.js')].join(
    '\n;\n',
  ),
};

/** Modules as one script: names are unique among them, so that their imports and exports can go. */
const joined = (names: string[]) =>
  names
    .map((name) =>
      read(`${name}.mjs`)
        .replace(/^import .*;\n/gm, '')
        .replace(/^export (?=const|function)/gm, ''),
    )
    .join('\n');

/** JSON that ends no element: `<` is escaped. */
const embedded = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');

/** What goes through the proxy. */
const liveSection = ({ version, isDry }: Live) => `<section aria-labelledby="live-title" id="live" data-version="${version}">
<h2 id="live-title">Live</h2>
<p class="note">State: <span id="live-state" role="status">connecting</span>. These figures are palimpsest's, in the provider's tokens after the first answer of a conversation; those of the report are what the provider said. Conversations are in the memory of this proxy only; keys are not kept.</p>
<p id="live-uncut" role="alert" hidden></p>
<dl id="live-figures">
<div><dt>Requests</dt><dd id="live-requests">0</dd></div>
<div><dt>Tokens that came</dt><dd id="live-before">0</dd></div>
<div><dt>${isDry ? 'Tokens that would be sent' : 'Tokens sent'}</dt><dd id="live-after">0</dd></div>
<div><dt>Change</dt><dd id="live-change">–</dd></div>
</dl>
<details>
<summary>The last requests</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Requests as they come">
<table>
<thead><tr><th scope="col">Time</th><th scope="col">API</th><th scope="col">Model</th><th scope="col" class="number">Came</th>
<th scope="col" class="number">Sent</th><th scope="col" class="number">Same start</th><th scope="col" class="number">Answer</th>
<th scope="col" class="number">Status</th><th scope="col" class="number">ms</th><th scope="col">Note</th></tr></thead>
<tbody id="live-rows"></tbody>
</table>
</div>
</details>
<p class="note" id="live-shadow" role="status"></p>
<p class="note" id="live-left-out" role="status"></p>
<p class="note" id="live-left" role="status"></p>
<div id="news" hidden><p id="news-text" role="status"></p><button type="button" class="more" id="news-show">Show them in the report</button></div>
</section>
`;

const SENT =
  "What was sent has the provider's own counts; what came is estimated from them, with the same share of what repeats read from the cache. A <em>session</em> of palimpsest sent, in place of what came";

/**
 * Returns the page of a report.
 *
 * @param options `redact`: leaves out what the messages say; `live`: shows above the report what goes through the proxy that serves the page
 */
export function page(report: Report, { redact = false, live }: { redact?: boolean; live?: Live } = {}): string {
  const styles = [LIBRARIES.style, read('style.css'), ...(live ? [read('live.css')] : [])];
  const modules = live ? MODULES.toSpliced(-1, 0, 'live') : MODULES;
  const scripts = [LIBRARIES.script, `'use strict';\n{\n${joined(modules)}}\n`];
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.map(sourceOf).join(' ')}`,
    `style-src ${styles.map(sourceOf).join(' ')}`,
    'img-src data:',
    ...(live ? ["connect-src 'self'"] : []),
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
<title>palimpsest ${live ? 'proxy' : 'report'}</title>
<link rel="icon" href="data:,">
${styles.map((style) => `<style>${style}</style>`).join('\n')}
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
<header class="top">
<div><h1>${live ? 'What went through the proxy' : 'What your agents sent'}</h1><p id="subtitle"></p></div>
<button type="button" id="theme">Dark</button>
</header>
<main id="main" tabindex="-1">
<noscript><p class="note">This page needs JavaScript, which is in the page itself: it loads nothing.</p></noscript>
${live ? liveSection(live) : ''}<div id="overview"></div>
${report.shadow && !live ? `<p class="note" id="shadow">Shadow requests: ${shadowWords(report.shadow)}.</p>\n` : ''}<details id="skipped" hidden></details>
<section aria-labelledby="where-title" id="where"><h2 id="where-title">Where the money is</h2></section>
<section aria-labelledby="sessions-title" id="sessions"><h2 id="sessions-title">Sessions</h2></section>
<section aria-label="Session" id="session" hidden></section>
</main>
<footer>
<details><summary>How to read this</summary>
<p>Tokens are those of the input of all requests: an agent sends its history again with each. ${report.isProxied ? SENT : '<em>With palimpsest</em> is what it would have sent in their place'}: the same history within the limit, cut rarely, so that the provider's cache keeps working. Costs are list prices, as of the day of the report.</p>
<p><em>Still there</em> is the share of the facts (paths, names, numbers) from older messages which the next messages used, and which the request with palimpsest still contained. It is measured on these very sessions, at some of their requests.</p>
<p>A message is <em>kept</em>, <em>cut</em> (parts of it are left) or <em>gone</em> in the last request with palimpsest. Nothing is lost: the history stays whole, and palimpsest restores what was cut.</p>
</details>
</footer>
<script type="application/json" id="data">${embedded(redact ? withoutContents(report) : report)}</script>
${scripts.map((script) => `<script>${script}</script>`).join('\n')}
</body>
</html>
`;
}
