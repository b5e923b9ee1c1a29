// What other limits would have cost, and what would have been still there.
import { drawn, make } from './dom.js';
import { change, dollars, KEPT_ENOUGH, number, percent, short } from './format.js';

const [CURVE_WIDTH, CURVE_HEIGHT] = [520, 250];
const EDGE = { left: 58, right: 48, top: 16, bottom: 34 };

/** @param {any} report */
export function curveView({ curve, recommended, totals, limit }) {
  const isPriced = totals.cost !== undefined;
  const worth = (point) => (isPriced ? (point.cost ?? 0) : point.tokens);
  const shown = isPriced ? dollars : short;
  const paid = isPriced ? totals.cost : totals.tokens;
  const best = curve[recommended];
  const became = best && change(paid, worth(best), shown);
  const sentence = best
    ? make(
        'p.answer',
        {},
        make(`strong.${became.kind}`, {}, shown(worth(best))),
        make(
          'span',
          {},
          `with at most ${number(best.limit)} tokens a request: ${became.words}${best.kept === undefined ? '' : `, and ${percent(best.kept)} of what came next was still there`}`,
        ),
      )
    : make(
        'p.answer',
        {},
        make('strong', {}, 'Nothing less'),
        make(
          'span',
          {},
          curve.some((point) => worth(point) < paid)
            ? `Each of these limits that is cheaper keeps less than ${percent(KEPT_ENOUGH)} of what came next.`
            : 'None of these limits would have been cheaper.',
        ),
      );

  const most = Math.max(paid, ...curve.map(worth)) * 1.08 || 1;
  const x = (index) => EDGE.left + ((CURVE_WIDTH - EDGE.left - EDGE.right) * (index + 0.5)) / curve.length;
  const y = (share) => CURVE_HEIGHT - EDGE.bottom - (CURVE_HEIGHT - EDGE.top - EDGE.bottom) * share;
  const line = (kind, points) =>
    drawn('polyline', { class: kind, points: points.map(([one, other]) => `${one.toFixed(1)},${other.toFixed(1)}`).join(' ') });
  const text = (kind, left, top, words, anchor = 'middle') =>
    drawn('text', { class: kind, x: left.toFixed(1), y: top.toFixed(1), 'text-anchor': anchor }, words);
  const level = y(paid / most);
  const costs = curve.map((point, index) => [x(index), y(worth(point) / most)]);
  const kepts = curve.flatMap(({ kept }, index) => (kept === undefined ? [] : [[x(index), y(kept), kept]]));
  const picture = drawn(
    'svg',
    { class: 'curve', viewBox: `0 0 ${CURVE_WIDTH} ${CURVE_HEIGHT}`, 'aria-hidden': 'true' },
    ...[0, 0.5, 1].map((share) =>
      line('grid', [
        [EDGE.left, y(share)],
        [CURVE_WIDTH - EDGE.right, y(share)],
      ]),
    ),
    ...[0, 0.5, 1].map((share) => text('axis', CURVE_WIDTH - EDGE.right + 6, y(share) + 4, `${100 * share} %`, 'start')),
    text('axis', EDGE.left - 6, y(0) + 4, '0', 'end'),
    line('paid', [
      [EDGE.left, level],
      [CURVE_WIDTH - EDGE.right, level],
    ]),
    text('axis', EDGE.left - 6, level + 4, shown(paid), 'end'),
    line('kept', kepts),
    line('cost', costs),
    ...kepts.map(([left, top]) => drawn('circle', { class: 'kept', cx: left, cy: top, r: 3 })),
    ...costs.map(([left, top], index) =>
      drawn('circle', { class: index === recommended ? 'cost best' : 'cost', cx: left, cy: top, r: index === recommended ? 8 : 4 }),
    ),
    ...costs.map(([left, top], index) => text('worth-label', left, top + 21, shown(worth(curve[index])))),
    ...curve.map((point, index) => text('axis', x(index), CURVE_HEIGHT - 10, short(point.limit))),
  );
  const rows = curve.map((point, index) => {
    const { kind, words } = change(paid, worth(point), shown);
    const marks = [index === recommended && 'recommended', point.limit === limit && 'in this report'].filter(Boolean).join(', ');
    return make(
      'tr',
      {},
      make('th', { scope: 'row' }, `${number(point.limit)}${marks && ` (${marks})`}`),
      make('td', {}, shown(worth(point))),
      make(`td.${kind || 'same'}`, {}, words),
      make('td', {}, point.kept === undefined ? '–' : percent(point.kept)),
    );
  });
  const head = ['limit', isPriced ? 'cost' : 'tokens', 'against what was sent', 'still there'].map((title) =>
    make('th', { scope: 'col' }, title),
  );
  return [
    sentence,
    make(
      'figure',
      {},
      picture,
      make(
        'figcaption.note',
        {},
        make('span.key.cost', {}, isPriced ? 'cost' : 'tokens'),
        make('span.key.kept', {}, 'still there'),
        make('span.key.paid', {}, 'as it was sent'),
        'by tokens a request',
      ),
    ),
    make(
      'details',
      {},
      make('summary', {}, 'The limits as a table'),
      make(
        'div.scroll',
        { tabindex: '0', role: 'region', 'aria-label': 'Limits' },
        make('table', {}, make('thead', {}, make('tr', {}, head)), make('tbody', {}, rows)),
      ),
    ),
  ];
}
