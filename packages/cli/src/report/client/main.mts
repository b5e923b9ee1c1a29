// Puts the page together. The address names the session and the message that are shown: `#session=2&message=14`.
import { chart } from './chart.mjs';
import { contextView } from './context.mjs';
import { conversation } from './conversation.mjs';
import { report } from './data.mjs';
import { byId, make } from './dom.mjs';
import { agentName, change, clock, dollars, number, percent, plural, whyNoCost } from './format.mjs';
import { overview, subtitle } from './overview.mjs';
import { sessionList } from './sessions.mjs';
import { where } from './where.mjs';
import { wordsFor } from './words.mjs';
import type { SessionData } from '../../types.mjs';

const words = wordsFor(report);
const isRedacted = document.documentElement.dataset.redacted === 'true';
/** What draws the chart of the session that is shown, and what goes to one of its messages. */
let [drawChart, showMessage]: [() => void, (index: number) => void] = [() => {}, () => {}];

/** Goes to a session, or to one of its messages. */
function open(session: number, message?: number) {
  const hash = `#session=${session}${message === undefined ? '' : `&message=${message}`}`;
  // The same address again is no change of it.
  if (location.hash === hash) follow();
  else location.hash = hash;
}

function facts(session: SessionData): [name: string, value: string][] {
  const { agent, model, cwd, file, started, ended, count, tokens, sent, cost, costWithSession, kept, counted, tokenizer, skipped } =
    session;
  const counts =
    counted === 'recorded' ? words.reported : counted === 'exact' ? `counted with ${tokenizer}` : `estimated with ${tokenizer}`;
  return [
    ['Agent', [agentName(agent), model].filter(Boolean).join(', ')],
    ['Time', [clock(started), clock(ended)].filter(Boolean).join(' – ')],
    ['Folder', cwd],
    ['File', file],
    ['Requests', `${number(count.requests)}, ${words.cutting} ${number(count.epochs)}`],
    ['Tokens', `${words.sums(number(tokens), counts, number(sent))}: ${change(tokens, sent, number).words}`],
    [
      'Cost',
      cost === undefined || costWithSession === undefined
        ? `unknown: ${whyNoCost(session, report.totals.unpriced)}`
        : `${words.costs(dollars(cost), dollars(costWithSession))}: ${change(cost, costWithSession, dollars).words}`,
    ],
    ['Still there', kept === undefined ? undefined : `${percent(kept)} of what the next messages used`],
    ['Not read', skipped > 0 ? plural(skipped, 'unknown line') : undefined],
  ].flatMap(([name, value]): [string, string][] => (name && value ? [[name, value]] : []));
}

/** Shows a session, or none. */
function showSession(index: number | undefined) {
  const session = report.sessions[index ?? -1];
  const view = byId('session');
  list.mark(session && index);
  view.hidden = session === undefined;
  if (session === undefined || index === undefined) return;
  if (view.dataset.shown !== String(index)) {
    const plot =
      session.requests.length > 0
        ? chart(session, report.limit, words, (message) => open(index, message))
        : { elements: [], draw: () => {} };
    const messages = conversation(session, report.limit, isRedacted, words);
    view.replaceChildren(
      make('h2', { id: 'session-title', tabindex: '-1' }, make('bdi', { dir: 'auto' }, session.title)),
      make(
        'dl.facts',
        {},
        ...facts(session).map(([name, value]) => make('div', {}, make('dt', {}, name), make('dd', {}, make('bdi', {}, value)))),
      ),
      ...session.notes.map((note) => make('p.note', {}, make('bdi', {}, note))),
      ...(session.context
        ? [
            make('h3', {}, report.isProxied ? 'What the last request is made of' : 'What the last request would be made of'),
            ...contextView(session.context),
          ]
        : []),
      ...(plot.elements.length > 0 ? [make('h3', {}, 'Tokens and cost of each request'), ...plot.elements] : []),
      make('h3', {}, 'The conversation'),
      ...(isRedacted ? [make('p.note', {}, 'What the messages say was left out of this page.')] : []),
      ...messages.elements,
    );
    view.dataset.shown = String(index);
    [drawChart, showMessage] = [plot.draw, messages.show];
  }
  // The window may have changed while the chart was hidden.
  drawChart();
}

/** Shows what the address names, and scrolls there. A report of one session shows it in any case. */
function follow() {
  const target = new URLSearchParams(location.hash.slice(1));
  const at = (name: string) => (/^\d+$/.test(target.get(name) ?? '') ? Number(target.get(name)) : undefined);
  const [session, message] = [at('session'), at('message')];
  showSession(session ?? (report.sessions.length === 1 ? 0 : undefined));
  const view = byId('session');
  if (session === undefined || view.hidden) return;
  if (message !== undefined) showMessage(message);
  else {
    view.scrollIntoView({ block: 'start' });
    byId('session-title').focus({ preventScroll: true });
  }
}

function setTheme(theme: string) {
  document.documentElement.dataset.theme = theme;
  byId('theme').textContent = theme === 'dark' ? 'Light' : 'Dark';
  drawChart();
}

byId('subtitle').textContent = subtitle(report);
byId('overview').replaceChildren(...overview(report, open));
byId('where').append(...where(report, open));
const list = sessionList(report, open);
byId('sessions').append(...list.elements.filter((element) => element !== null));
if (report.skipped.length > 0) {
  byId('skipped').hidden = false;
  byId('skipped').append(
    make('summary', {}, `${plural(report.skipped.length, 'file')} left out`),
    make('ul', {}, ...report.skipped.map(({ file, reason }) => make('li', {}, make('bdi', {}, file), ': ', make('bdi', {}, reason)))),
  );
}
byId('theme').addEventListener('click', () => setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'));
setTheme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
// On paper everything is light, also what is drawn.
let themeBefore = '';
addEventListener('beforeprint', () => {
  themeBefore = document.documentElement.dataset.theme ?? '';
  setTheme('light');
});
addEventListener('afterprint', () => setTheme(themeBefore));
document.querySelector('.skip')?.addEventListener('click', (event) => {
  // The address goes on naming the session.
  event.preventDefault();
  byId('main').focus();
});
addEventListener('hashchange', follow);
let width = innerWidth;
addEventListener('resize', () => {
  // Telephones change the height of the window while the reader scrolls.
  if (innerWidth !== width) drawChart();
  width = innerWidth;
});
follow();
document.documentElement.dataset.ready = 'true';
