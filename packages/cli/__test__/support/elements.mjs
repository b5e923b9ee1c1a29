// As much of a document as the client's functions take, so that their HTML can be tested without a browser.

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

class Element {
  children = [];
  dataset = {};
  attributes = {};
  style = {};
  className = '';
  hidden = false;

  constructor(name) {
    this.name = name;
  }

  set textContent(text) {
    this.children = [text];
  }

  setAttribute(name, value) {
    this.attributes[name] = value;
  }

  addEventListener() {}

  get firstChild() {
    return this.children[0];
  }

  append(...children) {
    this.children.push(...children);
  }

  prepend(...children) {
    this.children.unshift(...children);
  }

  replaceChildren(...children) {
    this.children = children;
  }

  toString() {
    const attributes = Object.entries({ ...(this.className && { class: this.className }), ...this.attributes });
    const inside = this.children.map((child) => (child instanceof Element ? String(child) : escaped(String(child)))).join('');
    return `<${this.name}${attributes.map(([name, value]) => ` ${name}="${escaped(value)}"`).join('')}>${inside}</${this.name}>`;
  }
}

/** Runs `draw` with such a document, and returns the HTML of the elements that it returns. @param {() => any[]} draw */
export function htmlOf(draw) {
  const observer = class {
    observe() {}
    disconnect() {}
  };
  Object.assign(globalThis, {
    document: { createElement: (name) => new Element(name), createElementNS: (_, name) => new Element(name) },
    IntersectionObserver: observer,
  });
  try {
    return draw().filter(Boolean).join('\n');
  } finally {
    for (const name of ['document', 'IntersectionObserver']) Reflect.deleteProperty(globalThis, name);
  }
}
