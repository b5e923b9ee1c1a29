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
