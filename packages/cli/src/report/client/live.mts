// What goes through the proxy, live, above its report. The report is made anew when the reader asks for it.
import { report } from './data.mjs';
import { byId, make } from './dom.mjs';
import { change, missedTokens, number, plural } from './format.mjs';
import { shadowWords } from './shadow.mjs';
import type { LogEntry, News, ProxyTotals, ReportState } from '../../types.mjs';

/** Where the reader was, while the page loads again. */
const PLACE = 'palimpsest-place';
/** Number of requests that are listed. */
const MAX_ROWS = 1000;

const liveView = byId('live');
const madeOf = Number(liveView.dataset.version);

/** The session of an address: their order changes while requests come. */
const sessionAt = (hash: string) => report.sessions[Number.parseInt(new URLSearchParams(hash.slice(1)).get('session') ?? '', 10)]?.id;

function loadAgain() {
  sessionStorage.setItem(PLACE, JSON.stringify({ id: sessionAt(location.hash), hash: location.hash, y: scrollY }));
  location.reload();
}

/** Goes to where the reader was. */
function returnToPlace() {
  const saved = sessionStorage.getItem(PLACE);
  sessionStorage.removeItem(PLACE);
  if (saved === null) return;
  const { id, hash, y } = JSON.parse(saved);
  const index = report.sessions.findIndex((session) => session.id === id);
  const target = new URLSearchParams(hash.slice(1));
  if (index >= 0) target.set('session', String(index));
  history.replaceState(null, '', index < 0 ? location.pathname : `#${target}`);
  addEventListener('load', () => scrollTo(0, y), { once: true });
}

const numberCell = (value: number | undefined) => make('td.number', {}, value === undefined ? '' : number(Math.round(value)));

function requestRow({ time, api, model, before, after, reused, output, status, ms, passed, epoch, missed, ended }: LogEntry) {
  const note = passed ? `as it came: ${passed}` : epoch ? `chosen anew (${epoch})` : '';
  return make(
    'tr',
    {},
    make('td', {}, new Date(time).toLocaleTimeString()),
    make('td', {}, api),
    make('td', {}, make('bdi', {}, model ?? '')),
    ...[before, after, reused, output, status, ms].map(numberCell),
    make('td', {}, [ended === 'whole' ? '' : ended, note, missed && `not cached: ${missedTokens(missed)}`].filter(Boolean).join(', ')),
  );
}

function showTotals({ requests, before, after }: ProxyTotals) {
  byId('live-requests').textContent = number(requests);
  byId('live-before').textContent = number(Math.round(before));
  byId('live-after').textContent = number(Math.round(after));
  const { kind, words } = change(before, after, (value) => number(Math.round(value)));
  byId('live-change').textContent = before === 0 ? '–' : words;
  byId('live-change').className = kind;
}

function showUncut(uncut: [reason: string, requests: number][]) {
  byId('live-uncut').hidden = uncut.length === 0;
  byId('live-uncut').textContent = uncut.map(([reason, count]) => `${plural(count, 'request')} went out uncut: ${reason}.`).join(' ');
}

function showReportState({ version, gone, missed, failures }: ReportState) {
  const fresh = version - madeOf;
  byId('news').hidden = fresh <= 0;
  byId('news-text').textContent = `${plural(fresh, 'request')} since this report was made.`;
  const left = [
    gone > 0 && `The report has the sessions that were used last; ${plural(gone, 'older one')} had to go.`,
    missed > 0 && `Too large, or too many at once for the report: ${plural(missed, 'request')}.`,
    failures > 0 && 'The report began anew after a failure.',
  ].filter(Boolean);
  if (left.length > 0) byId('live-left').textContent = left.join(' ');
  // Nobody reads a report without sessions.
  if (fresh > 0 && report.sessions.length === 0) loadAgain();
}

returnToPlace();
if (report.sessions.length === 0) {
  for (const name of ['overview', 'where', 'sessions']) byId(name).hidden = true;
  byId('live-left').textContent = 'The report begins with the first request.';
}
byId('news-show').addEventListener('click', loadAgain);
// The address may end with the token.
const events = new EventSource(`${location.pathname.replace(/\/$/, '')}/palimpsest/events`);
let isFirstEvent = true;
events.onopen = () => {
  isFirstEvent = true;
  byId('live-state').textContent = 'live';
};
events.onerror = () => {
  byId('live-state').textContent = 'not connected';
};
events.onmessage = ({ data }) => {
  const { totals, records = [], report: state, shadow, leftOut, uncut }: News = JSON.parse(data);
  const rows = byId('live-rows');
  if (isFirstEvent) rows.replaceChildren();
  isFirstEvent = false;
  for (const record of records) rows.prepend(requestRow(record));
  while (rows.childElementCount > MAX_ROWS) rows.lastElementChild?.remove();
  if (totals) showTotals(totals);
  if (state) showReportState(state);
  if (shadow) byId('live-shadow').textContent = `Shadow requests: ${shadowWords(shadow)}.`;
  if (leftOut) byId('live-left-out').textContent = `Cut requests can't be compared, because ${leftOut}.`;
  if (uncut) showUncut(uncut);
};
