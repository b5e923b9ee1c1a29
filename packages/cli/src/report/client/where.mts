// Where the money is: by kind, tool, file and server. Each row opens the messages that took most of it.
import { bar, make, pathName, sortable, tabs } from './dom.mjs';
import { dollars, number, percent, plural, short } from './format.mjs';
import type { Report, Where, WhereRow } from '../../types.mjs';
import type { Column } from './dom.mjs';

const WHERE_TITLES = { kind: 'Kind', tool: 'Tool', file: 'File', server: 'MCP server' };
const WHERE_NAMELESS = { tool: 'no tool', file: 'no file', kind: 'other', server: 'no server' };
/** Rows that are shown before "all" is pressed. */
const FEW_ROWS = 12;

export function where(report: Report, open: (session: number, message: number) => void) {
  const tables = (['kind', 'tool', 'file', 'server'] as const)
    .flatMap((by) => report.where.find((one) => one.by === by) ?? [])
    // Without servers there is one row, of everything.
    .filter(({ by, rows }) => by !== 'server' || rows.some(({ name }) => name !== ''));

  function place([session, index]: WhereRow['messages'][number]) {
    const { title, messages = [] } = report.sessions[session];
    const message = messages[index];
    const label = `${message.tool ?? message.role}${message.file ? ` ${message.file}` : ''} · ${plural(message.tokens, 'token')} · message ${index} of ${title}`;
    return make('li', {}, make('button.link', { type: 'button', onclick: () => open(session, index) }, make('bdi', {}, label)));
  }

  function tableOf({ by, rows }: Where) {
    const isPriced = rows.some(({ cost }) => cost !== undefined);
    const worth = (row: WhereRow) => (isPriced ? (row.cost ?? 0) : row.sent);
    const most = Math.max(1e-9, ...rows.map(worth));
    const total = rows.reduce((sum, row) => sum + worth(row), 0) || 1;
    const nameOf = ({ name }: WhereRow) => (name === '' ? WHERE_NAMELESS[by] : name === '…' ? 'all others' : name);
    const costs: Column<WhereRow> = { title: 'Cost', of: worth, show: ({ cost }) => (cost === undefined ? '–' : dollars(cost)) };
    const columns: Column<WhereRow>[] = [
      {
        title: WHERE_TITLES[by],
        isName: true,
        of: nameOf,
        show: (row) => [by === 'file' ? pathName(nameOf(row)) : make('bdi.name', {}, nameOf(row)), bar(worth(row) / most, 'plain')],
      },
      ...(isPriced ? [costs] : []),
      { title: 'Share', of: worth, show: (row) => percent(worth(row) / total), isWide: true },
      { title: 'Tokens sent', of: ({ sent }) => sent, show: ({ sent }) => short(sent) },
      { title: 'Counted once', of: ({ tokens }) => tokens, show: ({ tokens }) => (tokens === 0 ? '–' : short(tokens)), isWide: true },
      { title: 'Messages', of: ({ count }) => count, show: ({ count }) => (count === 0 ? '–' : number(count)), isWide: true },
    ];
    const more = ({ messages }: WhereRow) => (messages.length === 0 ? undefined : () => make('ol.places', {}, messages.map(place)));
    if (rows.length === 0) return make('p.note', {}, 'Nothing here.');
    return sortable({ caption: `Cost and tokens by ${by}`, columns, rows, few: FEW_ROWS, sorted: 1, more });
  }

  const note = `An agent sends its history again with each request: ${plural(report.totals.content, 'token')} of messages became ${number(report.isProxied ? report.totals.sent : report.totals.tokens)}. The cost is that of the places where they stood, read from the cache or not, and of the replies.`;
  return [
    make('p.note', {}, note),
    ...tabs(
      'where',
      'Where the money is',
      tables.map(({ by }) => ({ id: by, title: WHERE_TITLES[by] })),
      (by, panel) => panel.replaceChildren(...tables.filter((one) => one.by === by).map(tableOf)),
    ),
  ];
}
