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
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

/** A bar for a share from 0 to 1. The number beside it says the same. */
export function bar(share, kind = '') {
  const fill = make(`span.fill${kind && `.${kind}`}`);
  fill.style.width = `${Math.max(0, Math.min(100, 100 * share))}%`;
  return make('span.bar', { 'aria-hidden': 'true' }, fill);
}

/** Elements that are added in pieces, so that long lists don't hold the page. */
const PIECE = 60;

/**
 * Shows a list in pieces: the first at once, the next when the reader comes near its end or presses the button.
 *
 * @param {any} box takes the list, and the button behind it
 * @param {any} list
 * @param {any[]} items
 * @param {(item: any, index: number) => any} draw
 * @returns {(index: number) => any} draws up to an item, and gives its element
 */
export function inPieces(box, list, items, draw) {
  let shown = 0;
  const button = make('button.more', { type: 'button', onclick: () => more(shown + PIECE) });
  const more = (upTo) => {
    const end = Math.min(items.length, upTo);
    const added = [];
    for (; shown < end; shown++) added.push(draw(items[shown], shown));
    list.append(...added);
    button.textContent = `Show more (${items.length - shown} left)`;
    button.hidden = shown >= items.length;
  };
  list.replaceChildren();
  box.replaceChildren(list, button);
  more(PIECE);
  if ('IntersectionObserver' in globalThis) {
    new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && more(shown + PIECE), {
      rootMargin: '600px',
    }).observe(button);
  }
  return (index) => {
    more(Math.max(shown, index + 1));
    return list.children[index];
  };
}
