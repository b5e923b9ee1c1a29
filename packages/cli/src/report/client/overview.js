// The top of the page: what was sent, what it cost, and what a session would have made of it.
import { bar, make } from './dom.js';
import { agentName, change, day, dollars, number, percent, plural, short } from './format.js';
import { wordsFor } from './words.js';

function card(title, value, note, kind = '') {
  return make(
    `div.card${kind && `.${kind}`}`,
    {},
    make('dt', {}, title),
    make('dd', {}, make('strong', {}, value), make('span', {}, note)),
  );
}

/** Sessions that name no model are listed as `unknown`. */
function unpricedNote(unpriced) {
  const named = unpriced.filter((model) => model !== 'unknown');
  const nameless = named.length < unpriced.length ? 'Some sessions name no model, so their cost is unknown. ' : '';
  return named.length > 0 ? [`${nameless}No price is known for: `, make('bdi', {}, named.join(', '))] : [nameless];
}

/** @param {any} report */
export function overview(report) {
  const { totals, limit } = report;
  const words = wordsFor(report);
  const { sessions, requests, messages, tokens, sent, cost, costWithSession, kept, measured, unpriced } = totals;
  const cards = [card('Sessions', number(sessions), `${plural(requests, 'request')}, ${plural(messages, 'message')}`)];
  cards.push(card(words.tokens, short(tokens), `${number(tokens)} of input, all requests together`));
  if (cost !== undefined) {
    const missing = unpriced.length > 0 ? '; sessions without a known price are left out' : '';
    cards.push(card(words.cost, dollars(cost), `at list prices, with what the cache saves${missing}`));
    const became = change(cost, costWithSession, dollars);
    cards.push(card(words.costOfSession, dollars(costWithSession), became.words, became.kind));
  }
  cards.push(
    kept === undefined
      ? card('Still there', '–', 'too little came after anything was cut to measure it')
      : card('Still there', percent(kept), `of what the next messages used, at ${plural(measured, 'request')}`, 'accent'),
  );
  const most = Math.max(tokens, sent, 1);
  const row = (name, value, kind) =>
    make('div.compare', {}, make('span.name', {}, name), bar(value / most, kind), make('span.value', {}, `${number(value)} tokens`));
  return [
    make('dl.cards', {}, cards),
    make(
      'div.compares',
      {},
      row(words.before, tokens, 'plain'),
      row(`${words.after}, at most ${number(limit)} a request`, sent, change(tokens, sent, number).kind),
    ),
    unpriced.length > 0 ? make('p.note', {}, ...unpricedNote(unpriced)) : null,
  ];
}

/** A line under the title. @param {any} report */
export function subtitle({ created, sessions, limit }) {
  const agents = [...new Set(sessions.map(({ agent }) => agentName(agent)))].join(', ');
  return [day(created), agents, `limit ${number(limit)} tokens a request`].filter(Boolean).join(' · ');
}
