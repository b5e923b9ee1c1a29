// Where agents leave their transcripts, and the files in a folder that may be some.
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { HISTORY } from './cline.mjs';
import { reasonOf } from './unreadable.mjs';
import type { Stats } from 'node:fs';
import type { Agent, Found, Place, SkippedFile } from '../types.mjs';

/** Maximum depth of folders below the one that is searched. */
const MAX_DEPTH = 12;

/** Extensions of editors that keep their tasks in the same way. */
const EXTENSIONS: [Agent, string][] = [
  ['cline', 'saoudrizwan.claude-dev'],
  ['roo-code', 'rooveterinaryinc.roo-cline'],
  ['kilo-code', 'kilocode.kilo-code'],
];

const EDITORS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];

/**
 * Returns the usual places, whether they are there or not.
 *
 * @param home the user's folder
 */
export function usualPlaces(home: string, env: Record<string, string | undefined>): Place[] {
  const data = env.XDG_DATA_HOME || join(home, '.local', 'share');
  const config = env.XDG_CONFIG_HOME || join(home, '.config');
  const claude = env.CLAUDE_CONFIG_DIR
    ? env.CLAUDE_CONFIG_DIR.split(',').map((path) => path.trim())
    : [join(home, '.claude'), join(config, 'claude')];
  const codex = env.CODEX_HOME || join(home, '.codex');
  const settings = [config, join(home, 'Library', 'Application Support'), ...(env.APPDATA ? [env.APPDATA] : [])];
  const editors = [
    ...settings.flatMap((folder) => EDITORS.map((editor) => join(folder, editor))),
    join(home, '.vscode-server', 'data'),
    join(home, '.cursor-server', 'data'),
  ];
  const places: [Agent, string][] = [
    ...claude.filter((path) => path !== '').map((path) => ['claude-code', join(path, 'projects')] as [Agent, string]),
    ['codex', join(codex, 'sessions')],
    ['codex', join(codex, 'archived_sessions')],
    ['gemini-cli', join(home, '.gemini', 'tmp')],
    ['opencode', env.OPENCODE_DB || join(data, 'opencode', 'opencode.db')],
    ['opencode', join(data, 'opencode', 'storage')],
    ['cline', join(home, '.cline', 'data', 'tasks')],
    ...editors.flatMap((path) =>
      EXTENSIONS.map(([agent, name]) => [agent, join(path, 'User', 'globalStorage', name, 'tasks')] as [Agent, string]),
    ),
    ['copilot-cli', join(home, '.copilot', 'session-state')],
    ['pi', join(home, '.pi', 'agent', 'sessions')],
    ['openclaw', join(home, '.openclaw', 'agents')],
    ['cursor', join(home, '.cursor', 'projects')],
    ['qwen-code', join(home, '.qwen', 'projects')],
    ['kimi', join(home, '.kimi-code', 'sessions')],
    ['droid', join(home, '.factory', 'sessions')],
    ['grok', join(home, '.grok', 'sessions')],
    ['goose', join(data, 'goose', 'sessions')],
    ...(env.APPDATA ? [['goose', join(env.APPDATA, 'Block', 'goose')] as [Agent, string]] : []),
    ['amp', join(data, 'amp', 'threads')],
  ];
  return places.map(([agent, path]) => ({ agent, path }));
}

const isBelow = (path: string, folder: string) => path.includes(`${sep}${folder}${sep}`);

/** Whether a file of a folder may be a transcript of an agent, by its name. Files that are named by the user are read in any case. */
function isCandidate(path: string, agent: Agent | undefined) {
  const name = basename(path);
  switch (agent) {
    case 'claude-code':
    case 'pi':
    case 'kimi':
    case 'droid':
      return name.endsWith('.jsonl');
    case 'copilot-cli':
      return name === 'events.jsonl' || (name.endsWith('.jsonl') && basename(dirname(path)) === 'session-state');
    case 'openclaw':
      return name.endsWith('.jsonl') && basename(dirname(path)) === 'sessions';
    case 'cursor':
      return name.endsWith('.jsonl') && isBelow(path, 'agent-transcripts');
    case 'qwen-code':
      return name.endsWith('.jsonl') && basename(dirname(path)) === 'chats';
    case 'grok':
      return name === 'chat_history.jsonl';
    case 'goose':
      return name === 'sessions.db' || name.endsWith('.jsonl');
    case 'amp':
      return /^T-.*\.json$/.test(name);
    case 'codex':
      return /\.jsonl(?:\.zst)?$/.test(name);
    case 'gemini-cli':
      return isBelow(path, 'chats') && /^session-.*\.jsonl?$/.test(name);
    case 'opencode':
      return name.endsWith('.db') || (name.endsWith('.json') && isBelow(path, 'session'));
    case 'cline':
    case 'roo-code':
    case 'kilo-code':
      return name === HISTORY;
    default:
      // Parts of transcripts that are read with them.
      if (isBelow(path, join('storage', 'message')) || isBelow(path, join('storage', 'part'))) return false;
      if (['ui_messages.json', 'task_metadata.json', 'context_history.json'].includes(name) || name.endsWith('.settings.json'))
        return false;
      return /\.(?:jsonl?|ndjson|jsonl\.zst|db)$/i.test(name);
  }
}

/** What the system says of a file; undefined if it can't be asked. */
async function statIfThere(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    reasonOf(error);
    return undefined;
  }
}

/**
 * The size of a file and the time of its last change, with what an open SQLite database has not written into it yet.
 *
 * @param info of the file
 */
async function stateOf(path: string, { size, mtimeMs }: Stats) {
  const log = /\.jsonl?$/.test(path) ? undefined : await statIfThere(`${path}-wal`);
  return { bytes: size + (log?.size ?? 0), changed: Math.max(mtimeMs, log?.mtimeMs ?? 0) };
}

/**
 * Lists the files below some paths that may be transcripts, the newest first; each file once, even if links lead to it.
 *
 * @param paths files and folders
 * @param agent takes only files with the names that this agent gives
 */
export async function listFiles(
  paths: readonly string[],
  agent?: Agent,
): Promise<{ found: { path: string; bytes: number; changed: number }[]; skipped: SkippedFile[] }> {
  const found: { path: string; bytes: number; changed: number }[] = [];
  const skipped: SkippedFile[] = [];
  const seen = new Set();
  const visit = async (path: string, depth: number) => {
    try {
      const info = await stat(path);
      if (depth > 0 && !info.isDirectory() && !isCandidate(path, agent)) return;
      const real = await realpath(path);
      if (seen.has(real)) return;
      seen.add(real);
      if (info.isDirectory()) {
        if (depth > MAX_DEPTH) {
          skipped.push({ file: path, reason: `is more than ${MAX_DEPTH} folders deep` });
          return;
        }
        for (const name of (await readdir(path)).sort())
          if (name !== 'node_modules' && name !== '.git') await visit(join(path, name), depth + 1);
      } else if (info.isFile()) found.push({ path, ...(await stateOf(path, info)) });
      // A pipe or a device would never end.
      else skipped.push({ file: path, reason: 'is no regular file' });
    } catch (error) {
      skipped.push({ file: path, reason: reasonOf(error) });
    }
  };
  for (const path of paths) await visit(resolve(path), 0);
  found.sort((a, b) => b.changed - a.changed || (a.path < b.path ? -1 : 1));
  return { found, skipped };
}

/**
 * Looks for transcripts in the usual places.
 *
 * @param home the user's folder
 * @returns `looked`: the places that were there. Newest files first
 */
export async function find(
  home: string,
  env: Record<string, string | undefined>,
): Promise<{ looked: Place[]; found: Found[]; skipped: SkippedFile[] }> {
  const looked = [];
  const found = new Map();
  const skipped = [];
  for (const place of usualPlaces(home, env)) {
    if ((await statIfThere(place.path)) === undefined) continue;
    looked.push(place);
    const listed = await listFiles([place.path], place.agent);
    for (const one of listed.found) if (!found.has(one.path)) found.set(one.path, { agent: place.agent, ...one });
    skipped.push(...listed.skipped);
  }
  // A database holds what the older files held.
  const withDatabase = new Set([...found.values()].filter(({ path }) => !/\.jsonl?$/.test(path)).map(({ agent }) => agent));
  const kept = [...found.values()].filter(
    ({ agent, path }) => !(['opencode', 'goose'].includes(agent) && withDatabase.has(agent) && /\.jsonl?$/.test(path)),
  );
  return { looked, found: kept.sort((a, b) => b.changed - a.changed || (a.path < b.path ? -1 : 1)), skipped };
}
