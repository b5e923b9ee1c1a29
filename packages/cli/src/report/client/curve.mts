// What other limits would have cost, and what would have been still there.
import { drawn, make } from './dom.mjs';
import { change, dollars, KEPT_ENOUGH, number, percent, short } from './format.mjs';
import type { CurvePoint, Report } from '../../types.mjs';

const [CURVE_WIDTH, CURVE_HEIGHT] = [520, 250];
const EDGE = { left: 58, right: 48, top: 16, bottom: 34 };

export function curveView({ curve, recommended, totals, limit }: Report & { curve: CurvePoint[] }) {
  const isPriced = totals.cost !== undefined;
  const worth = (point: CurvePoint) => (isPriced ? (point.cost ?? 0) : point.tokens);
  const shown = isPriced ? dollars : short;
  const paid = totals.cost ?? totals.tokens;
  const best = recommended === undefined ? undefined : curve[recommended];
  const answer = (point: CurvePoint) => {
    const { kind, words } = change(paid, worth(point), shown);
    const kept = point.kept === undefined ? '' : `, and ${percent(point.kept)} of what came next was still there`;
    return make(
      'p.answer',
      {},
      make(`strong.${kind}`, {}, shown(worth(point))),
      make('span', {}, `with at most ${number(point.limit)} tokens a request: ${words}${kept}`),
    );
  };
  const sentence = best
    ? answer(best)
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
  const x = (index: number) => EDGE.left + ((CURVE_WIDTH - EDGE.left - EDGE.right) * (index + 0.5)) / curve.length;
  const y = (share: number) => CURVE_HEIGHT - EDGE.bottom - (CURVE_HEIGHT - EDGE.top - EDGE.bottom) * share;
  const line = (kind: string, points: number[][]) =>
    drawn('polyline', { class: kind, points: points.map(([one, other]) => `${one.toFixed(1)},${other.toFixed(1)}`).join(' ') });
  const text = (kind: string, left: number, top: number, words: string, anchor = 'middle') =>
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
