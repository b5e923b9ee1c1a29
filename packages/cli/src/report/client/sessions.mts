// The list of sessions.
import { inPieces, make } from './dom.mjs';
import { agentName, change, day, dollars, number, percent, plural, short, whyNoCost } from './format.mjs';
import { wordsFor } from './words.mjs';
import type { Report, SessionData } from '../../types.mjs';

/** Why it is unknown what was still there. */
const NOT_MEASURED = 'too little came after anything was cut to measure it';

/** @returns `mark` names the session that is shown */
export function sessionList(
  report: Report,
  open: (session: number) => void,
): { elements: (Node | null)[]; mark: (session: number | undefined) => void } {
  const box = make('div');
  const status = make('p.note', { role: 'status' });
  let current: number | undefined;
  const [before, after, costBefore, costAfter] = wordsFor(report).figures;
  const all = report.sessions.map((session, index) => ({ session, index }));

  function draw({ session, index }: { session: SessionData; index: number }) {
    const { title, agent, model, started, count, tokens, sent, cost, costWithSession, kept } = session;
    const facts = [
      agentName(agent),
      model,
      day(started),
      plural(count.requests, 'request'),
      plural(count.messages, 'message'),
      count.epochs > 0 ? plural(count.epochs, 'epoch') : 'never cut',
    ].filter(Boolean);
    const figure = (name: string, value: string, title?: string, kind = '') =>
      make(`span.figure${kind && `.${kind}`}`, { title }, make('small', {}, name), value);
    /** A figure with palimpsest. Only a loss has a colour, and says so. */
    const became = (name: string, from: number, to: number, shown: (value: number) => string) => {
      const { kind, words } = change(from, to, shown);
      return kind === 'loss' ? figure(name, `${shown(to)}, more`, words, kind) : figure(name, shown(to), words);
    };
    const noCost = cost === undefined ? whyNoCost(session, report.totals.unpriced) : undefined;
    return make(
      'li',
      {},
      make(
        'button.session',
        { type: 'button', 'data-session': index, 'aria-current': index === current && 'true', onclick: () => open(index) },
        make('span.what', {}, make('bdi.title', { dir: 'auto' }, title), make('span.facts', {}, make('bdi', {}, facts.join(' · ')))),
        make(
          'span.figures',
          {},
          figure(before, short(tokens)),
          became(after, tokens, sent, short),
          figure(costBefore, cost === undefined ? '–' : dollars(cost), noCost),
          cost === undefined || costWithSession === undefined
            ? figure(costAfter, '–', noCost)
            : became(costAfter, cost, costWithSession, dollars),
          figure('still there', kept === undefined ? '–' : percent(kept), kept === undefined ? NOT_MEASURED : undefined),
        ),
      ),
    );
  }

  function filter(words: string) {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    const found = all.filter(({ session }) => {
      const text = `${session.title} ${session.model ?? ''} ${agentName(session.agent)} ${session.cwd ?? ''} ${session.file}`.toLowerCase();
      return wanted.every((word) => text.includes(word));
    });
    inPieces(box, 'ul.sessions', found, draw);
    status.textContent = found.length === all.length ? '' : `${number(found.length)} of ${plural(all.length, 'session')}`;
  }

  const search = make('input', {
    type: 'search',
    placeholder: 'Filter by title, model, folder',
    'aria-label': 'Filter sessions',
    oninput: () => filter(search.value),
  });
  filter('');
  function mark(index: number | undefined) {
    current = index;
    for (const button of box.querySelectorAll<HTMLElement>('[data-session]')) {
      if (button.dataset.session === String(index)) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    }
  }

  const noCosts = [
    ...new Set(report.sessions.filter(({ cost }) => cost === undefined).map((one) => whyNoCost(one, report.totals.unpriced))),
  ];
  const dashes = [
    ...(noCosts.length > 0 ? [`Cost: ${noCosts.join('; ')}.`] : []),
    ...(report.sessions.some(({ kept }) => kept === undefined) ? [`Still there: ${NOT_MEASURED}.`] : []),
  ];
  const footnote = dashes.length > 0 ? make('p.note', {}, '– is unknown. ', make('bdi', {}, dashes.join(' '))) : null;
  return { elements: [all.length > 1 ? make('div.tools', {}, search) : null, status, box, footnote], mark };
}
