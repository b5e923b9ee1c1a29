// What other limits would have cost, and what would have been still there.
import { drawn, make, withCode } from './dom.mjs';
import { agentName, change, dollars, KEPT_ENOUGH, number, percent, short } from './format.mjs';
import type { CurvePoint, Report } from '../../types.mjs';

const [CURVE_WIDTH, CURVE_HEIGHT] = [520, 250];
const EDGE = { left: 58, right: 48, top: 16, bottom: 34 };

const PROXY = 'http://127.0.0.1:8377';
/** How agents are started that send their requests through the proxy. */
const STARTS: Record<string, string> = {
  'claude-code': `ANTHROPIC_BASE_URL=${PROXY} claude`,
  // Codex reads no variable, and its own provider tries WebSockets first.
  codex: `codex -c model_provider=palimpsest -c 'model_providers.palimpsest={name="palimpsest",base_url="${PROXY}/v1",env_key="OPENAI_API_KEY"}'`,
  'gemini-cli': `GOOGLE_GEMINI_BASE_URL=${PROXY} gemini`,
  'qwen-code': `OPENAI_BASE_URL=${PROXY}/v1 qwen`,
};

/** What to do for a limit, and how to undo it. */
export function wayTo(limit: number, agent: string) {
  if (['messages', 'chatgpt', 'claude-ai'].includes(agent)) return `In an agent of your own: \`createSession({ limit: ${limit} })\`.`;
  const tokens = limit % 1000 === 0 ? `${limit / 1000}k` : String(limit);
  const proxy = `To try it, run \`npx @palimpsest/cli proxy --limit ${tokens}\``;
  return Object.hasOwn(STARTS, agent)
    ? `${proxy}, then \`${STARTS[agent]}\`. To undo it, start the agent as before.`
    : `${proxy}, and give ${agentName(agent)} \`${PROXY}\` as the base URL of its provider, for OpenAI's API with \`/v1\` behind it. To undo it, take that out.`;
}

export function curveView({ curve, recommended, totals, limit, spend }: Report & { curve: CurvePoint[] }) {
  const isPriced = totals.cost !== undefined;
  const worth = (point: CurvePoint) => (isPriced ? (point.cost ?? 0) : point.tokens);
  const shown = isPriced ? dollars : short;
  const paid = totals.cost ?? totals.tokens;
  const best = recommended === undefined ? undefined : curve[recommended];
  const cheaper = curve.filter((point) => worth(point) < paid);
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
          cheaper.length > 0
            ? `Each of these limits that is cheaper keeps less than ${percent(KEPT_ENOUGH)} of what came next.`
            : 'None of these limits would have been cheaper.',
        ),
      );
  /** Agent that cost most. */
  const agent = spend.find(({ by }) => by === 'agent')?.rows[0]?.name;
  const way = best && agent !== undefined ? make('p.note.way', {}, withCode(wayTo(best.limit, agent))) : null;
  const least = cheaper.find(({ kept }) => kept !== undefined && kept < KEPT_ENOUGH);
  const warning =
    least?.kept === undefined
      ? null
      : make(
          'p.note.warning',
          {},
          `${shown(paid)} → ${shown(worth(least))} with ${number(least.limit)} tokens a request keeps ${percent(least.kept)}: don't. The agent would look up again what it needs, or go on without it.`,
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
      make('td', {}, point.kept === undefined ? '–' : `${percent(point.kept)}${point.kept < KEPT_ENOUGH ? ', too little' : ''}`),
    );
  });
  const head = ['limit', isPriced ? 'cost' : 'tokens', 'against what was sent', 'still there'].map((title) =>
    make('th', { scope: 'col' }, title),
  );
  return [
    sentence,
    way,
    warning,
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
        make('table.limits', {}, make('thead', {}, make('tr', {}, head)), make('tbody', {}, rows)),
      ),
    ),
  ];
}
