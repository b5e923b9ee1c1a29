// A chart of throughput by size, drawn by hand: two lines over a logarithmic axis.
const WIDTH = 640;
const HEIGHT = 320;
const LEFT = 60;
const RIGHT = 600;
const TOP = 40;
const BOTTOM = 270;

const size = (bytes) => (bytes >= 1e6 ? `${Math.round(bytes / 1e6)} MB` : `${Math.round(bytes / 1e3)} KB`);

/** `rows`: those of one kind of conversation, in different sizes. */
export function chart(rows) {
  const points = rows
    .map(({ bytes, value, base }) => ({ bytes, compress: bytes / 1e3 / value, stringify: bytes / 1e3 / base }))
    .sort((a, b) => a.bytes - b.bytes);
  const top = Math.ceil(Math.max(...points.flatMap(({ compress, stringify }) => [compress, stringify])) / 100) * 100;
  const [low, high] = [Math.log(points[0].bytes), Math.log(points.at(-1).bytes)];
  const x = ({ bytes }) => Math.round(LEFT + 20 + ((Math.log(bytes) - low) / (high - low)) * (RIGHT - LEFT - 40));
  const y = (throughput) => Math.round(BOTTOM - (throughput / top) * (BOTTOM - TOP));
  const series = (key, colour) => {
    const path = points.map((point) => `${x(point)},${y(point[key])}`).join(' ');
    const dots = points.map((point) => `<circle cx="${x(point)}" cy="${y(point[key])}" r="3.5" fill="${colour}"/>`).join('');
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${dots}`;
  };
  const grid = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const height = y(share * top);
    return `<line x1="${LEFT}" x2="${RIGHT}" y1="${height}" y2="${height}" stroke="#8884"/><text x="${LEFT - 8}" y="${height + 4}" text-anchor="end">${share * top}</text>`;
  });
  const sizes = points.map((point) => `<text x="${x(point)}" y="${BOTTOM + 20}" text-anchor="middle">${size(point.bytes)}</text>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" fill="#777">
<title>Throughput by size of the conversation</title>
<text x="${LEFT}" y="22">MB/s</text>
<text x="${RIGHT}" y="22" text-anchor="end"><tspan fill="#2f6fde">● compress</tspan>  <tspan fill="#c0692b">● JSON.stringify</tspan></text>
${grid.join('\n')}
${sizes.join('\n')}
<text x="${(LEFT + RIGHT) / 2}" y="${BOTTOM + 42}" text-anchor="middle">content of an agent session</text>
${series('stringify', '#c0692b')}
${series('compress', '#2f6fde')}
</svg>
`;
}
