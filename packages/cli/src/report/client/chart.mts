// Tokens over the requests of a session, by uPlot.
import { make } from './dom.mjs';
import { clock, EPOCHS, missedTokens, number, percent, plural, short } from './format.mjs';
import type Plot from 'uplot';
import type { RequestData, SessionData } from '../../types.mjs';
import type { Words } from './words.mjs';

/** The page has it as a global. */
declare const uPlot: typeof Plot;

const HEIGHT = 260;
/** Height of the chart of costs. */
const LOW = 130;
/** Length of a tick. */
const TICK = 10;
/** A line of a chart: its name, its values, the name of its colour. */
type Line = [label: string, of: (request: RequestData) => number | null, colour: string, more?: Partial<Plot.Series>];

const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Ticks at the bottom where epochs begin, and at the top where the agent compacted: many of them hide no line. */
const ticks = (requests: RequestData[]) => (plot: Plot) => {
  const { ctx, bbox } = plot;
  const tick = (index: number, top: number, kind: string) => {
    const x = plot.valToPos(index, 'x', true);
    ctx.strokeStyle = colour(kind);
    ctx.beginPath();
    ctx.moveTo(x, top);
    ctx.lineTo(x, top + TICK * devicePixelRatio);
    ctx.stroke();
  };
  ctx.save();
  ctx.lineWidth = 2 * devicePixelRatio;
  for (const [index, { epoch, compacted }] of requests.entries()) {
    if (epoch) tick(index, bbox.top + bbox.height - TICK * devicePixelRatio, '--cut');
    if (compacted) tick(index, bbox.top, '--gone');
  }
  ctx.restore();
};

/**
 * @param words what the figures are called
 * @param open goes to a message
 * @returns `draw` once they are in the page, and whenever their width or colours may have changed
 */
export function chart(
  { requests, count, messages }: SessionData,
  limit: number,
  words: Words,
  open: (message: number) => void,
): { elements: Node[]; draw: () => void } {
  const isPriced = requests.some(({ cost }) => cost !== undefined);
  const box = make('div.chart', { 'aria-hidden': 'true' });
  const costBox = isPriced ? make('div.chart.low', { 'aria-hidden': 'true' }) : null;
  const places = requests.map((_, index) => index);
  let plots: Plot[] = [];
  function draw() {
    for (const plot of plots) plot.destroy();
    const axis = {
      stroke: colour('--muted'),
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { show: false },
      font: '12px system-ui',
    };
    const line = (label: string, stroke: string, more?: Partial<Plot.Series>): Plot.Series => ({
      label,
      stroke,
      width: 2,
      points: { show: requests.length < 3 },
      value: (_, value: number | null) => (value == null ? '–' : number(value)),
      ...more,
    });
    const plotted = (place: HTMLElement, height: number, shown: (value: number) => string, series: Line[], more?: Partial<Plot.Options>) =>
      new uPlot(
        {
          width: Math.max(200, place.clientWidth),
          height,
          scales: { x: { time: false }, y: { range: (_, __, most) => [0, most > 0 ? most * 1.05 : 1] } },
          axes: [
            {
              ...axis,
              values: (_, all) => all.map((one) => (Number.isInteger(one) && requests[one] ? requests[one].index + 1 : '')),
            },
            { ...axis, size: 56, values: (_, all) => all.map(shown) },
          ],
          series: [
            { label: 'request', value: (_, value: number | null) => (value == null ? '–' : String(requests[value].index + 1)) },
            ...series.map(([label, , kind, options]) => line(label, colour(kind), options)),
          ],
          ...more,
        },
        [places, ...series.map(([, of]) => requests.map(of))],
        place,
      );
    const dollarsOf = (_: Plot, value: number | null) => (value == null ? '–' : `$${value.toFixed(4)}`);
    plots = [
      plotted(
        box,
        HEIGHT,
        short,
        [
          [words.line, ({ tokens }) => tokens, '--muted'],
          ['of it cached', ({ read }) => read, '--plain', { fill: colour('--plain-faint'), width: 1 }],
          [words.lineAfter, ({ sent }) => sent, '--accent'],
          ['limit', () => limit, '--gone', { dash: [6, 4], width: 1 }],
        ],
        { hooks: { draw: [ticks(requests)] } },
      ),
    ];
    if (costBox === null) return;
    const paths = uPlot.paths.bars?.({ size: [0.8, 24] });
    const bars = {
      ...(paths && { paths }),
      fill: colour('--plain'),
      width: 0,
      points: { show: false },
      value: dollarsOf,
    };
    plots.push(
      plotted(costBox, LOW, (value) => `$${value}`, [
        [`cost ${words.line}`, ({ cost }) => cost ?? null, '--plain', bars],
        [`cost ${words.lineAfter}`, ({ costWithSession }) => costWithSession ?? null, '--accent', { value: dollarsOf }],
      ]),
    );
  }
  const place = ({ index, messages: end }: RequestData) =>
    messages && end < messages.length
      ? make(
          'button.link',
          { type: 'button', 'aria-label': `request ${index + 1}: its answer`, onclick: () => open(end) },
          String(index + 1),
        )
      : String(index + 1);
  const rows = requests.map((one) =>
    make(
      'tr',
      {},
      ...[
        place(one),
        clock(one.time),
        number(one.tokens),
        percent(one.tokens > 0 ? one.read / one.tokens : 0),
        ...(isPriced ? [one.cost === undefined ? '–' : `$${one.cost.toFixed(4)}`] : []),
        number(one.sent),
        ...(isPriced ? [one.costWithSession === undefined ? '–' : `$${one.costWithSession.toFixed(4)}`] : []),
        [
          one.epoch && `cut: ${EPOCHS[one.epoch]}`,
          one.compacted && 'the agent compacted',
          one.missed && `not cached: ${missedTokens(one.missed)}`,
        ]
          .filter(Boolean)
          .join('; '),
      ].map((cell) => make('td', {}, cell)),
    ),
  );
  const titles = ['request', 'time', `tokens ${words.line}`, 'cached', ...(isPriced ? ['cost'] : []), `tokens ${words.lineAfter}`];
  const head = [...titles, ...(isPriced ? [`cost ${words.lineAfter}`] : []), 'what happened'].map((title) =>
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
  const compactions = requests.filter(({ compacted }) => compacted).length;
  const key = (kind: string, text: string) => [make(`span.tick.${kind}`, { 'aria-hidden': 'true' }), ` ${text} `];
  const legend =
    epochs + compactions === 0
      ? []
      : [
          make(
            'p.note.legend',
            {},
            epochs > 0
              ? key('cut', `${plural(epochs, 'request')} at which palimpsest cuts the history anew (an epoch), at the bottom.`)
              : null,
            compactions > 0 ? key('gone', `${plural(compactions, 'request')} before which the agent compacted, at the top.`) : null,
            'The table says why.',
          ),
        ];
  return { elements: [box, costBox, ...legend, table].filter((element) => element !== null), draw };
}
