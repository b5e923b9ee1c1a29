// The pictures of docs/sessions.md: what a limit costs and what it keeps, a line for how much is in front and a dot for each limit; and the requests of a
// session, with a dot for each epoch.
import { DEFAULT_ROOM } from './sessions.mjs';

const WIDTH = 640;
const HEIGHT = 320;
const [LEFT, RIGHT, TOP, BOTTOM] = [60, 600, 40, 270];
/** What is still there begins here, in %. */
const LOWEST = 50;
const HIGHEST_COST = 60;
const COLOURS = ['#2f6fde', '#2a9d6f', '#c0692b'];

export const CURVE = new URL('../../docs/images/limits.svg', import.meta.url);
export const COURSE = new URL('../../docs/images/course.svg', import.meta.url);

const x = (cost) => Math.round(LEFT + ((100 * cost) / HIGHEST_COST) * (RIGHT - LEFT));
const y = (grounded) => Math.round(BOTTOM - ((100 * grounded - LOWEST) / (100 - LOWEST)) * (BOTTOM - TOP));

/** Draws the results of `measureLimits`. */
export function limitsCurve({ fronts }) {
  const lines = fronts.map(({ rows }, index) => {
    const path = rows.map(({ cost, grounded }) => `${x(cost)},${y(grounded)}`).join(' ');
    const dots = rows.map(
      ({ cost, grounded, room }) =>
        `<circle cx="${x(cost)}" cy="${y(grounded)}" r="${room === DEFAULT_ROOM ? 6 : 3.5}" fill="${COLOURS[index]}"/>`,
    );
    return `<polyline points="${path}" fill="none" stroke="${COLOURS[index]}" stroke-width="2"/>${dots.join('')}`;
  });
  const names = fronts.map(
    ({ fixed }, index) => `<tspan fill="${COLOURS[index]}">● ${fixed === 0 ? 'nothing' : `${fixed / 1000}k`} in front</tspan>`,
  );
  const rooms = fronts[0].rows.map(
    ({ cost, grounded, room }) => `<text x="${x(cost) - 8}" y="${y(grounded) - 8}" text-anchor="end">${room / 1000}k</text>`,
  );
  const across = [50, 60, 70, 80, 90, 100].map((kept) => {
    const height = y(kept / 100);
    return `<line x1="${LEFT}" x2="${RIGHT}" y1="${height}" y2="${height}" stroke="#8884"/><text x="${LEFT - 8}" y="${height + 4}" text-anchor="end">${kept}</text>`;
  });
  const costs = [0, 10, 20, 30, 40, 50, 60].map(
    (cost) => `<text x="${x(cost / 100)}" y="${BOTTOM + 20}" text-anchor="middle">${cost}</text>`,
  );
  return drawing('What limits cost, and what they keep', [
    `<text x="${LEFT}" y="22">still there %</text>`,
    `<text x="${RIGHT}" y="22" text-anchor="end">${names.join('  ')}</text>`,
    ...[...across, ...costs, ...rooms],
    `<text x="${(LEFT + RIGHT) / 2}" y="${BOTTOM + 42}" text-anchor="middle">cost, % of never cutting; a large dot is the default</text>`,
    ...lines,
  ]);
}

/** The reasons of epochs, each with its colour. */
const REASONS = { cold: COLOURS[0], limit: COLOURS[2], early: COLOURS[1], turn: '#8a4fc0' };

/** Draws the result of `measureCourse`. */
export function sessionCourse({ window, requests, epochs }) {
  const at = (index) => Math.round(LEFT + (index / requests.length) * (RIGHT - LEFT));
  const height = (tokens) => Math.round(BOTTOM - (tokens / window) * (BOTTOM - TOP));
  const path = requests.map((tokens, index) => `${at(index)},${height(tokens)}`).join(' ');
  const dots = epochs.map(
    ([index, reason]) => `<circle cx="${at(index)}" cy="${height(requests[index])}" r="4" fill="${REASONS[reason]}"/>`,
  );
  const across = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const y = height(share * window);
    return `<line x1="${LEFT}" x2="${RIGHT}" y1="${y}" y2="${y}" stroke="#8884"/><text x="${LEFT - 8}" y="${y + 4}" text-anchor="end">${(share * window) / 1000}k</text>`;
  });
  const names = Object.entries(REASONS)
    .filter(([reason]) => epochs.some(([, one]) => one === reason))
    .map(([reason, colour]) => `<tspan fill="${colour}">● ${reason}</tspan>`);
  return drawing('The requests of a recorded session', [
    `<text x="${LEFT}" y="22">tokens of a request</text>`,
    `<text x="${RIGHT}" y="22" text-anchor="end">epochs: ${names.join('  ')}</text>`,
    ...across,
    `<text x="${(LEFT + RIGHT) / 2}" y="${BOTTOM + 22}" text-anchor="middle">${requests.length} requests, with a limit of ${window / 1000}k</text>`,
    `<polyline points="${path}" fill="none" stroke="#777" stroke-width="1.5"/>`,
    ...dots,
  ]);
}

const drawing = (title, lines) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" fill="#777">
<title>${title}</title>
${lines.join('\n')}
</svg>
`;
