// Tokens over the requests of a session, by uPlot.
/* global uPlot */
import { make } from './dom.js';
import { clock, number, short } from './format.js';

const REASONS = { limit: 'limit reached', turn: 'the user spoke', early: 'it paid', cold: 'the cache had expired' };
const HEIGHT = 260;

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Vertical lines where epochs begin. */
const epochLines = (requests) => (plot) => {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = colour('--cut');
  ctx.setLineDash([3, 4]);
  for (const [index, { epoch }] of requests.entries()) {
    if (!epoch) continue;
    const x = plot.valToPos(index, 'x', true);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
};

/**
 * @param {any} session
 * @param {number} limit
 * @param {any} words what the figures are called
 * @returns {{ elements: any[], draw: () => void }} `draw` once they are in the page, and whenever their width or colours may have changed
 */
export function chart({ requests, count }, limit, words) {
  const box = make('div.chart', { 'aria-hidden': 'true' });
  const data = [
    requests.map((_, index) => index),
    requests.map(({ tokens }) => tokens),
    requests.map(({ sent }) => sent),
    requests.map(({ cached }) => cached),
    requests.map(() => limit),
  ];
  let plot;
  function draw() {
    plot?.destroy();
    const axis = {
      stroke: colour('--muted'),
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { show: false },
      font: '12px system-ui',
    };
    const line = (label, stroke, more) => ({
      label,
      stroke,
      width: 2,
      points: { show: requests.length < 3 },
      value: (_, value) => (value == null ? '–' : number(value)),
      ...more,
    });
    plot = new uPlot(
      {
        width: Math.max(280, box.clientWidth),
        height: HEIGHT,
        scales: { x: { time: false }, y: { range: (_, __, most) => [0, Math.max(1, most * 1.05)] } },
        axes: [
          {
            ...axis,
            values: (_, ticks) => ticks.map((tick) => (Number.isInteger(tick) && requests[tick] ? requests[tick].index + 1 : '')),
          },
          { ...axis, size: 56, values: (_, ticks) => ticks.map(short) },
        ],
        series: [
          { label: 'request', value: (_, value) => (value == null ? '–' : String(requests[value].index + 1)) },
          line(words.line, colour('--muted')),
          line(words.lineAfter, colour('--accent')),
          line('of it cached', colour('--accent-soft'), { fill: colour('--accent-faint'), width: 1 }),
          line('limit', colour('--gone'), { dash: [6, 4], width: 1 }),
        ],
        hooks: { draw: [epochLines(requests)] },
      },
      data,
      box,
    );
  }
  const rows = requests.map((one) =>
    make(
      'tr',
      {},
      ...[
        one.index + 1,
        clock(one.time),
        number(one.tokens),
        number(one.sent),
        number(one.cached),
        one.epoch ? REASONS[one.epoch] : '',
      ].map((cell) => make('td', {}, String(cell))),
    ),
  );
  const head = ['request', 'time', `tokens ${words.line}`, words.lineAfter, 'of it cached', 'cut because'].map((title) =>
    make('th', { scope: 'col' }, title),
  );
  const left = count.requests - requests.length;
  const table = make(
    'details',
    {},
    make('summary', {}, left > 0 ? `${requests.length} of ${count.requests} requests as a table` : 'The requests as a table'),
    make(
      'div.scroll',
      { tabindex: '0', role: 'region', 'aria-label': 'Requests' },
      make('table', {}, make('thead', {}, make('tr', {}, head)), make('tbody', {}, rows)),
    ),
  );
  const epochs = requests.filter(({ epoch }) => epoch).length;
  const legend =
    epochs === 0
      ? []
      : [
          make(
            'p.note.legend',
            {},
            make('span.epoch-line', { 'aria-hidden': 'true' }),
            ` ${epochs === 1 ? 'The dashed vertical line is the request' : `The ${number(epochs)} dashed vertical lines are the requests`} at which palimpsest cuts the history anew (an epoch). The table says why.`,
          ),
        ];
  return { elements: [box, ...legend, table], draw };
}
