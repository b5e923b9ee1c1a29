// The list of sessions.
import { inPieces, make } from './dom.js';
import { agentName, day, dollars, number, percent, plural, short } from './format.js';

/**
 * @param {any} report
 * @param {(session: number) => void} open
 */
export function sessionList(report, open) {
  const box = make('div');
  const list = make('ul.sessions');
  const status = make('p.note', { role: 'status' });
  const all = report.sessions.map((session, index) => ({ session, index }));

  function draw({ session, index }) {
    const { title, agent, model, started, count, tokens, sent, cost, costWithSession, kept } = session;
    const facts = [
      agentName(agent),
      model,
      day(started),
      plural(count.requests, 'request'),
      plural(count.messages, 'message'),
      count.epochs > 0 ? plural(count.epochs, 'epoch') : 'never cut',
    ].filter(Boolean);
    const figure = (name, value) => make('span.figure', {}, make('small', {}, name), value);
    return make(
      'li',
      {},
      make(
        'button.session',
        { type: 'button', 'data-session': index, onclick: () => open(index) },
        make('span.what', {}, make('bdi.title', { dir: 'auto' }, title), make('span.facts', {}, make('bdi', {}, facts.join(' · ')))),
        make(
          'span.figures',
          {},
          figure('sent', short(tokens)),
          figure('with a session', short(sent)),
          figure('cost', cost === undefined ? '–' : dollars(cost)),
          figure('with one', costWithSession === undefined ? '–' : dollars(costWithSession)),
          figure('still there', kept === undefined ? '–' : percent(kept)),
        ),
      ),
    );
  }

  function filter(words) {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    const found = all.filter(({ session }) => {
      const text = `${session.title} ${session.model ?? ''} ${agentName(session.agent)} ${session.cwd ?? ''} ${session.file}`.toLowerCase();
      return wanted.every((word) => text.includes(word));
    });
    inPieces(box, list, found, draw);
    status.textContent = found.length === all.length ? '' : `${number(found.length)} of ${plural(all.length, 'session')}`;
  }

  const search = make('input', {
    type: 'search',
    placeholder: 'Filter by title, model, folder',
    'aria-label': 'Filter sessions',
    oninput: () => filter(search.value),
  });
  filter('');
  return [all.length > 1 ? make('div.tools', {}, search) : null, status, box];
}
