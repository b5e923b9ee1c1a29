// Markdown of messages as elements. What it says of HTML stays text, and nothing in it can be followed or loaded.
import { make } from './dom.mjs';
import type { MarkedToken, Token } from 'marked';
import type { Child } from './dom.mjs';

declare const marked: typeof import('marked');

const inside = (tokens: Token[]): Child[] => tokens.map(elementOf);

const ELEMENTS: { [Type in MarkedToken['type']]?: (token: Extract<MarkedToken, { type: Type }>) => Child } = {
  space: () => null,
  def: () => null,
  hr: () => make('hr'),
  br: () => make('br'),
  code: ({ text }) => make('pre', { dir: 'auto' }, text),
  codespan: ({ text }) => make('code', {}, text),
  // The page has headings of its own.
  heading: ({ tokens }) => make('p.heading', { dir: 'auto' }, inside(tokens)),
  paragraph: ({ tokens }) => make('p', { dir: 'auto' }, inside(tokens)),
  blockquote: ({ tokens }) => make('blockquote', {}, inside(tokens)),
  strong: ({ tokens }) => make('strong', {}, inside(tokens)),
  em: ({ tokens }) => make('em', {}, inside(tokens)),
  del: ({ tokens }) => make('s', {}, inside(tokens)),
  link: ({ tokens, text, href }) => make('span.href', {}, inside(tokens), text === href ? null : ` (${href})`),
  image: ({ text, href }) => `[${text || 'image'}: ${href}]`,
  escape: ({ text }) => text,
  checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  text: ({ tokens, text }) => (tokens ? make('span', {}, inside(tokens)) : text),
  list: ({ ordered, start, items }) =>
    make(
      ordered ? 'ol' : 'ul',
      { start: ordered && start !== 1 ? start : undefined },
      items.map(({ tokens }) => make('li', { dir: 'auto' }, inside(tokens))),
    ),
  table: ({ header, rows }) =>
    make(
      'div.scroll',
      {},
      make(
        'table',
        {},
        make(
          'thead',
          {},
          make(
            'tr',
            {},
            header.map(({ tokens }) => make('th', {}, inside(tokens))),
          ),
        ),
        make(
          'tbody',
          {},
          rows.map((row) =>
            make(
              'tr',
              {},
              row.map(({ tokens }) => make('td', {}, inside(tokens))),
            ),
          ),
        ),
      ),
    ),
};

function elementOf(token: Token): Child {
  const draw = Object.hasOwn(ELEMENTS, token.type) ? (ELEMENTS[token.type as 'text'] as (token: Token) => Child) : undefined;
  return draw === undefined ? token.raw : draw(token);
}

export function rendered(text: string) {
  try {
    return make('div.prose', { dir: 'auto' }, inside(marked.lexer(text)));
  } catch {
    // Quotes in quotes that are deeper than the stack.
    return make('pre', { dir: 'auto' }, text);
  }
}
