// @ts-check
// The page at `/`: what went through, live. Values enter it as text only.
import { sourceOf } from '../policy.mjs';

const STYLE = `
:root { color-scheme: light dark; --paper: #fff; --ink: #1d1c1a; --muted: #5f5c56; --line: #8885; --soft: #8882; --good: #18794e; }
@media (prefers-color-scheme: dark) { :root { --paper: #161615; --ink: #ece9e3; --muted: #a7a299; --good: #4cc38a; } }
body { background: var(--paper); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
h1 { font-size: 1.3rem; margin: 0 0 .2rem; }
dl { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin: 1.2rem 0; }
dt { color: var(--muted); font-size: .8rem; }
dd { font-size: 1.5rem; font-variant-numeric: tabular-nums; margin: 0; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .6rem; text-align: left; white-space: nowrap; }
.number { font-variant-numeric: tabular-nums; text-align: right; }
tbody tr:hover { background: var(--soft); }
#saved { color: var(--good); }
`;

const SCRIPT = `
const number = (value) => value === undefined ? '' : Math.round(value).toLocaleString('en');
const at = (id) => document.getElementById(id);
const cell = (text, isNumber) => {
  const td = document.createElement('td');
  td.textContent = text;
  if (isNumber) td.className = 'number';
  return td;
};
const rowOf = (one) => {
  const row = document.createElement('tr');
  const note = one.passed ? 'as it came: ' + one.passed : one.epoch ? 'chosen anew (' + one.epoch + ')' : '';
  row.append(cell(new Date(one.time).toLocaleTimeString()), cell(one.api), cell(one.model ?? ''), cell(number(one.before), true),
    cell(number(one.after), true), cell(number(one.reused), true), cell(number(one.output), true), cell(String(one.status ?? ''), true),
    cell(number(one.ms), true), cell([one.ended === 'whole' ? '' : one.ended, note].filter(Boolean).join(', ')));
  return row;
};
const show = ({ totals, records }) => {
  at('requests').textContent = number(totals.requests);
  at('before').textContent = number(totals.before);
  at('after').textContent = number(totals.after);
  at('saved').textContent = totals.before === 0 ? '–' : Math.round(100 * (1 - totals.after / totals.before)) + ' %';
  const rows = at('rows');
  for (const one of records) rows.prepend(rowOf(one));
  while (rows.childElementCount > 1000) rows.lastElementChild.remove();
};
const events = new EventSource('palimpsest/events');
let isFirst = true;
events.onopen = () => { isFirst = true; at('state').textContent = 'live'; };
events.onerror = () => { at('state').textContent = 'not connected'; };
events.onmessage = ({ data }) => {
  if (isFirst) at('rows').replaceChildren();
  isFirst = false;
  show(JSON.parse(data));
};
`;

const POLICY = [
  "default-src 'none'",
  `script-src ${sourceOf(SCRIPT)}`,
  `style-src ${sourceOf(STYLE)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers of the page. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

/**
 * Returns the page.
 *
 * @param {number} limit tokens
 */
export const pageOf = (limit) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>palimpsest proxy</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>palimpsest proxy</h1>
<p>Limit: ${limit.toLocaleString('en')} tokens. State: <span id="state" role="status">connecting</span>. Contents and keys are not recorded.</p>
<dl>
<div><dt>Requests</dt><dd id="requests">0</dd></div>
<div><dt>Tokens that came</dt><dd id="before">0</dd></div>
<div><dt>Tokens sent</dt><dd id="after">0</dd></div>
<div><dt>Saved</dt><dd id="saved">–</dd></div>
</dl>
<div class="table" tabindex="0" role="region" aria-label="Requests">
<table>
<thead><tr><th scope="col">Time</th><th scope="col">API</th><th scope="col">Model</th><th scope="col" class="number">Came</th>
<th scope="col" class="number">Sent</th><th scope="col" class="number">Same start</th><th scope="col" class="number">Answer</th>
<th scope="col" class="number">Status</th><th scope="col" class="number">ms</th><th scope="col">Note</th></tr></thead>
<tbody id="rows"></tbody>
</table>
</div>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
