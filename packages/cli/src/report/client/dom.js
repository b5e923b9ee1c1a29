// Elements. Text of transcripts only ever becomes a text node.

/**
 * Makes an element. Children are elements or strings; `null` and `undefined` are left out.
 *
 * @param {string} tag with its class: `p.note`
 * @param {Record<string, any>} [attributes] `on…` are listeners
 * @param {...any} children
 * @returns {any}
 */
export function make(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split('.');
  const element = document.createElement(name);
  if (classes.length > 0) element.className = classes.join(' ');
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  element.append(...children.flat(2).filter((child) => child !== null && child !== undefined));
  return element;
}

/** Makes an element of a drawing. @param {string} tag @param {Record<string, any>} attributes @param {...any} children @returns {any} */
export function drawn(tag, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** A path, whose middle gives way where there is no room: its end says most. @param {string} path */
export function pathName(path) {
  const end = path.lastIndexOf('/', path.length - 2);
  return end <= 0
    ? make('bdi.name', {}, path)
    : make('bdi.name.path', {}, make('span', {}, path.slice(0, end)), make('span', {}, path.slice(end)));
}

/**
 * Makes tabs. Arrow keys go from one to the next.
 *
 * @param {string} name of the group, which ids begin with
 * @param {string} label
 * @param {{ id: string, title: string }[]} all
 * @param {(id: string, panel: any) => void} show fills the panel
 */
export function tabs(name, label, all, show) {
  const panel = make('div', { role: 'tabpanel', id: `${name}-panel`, tabindex: '0' });
  const choose = (index) => {
    for (const [at, button] of buttons.entries()) {
      button.setAttribute('aria-selected', String(at === index));
      button.tabIndex = at === index ? 0 : -1;
    }
    panel.setAttribute('aria-labelledby', buttons[index].id);
    show(all[index].id, panel);
  };
  const buttons = all.map(({ id, title }, index) =>
    make(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: `${name}-${id}`,
        'aria-controls': `${name}-panel`,
        onclick: () => choose(index),
        onkeydown: (event) => {
          const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
          if (!step) return;
          event.preventDefault();
          const next = (index + step + all.length) % all.length;
          choose(next);
          buttons[next].focus();
        },
      },
      title,
    ),
  );
  if (all.length > 0) choose(0);
  return [make('div.tabs', { role: 'tablist', 'aria-label': label }, buttons), panel];
}

/**
 * Makes a table that is sorted by the column whose title is pressed.
 *
 * @param {object} options
 * @param {string} options.caption
 * @param {{ title: string, of: (row: any) => number | string, show: (row: any) => any, isName?: boolean, isWide?: boolean }[]} options.columns those
 *   that are wide are left out on narrow screens
 * @param {any[]} options.rows in their first order
 * @param {number} options.few number of rows that are shown at first
 * @param {number} [options.sorted] column by which the rows are sorted, descending
 * @param {(row: any) => any} [options.more] what a press on a row's name shows below it; nothing for rows without
 */
export function sortable({ caption, columns, rows, few, sorted, more }) {
  const box = make('div.table');
  let [order, isUp, isAll, list] = [sorted, false, false, rows];
  const sort = (column) => {
    isUp = order === column ? !isUp : columns[column].isName === true;
    order = column;
    const { of } = columns[column];
    list = [...rows].sort((a, b) => {
      const [one, other] = [of(isUp ? a : b), of(isUp ? b : a)];
      return typeof one === 'string' ? one.localeCompare(other) : one - other;
    });
    draw();
    box.querySelectorAll('th button')[column].focus();
  };
  const cellClass = ({ isName, isWide }) => `${isName ? '.named' : ''}${isWide ? '.wide' : ''}`;
  function line(row) {
    const below = more?.(row);
    const place = make('tr', { hidden: true }, make('td', { colspan: columns.length }));
    const cells = columns.map((column) => {
      const shown = column.show(row);
      const content =
        column.isName && below
          ? make(
              'button.row',
              {
                type: 'button',
                'aria-expanded': 'false',
                onclick: (event) => {
                  if (place.hidden) place.firstChild.replaceChildren(below());
                  place.hidden = !place.hidden;
                  event.currentTarget.setAttribute('aria-expanded', String(!place.hidden));
                },
              },
              shown,
            )
          : shown;
      return make(`td${cellClass(column)}`, {}, content);
    });
    return [make('tr', {}, cells), below ? place : null];
  }
  function draw() {
    const shown = isAll ? list : list.slice(0, few);
    const head = columns.map((column, index) =>
      make(
        `th${cellClass(column)}`,
        { scope: 'col', 'aria-sort': index === order ? (isUp ? 'ascending' : 'descending') : undefined },
        make('button', { type: 'button', onclick: () => sort(index) }, column.title),
      ),
    );
    box.replaceChildren(
      make('table', {}, make('caption', {}, caption), make('thead', {}, make('tr', {}, head)), make('tbody', {}, shown.map(line))),
    );
    if (shown.length < list.length) {
      const all = () => {
        isAll = true;
        draw();
      };
      box.append(make('button.more', { type: 'button', onclick: all }, `Show all ${list.length}`));
    }
  }
  draw();
  return box;
}

/** @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

/** A bar for a share from 0 to 1. The number beside it says the same. */
export function bar(share, kind = '') {
  const fill = make(`span.fill${kind && `.${kind}`}`);
  fill.style.width = `${Math.max(0, Math.min(100, 100 * share))}%`;
  return make('span.bar', { 'aria-hidden': 'true' }, fill);
}

/** Number of elements that a list draws at once, so that long lists don't hold the page. */
const PIECE = 60;
/** Number of elements before the one that a list is asked for. */
const BEFORE = 5;

/**
 * Shows a list in pieces: the first at once, the next when the reader comes near its end or presses the button.
 *
 * @param {any} box takes the list, and the buttons around it
 * @param {string} tag of the list, with its class
 * @param {any[]} items
 * @param {(item: any, index: number) => any} draw
 * @returns {(index: number) => any} gives the element of an item, and draws the list around it if need be
 */
export function inPieces(box, tag, items, draw) {
  const list = make(tag);
  let [from, end] = [0, 0];
  const earlier = make('button.more', { type: 'button', onclick: () => extend(from - PIECE, end) });
  const later = make('button.more', { type: 'button', onclick: () => extend(from, end + PIECE) });
  const drawn = (start, stop) => items.slice(start, stop).map((item, offset) => draw(item, start + offset));
  const nearEnd = new IntersectionObserver((entries) => entries.at(-1).isIntersecting && extend(from, end + PIECE), {
    rootMargin: '600px',
  });

  function extend(newFrom, newEnd) {
    const [start, stop] = [Math.max(0, newFrom), Math.min(items.length, newEnd)];
    list.prepend(...drawn(start, from));
    list.append(...drawn(end, stop));
    [from, end] = [start, stop];
    earlier.textContent = `Show earlier (${from} left)`;
    earlier.hidden = from === 0;
    later.textContent = `Show more (${items.length - end} left)`;
    later.hidden = end === items.length;
    // Observed anew, the button reports again even if it is still in view.
    nearEnd.disconnect();
    if (!later.hidden) nearEnd.observe(later);
  }
  box.replaceChildren(earlier, list, later);
  extend(0, PIECE);
  return (index) => {
    if (index < from || index >= end) {
      list.replaceChildren();
      from = end = Math.max(0, index - BEFORE);
      extend(from, from + PIECE);
    }
    return list.children[index - from];
  };
}
