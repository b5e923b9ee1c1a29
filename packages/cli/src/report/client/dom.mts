// Elements. Text of transcripts only ever becomes a text node.

/** What an element holds. */
export type Child = Node | string | null | undefined;
export type Children = Child | readonly Child[] | readonly (Child | readonly Child[])[];

/** Attributes of an element, and its listeners. */
type Attributes = Record<string, unknown> & {
  [Name in keyof HTMLElementEventMap as `on${Name}`]?: (event: HTMLElementEventMap[Name]) => void;
};

/** The element of a tag with its class. */
type ElementOf<Tag> = Tag extends `${infer Name}.${string}` ? Named<Name> : Named<Tag>;
type Named<Name> = Name extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Name] : HTMLElement;

/**
 * Makes an element. Children are elements or strings; `null` and `undefined` are left out.
 *
 * @param tag with its class: `p.note`
 * @param attributes `on…` are listeners
 */
export function make<Tag extends string>(tag: Tag, attributes: Attributes = {}, ...children: Children[]): ElementOf<Tag> {
  const [name, ...classes] = tag.split('.');
  const element = document.createElement(name);
  if (classes.length > 0) element.className = classes.join(' ');
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value as EventListener);
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  element.append(...children.flat(2).filter((child) => child !== null && child !== undefined));
  return element as ElementOf<Tag>;
}

/** Words with the commands between backticks in them as code. */
export const withCode = (text: string) => text.split('`').map((part, index) => (index % 2 === 1 ? make('code', {}, part) : part));

/** Makes an element of a drawing. */
export function drawn(tag: string, attributes: Record<string, string | number>, ...children: (Node | string)[]) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** A path, whose middle gives way where there is no room: its end says most. */
export function pathName(path: string) {
  const end = path.lastIndexOf('/', path.length - 2);
  return end <= 0
    ? make('bdi.name', {}, path)
    : make('bdi.name.path', {}, make('span', {}, path.slice(0, end)), make('span', {}, path.slice(end)));
}

/**
 * Makes tabs. Arrow keys go from one to the next.
 *
 * @param name of the group, which ids begin with
 * @param show fills the panel
 */
export function tabs<Id extends string>(
  name: string,
  label: string,
  all: { id: Id; title: string }[],
  show: (id: Id, panel: HTMLElement) => void,
) {
  const panel = make('div', { role: 'tabpanel', id: `${name}-panel`, tabindex: '0' });
  const choose = (index: number) => {
    for (const [at, button] of buttons.entries()) {
      button.setAttribute('aria-selected', String(at === index));
      button.tabIndex = at === index ? 0 : -1;
    }
    panel.setAttribute('aria-labelledby', buttons[index].id);
    show(all[index].id, panel);
  };
  const buttons: HTMLElement[] = all.map(({ id, title }, index) =>
    make(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: `${name}-${id}`,
        'aria-controls': `${name}-panel`,
        onclick: () => choose(index),
        onkeydown: (event) => {
          const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : undefined;
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

/** A column of a table of rows. */
export interface Column<Row> {
  title: string;
  /** what rows are sorted by */
  of: (row: Row) => number | string;
  show: (row: Row) => Children;
  isName?: boolean;
  /** whether it is left out on narrow screens */
  isWide?: boolean;
}

/** Makes a table that is sorted by the column whose title is pressed. */
export function sortable<Row>({
  caption,
  columns,
  rows,
  few,
  sorted,
  more,
}: {
  caption: string;
  columns: Column<Row>[];
  /** in their first order */
  rows: Row[];
  /** number of rows that are shown at first */
  few: number;
  /** column by which the rows are sorted, descending */
  sorted?: number | undefined;
  /** what a press on a row's name shows below it; nothing for rows without */
  more?: ((row: Row) => (() => Node) | undefined) | undefined;
}) {
  const box = make('div.table');
  let [order, isUp, isAll, list] = [sorted, false, false, rows];
  const sort = (column: number) => {
    isUp = order === column ? !isUp : columns[column].isName === true;
    order = column;
    const { of } = columns[column];
    list = [...rows].sort((a, b) => {
      const [one, other] = [of(isUp ? a : b), of(isUp ? b : a)];
      return typeof one === 'string' ? one.localeCompare(String(other)) : one - Number(other);
    });
    draw();
    box.querySelectorAll<HTMLElement>('th button')[column].focus();
  };
  const cellClass = ({ isName, isWide }: Column<Row>) => `${isName ? '.named' : ''}${isWide ? '.wide' : ''}`;
  function line(row: Row) {
    const below = more?.(row);
    const cell = make('td', { colspan: columns.length });
    const place = make('tr', { hidden: true }, cell);
    const cells = columns.map((column) => {
      const shown = column.show(row);
      const content =
        column.isName && below
          ? make(
              'button.row',
              {
                type: 'button',
                'aria-expanded': 'false',
                onclick: ({ currentTarget }) => {
                  if (place.hidden) cell.replaceChildren(below());
                  place.hidden = !place.hidden;
                  (currentTarget as Element).setAttribute('aria-expanded', String(!place.hidden));
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

export const byId = (id: string) => document.getElementById(id) as HTMLElement;

/** A bar for a share from 0 to 1. The number beside it says the same. */
export function bar(share: number, kind: string = '') {
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
 * @param box takes the list, and the buttons around it
 * @param tag of the list, with its class
 * @returns gives the element of an item, and draws the list around it if need be
 */
export function inPieces<Item>(
  box: Element,
  tag: string,
  items: Item[],
  draw: (item: Item, index: number) => HTMLElement,
): (index: number) => HTMLElement | undefined {
  const list = make(tag);
  let [from, end] = [0, 0];
  const earlier = make('button.more', { type: 'button', onclick: () => extend(from - PIECE, end) });
  const later = make('button.more', { type: 'button', onclick: () => extend(from, end + PIECE) });
  const drawn = (start: number, stop: number) => items.slice(start, stop).map((item, offset) => draw(item, start + offset));
  const nearEnd = new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting && extend(from, end + PIECE), {
    rootMargin: '600px',
  });

  function extend(newFrom: number, newEnd: number) {
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
    return list.children[index - from] as HTMLElement | undefined;
  };
}
