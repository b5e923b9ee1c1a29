// Where the tokens are: by kind, tool and file. Each row opens the messages with most of them.
import { bar, make } from './dom.js';
import { number, percent, plural } from './format.js';

const TITLES = { kind: 'Kind', tool: 'Tool', file: 'File' };
const NAMELESS = { tool: 'no tool', file: 'no file', kind: 'other' };
/** Rows that are shown before "all" is pressed. */
const FEW = 12;

/**
 * @param {any} report
 * @param {(session: number, message: number) => void} open
 */
export function where(report, open) {
  const tables = ['kind', 'tool', 'file'].map((by) => report.where.find((one) => one.by === by)).filter(Boolean);
  const panel = make('div.rows', { role: 'tabpanel', id: 'where-panel', tabindex: '0' });
  const tabs = tables.map(({ by }, index) =>
    make(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: `where-${by}`,
        'aria-controls': 'where-panel',
        onclick: () => show(index),
        onkeydown: (event) => {
          const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
          if (!step) return;
          event.preventDefault();
          const next = (index + step + tables.length) % tables.length;
          show(next);
          tabs[next].focus();
        },
      },
      TITLES[by],
    ),
  );

  function row({ by, rows }, one, total) {
    const list = make('ol.places', { hidden: true });
    const name = one.name === '' ? NAMELESS[by] : one.name === '…' ? 'all others' : one.name;
    const button = make(
      'button.row',
      {
        type: 'button',
        'aria-expanded': 'false',
        disabled: one.messages.length === 0,
        onclick: () => {
          if (list.childElementCount === 0) list.append(...one.messages.map(place));
          list.hidden = !list.hidden;
          button.setAttribute('aria-expanded', String(!list.hidden));
        },
      },
      make('bdi.name', {}, name),
      bar(one.tokens / rows[0].tokens || 0, 'accent'),
      make('span.value', {}, `${number(one.tokens)} · ${percent(one.tokens / total)}`),
    );
    return make('div', {}, button, list);
  }

  function place([session, index]) {
    const { title, messages } = report.sessions[session];
    const message = messages[index];
    const label = `${message.tool ?? message.role}${message.file ? ` ${message.file}` : ''} · ${plural(message.tokens, 'token')} · message ${index} of ${title}`;
    return make('li', {}, make('button.link', { type: 'button', onclick: () => open(session, index) }, make('bdi', {}, label)));
  }

  function show(index, isAll = false) {
    for (const [at, tab] of tabs.entries()) {
      tab.setAttribute('aria-selected', String(at === index));
      tab.tabIndex = at === index ? 0 : -1;
    }
    panel.setAttribute('aria-labelledby', tabs[index].id);
    const table = tables[index];
    const total = table.rows.reduce((sum, { tokens }) => sum + tokens, 0) || 1;
    const shown = isAll ? table.rows : table.rows.slice(0, FEW);
    panel.replaceChildren(...shown.map((one) => row(table, one, total)));
    if (shown.length < table.rows.length) {
      panel.append(make('button.more', { type: 'button', onclick: () => show(index, true) }, `Show all ${table.rows.length}`));
    }
    if (table.rows.length === 0) panel.append(make('p.note', {}, 'Nothing here.'));
  }
  show(0);
  const note = `Contents of all messages, each counted once: ${plural(report.totals.content, 'token')}. Agents send most of them many times.`;
  return [make('p.note', {}, note), make('div.tabs', { role: 'tablist', 'aria-label': 'Where the tokens are' }, tabs), panel];
}
