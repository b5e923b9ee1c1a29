// What costs most for little use, and what to do about it.
import { make, withCode } from './dom.mjs';
import { agentName, dollars, number, percent, plural } from './format.mjs';
import type { CacheMissCause } from 'palimpsest';
import type { Finding, Report } from '../../types.mjs';

/** Number of findings that are shown first. */
const MOST = 5;
const AGAIN = 'palimpsest cuts what is out of date: `npx @palimpsest/cli prune FILE`.';
/** Maximum length of a path in a title. */
const MAX_PATH = 48;
/** A path whose middle is left out: its end says most. */
function shortPath(path: string) {
  if (path.length <= MAX_PATH) return path;
  const names = path.split('/');
  let end = `/${names.pop()}`;
  while (names.length > 0 && end.length + (names.at(-1)?.length ?? 0) < MAX_PATH) end = `/${names.pop()}${end}`;
  return `…${end}`;
}
const times = (count: number) => (count === 1 ? 'once' : count === 2 ? 'twice' : `${number(count)} times`);

const BREAKS: Record<CacheMissCause, [title: (count: number) => string, remedy: string]> = {
  never: [
    (count) => `In ${plural(count, 'request')} nothing was read from the cache`,
    'Turn prompt caching on. For Anthropic, mark the last block with `cache_control`; for others, keep the beginning of the requests the same. Gateways may take the marks out.',
  ],
  idle: [
    (count) => `The cache had expired ${times(count)}, after a pause`,
    'After a break, begin a new session with a short summary: a small history costs little to send anew. If you often pause for longer than the cache lives, ask for the cache of an hour.',
  ],
  model: [
    (count) => `The model was changed ${times(count)} within a session`,
    'Each model has a cache of its own, so the whole history is sent anew. Change it at the start of a session, or hand the work to a subagent.',
  ],
  compaction: [
    (count) => `After a compaction, the prefix broke ${times(count)}`,
    'The agent changed its instructions or tools, too, when it compacted. Keep these as they were.',
  ],
  front: [
    (count) => `The prefix broke ${times(count)} at its start`,
    'Instructions or tools differed from the request before, or the provider had dropped them: often a time or an id in the system prompt, or an MCP server that came or went. Keep them the same during a session, and say what changes in the last message.',
  ],
  messages: [
    (count) => `The prefix broke ${times(count)} in the middle`,
    'Something changed older messages: an editor of the history, removed thinking, or a request that went back. Change them rarely, and all at once.',
  ],
  tools: [
    (count) => `The list of tools changed ${times(count)} within a session`,
    'Tools stand in front of everything, so the whole request is sent anew. Load all that a session needs at its start, in a fixed order.',
  ],
  system: [
    (count) => `The instructions changed ${times(count)} within a session`,
    'They stand in front of the messages, which are all sent anew: often a time or an id. Say what changes in the last message.',
  ],
  epoch: [
    (count) => `palimpsest cut ${times(count)}, and what stayed was sent anew behind it`,
    'Each cut makes all later requests smaller. With a higher limit there are fewer; the table of limits says which one costs least.',
  ],
  session: [
    (count) => `palimpsest wrote earlier messages in another way ${times(count)}`,
    'Pins and recalled passages go behind the last words. Set them before a message is sent, where that is possible.',
  ],
  provider: [
    (count) => `Another setting of the request changed ${times(count)}`,
    'The provider names it in its diagnostics: such as the effort of reasoning, the format of the answer or the key of the cache. Keep it the same.',
  ],
  unknown: [
    (count) => `The cache missed ${times(count)} for no known cause`,
    'The requests began alike, and the provider did not read them. It may have dropped them early, or asked another machine.',
  ],
};

/** A finding in words: what happened, and what to do. */
export function wordsOf({ kind, subject, isFile, tool, count, each, servers }: Finding): { title: string; remedy: string } {
  const what = subject === '' ? (tool ?? 'a tool') : isFile ? shortPath(subject) : subject;
  if (kind === 'breaks') {
    const [title, remedy] = BREAKS[subject as CacheMissCause];
    return { title: title(count), remedy };
  }
  if (kind === 'reads') {
    const remedy = `Copies that are out of date were sent along. Read only the lines that are needed, and begin a new session for a new task; ${AGAIN}`;
    return { title: `${what} was read ${times(count)}`, remedy };
  }
  if (kind === 'commands') {
    const remedy = `The earlier outputs were sent along. Let it print less, such as only the failures or the last lines; ${AGAIN}`;
    return { title: `${what} was run ${times(count)}`, remedy };
  }
  if (kind === 'failures') {
    return {
      title: `${plural(count, 'failed call')} of ${what} went on being sent after it worked`,
      remedy: `${AGAIN[0].toUpperCase()}${AGAIN.slice(1)}`,
    };
  }
  if (kind === 'carried') {
    const remedy =
      'Let the tool return less (a search in place of a file, the end of a log), or have a subagent read it: its results are not carried. palimpsest shortens it when the limit is near.';
    const from = tool === undefined || tool === what ? '' : ` (${tool})`;
    return { title: `${number(each ?? 0)} tokens of ${what}${from} were carried for ${plural(count, 'request')}`, remedy };
  }
  const called = servers ? `Those that were called: ${servers.join(', ')}.` : 'No MCP server was called.';
  return {
    title: `Instructions and tools take up to ${number(each ?? 0)} tokens of each request of ${agentName(subject)}`,
    remedy: `Turn off MCP servers and tools that the work doesn't need, and shorten the files of instructions. ${called}`,
  };
}

export function findingList({ findings, sessions, totals, isProxied }: Report, open: (session: number, message: number) => void) {
  if (findings.length === 0) return [make('p.note', {}, 'Nothing stands out in these sessions.')];
  const paid = isProxied ? totals.costWithSession : totals.cost;
  const item = (finding: Finding) => {
    const { title, remedy } = wordsOf(finding);
    const { cost, tokens, places } = finding;
    const amount = cost === undefined ? `${number(tokens)} tokens` : dollars(cost);
    const share = cost !== undefined && paid !== undefined && paid > 0 ? `${percent(Math.min(1, cost / paid))} of the cost` : '';
    const links = places.map(([session, message]) =>
      make(
        'li',
        {},
        make(
          'button.link',
          { type: 'button', onclick: () => open(session, message) },
          make('bdi', {}, `message ${message} of ${sessions[session].title}`),
        ),
      ),
    );
    const list = make(
      'details',
      {},
      make('summary', {}, links.length === 1 ? 'Where' : `Where, ${links.length} places`),
      make('ul.places', {}, links),
    );
    return make(
      'li.finding',
      {},
      make('div.worth', {}, make('strong', {}, amount), make('span', {}, share)),
      make(
        'div.told',
        {},
        make('p.title', {}, make('bdi', {}, title)),
        make('p.note', {}, make('bdi', {}, withCode(remedy))),
        links.length > 0 ? list : null,
      ),
    );
  };
  const box = make('ol.findings', {}, findings.slice(0, MOST).map(item));
  const rest = findings.slice(MOST);
  const showRest = () => {
    more.remove();
    box.append(...rest.map(item));
  };
  const more = make('button.more', { type: 'button', onclick: showRest }, `Show ${rest.length} more`);
  return [
    box,
    rest.length > 0 ? more : null,
    make(
      'p.note',
      {},
      'What each cost in these sessions, at list prices. Parts may be in several: a result that was carried is also sent anew when the prefix breaks.',
    ),
  ];
}
