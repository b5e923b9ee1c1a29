// Each SDK in its first version that works, in its newest one, and in one of each major between: the same program of 25 turns with each,
// beside the package as it is packed, against the loopback provider.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { checksumOf, contentOf, LIMIT, pathOf, READS, script } from './majors/programs/common.mjs';
import { npm, root, run } from './packed/project.mjs';
import { startProvider } from './support/agents/index.mjs';
import { runUnderNode22, withoutNode22 } from './support/node22.mjs';
import { startRedis, withoutRedis } from './support/servers/redis.mjs';

const { PEERS } = createRequire(import.meta.url)('../unbundled/integrations/peers.js');
const here = join(root, '__test__/majors');
const read = (...path) => JSON.parse(readFileSync(join(...path), 'utf8'));
const workspaces = read(here, 'package.json').workspaces;

/** The versions of an SDK that are run, each with the folder that has it; the newest one is the dev dependency. */
const versionsOf = (sdk) => [
  ...workspaces.flatMap((folder) => {
    const version = read(here, folder, 'package.json').dependencies[sdk];
    return version === undefined ? [] : [{ folder, version }];
  }),
  { folder: 'newest', version: read(root, 'node_modules', sdk, 'package.json').version },
];
const numbers = (version) => version.split('.').map(Number);
const isBefore = (a, b) => {
  const place = numbers(a).findIndex((number, index) => number !== numbers(b)[index]);
  return place >= 0 && numbers(a)[place] < numbers(b)[place];
};
/** Beside the SDKs, what the programs import. */
const IMPORTED = ['@ai-sdk/openai', '@langchain/openai', '@types/express', 'zod'];

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-majors-')));
after(() => rmSync(folder, { recursive: true, force: true }));

before(async () => {
  if (withoutNode22) return;
  cpSync(here, folder, { recursive: true, filter: (path) => !path.includes('node_modules') });
  // Without the binaries of SDKs that start programs. Some want a newer Node.js than the one that installs them.
  const install = npm(folder, 'ci', '--omit=optional', '--prefer-offline', '--loglevel=error');
  const tarball = (await run(process.execPath, [join(root, 'scripts/pack.mjs'), folder], root)).trim();
  const user = join(folder, 'user');
  mkdirSync(user);
  writeFileSync(join(user, 'package.json'), '{ "name": "user", "private": true }');
  await npm(user, 'install', '--offline', tarball);
  await install;
  for (const name of [...Object.values(PEERS).flatMap(Object.keys), ...IMPORTED]) {
    const path = join(folder, 'newest/node_modules', name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), path, 'junction');
  }
  for (const name of [...workspaces, 'newest']) {
    cpSync(join(user, 'node_modules/palimpsest'), join(folder, name, 'node_modules/palimpsest'), { recursive: true });
    cpSync(join(here, 'programs'), join(folder, name, 'programs'), { recursive: true });
  }
});

/** Runs a program in each of its ways; returns what came of each, and what the provider got. */
async function play(program, place, env = {}) {
  const provider = await startProvider(script, { window: 400_000 });
  try {
    const printed = await runUnderNode22(join(folder, place, 'programs/run.mjs'), { args: [program, provider.url], env });
    const { warnings, results } = JSON.parse(printed.trim().split('\n').at(-1));
    assert.deepEqual(warnings, []);
    for (const [way, { errors }] of Object.entries(results)) assert.deepEqual(errors.slice(0, 1), [], way);
    const requests = [...provider.requests];
    return { results, requestsOf: (way) => requests.filter(({ conversation }) => conversation === way.replace(/\W+/g, '-')) };
  } finally {
    await provider.close();
  }
}

/** Ways whose SDK tells nothing of the usage of some requests. */
const UNOBSERVED = { 'prepareStep, generateText': 1, 'prepareStep, streamText': 1, filter: READS + 1 };

/** Checks one way: it cuts, stays within the limit, sees the usage, and leaves the SDK's history whole; what went can be looked up. */
function checkWay(way, { steps, observed, history }, requests) {
  assert.deepEqual(
    requests.filter(({ status }) => status !== 200).map(({ error }) => error),
    [],
    way,
  );
  const bodies = requests.map(({ body }) => JSON.stringify(body));
  const hasRecall = bodies[0].includes('"recall"');
  assert.equal(requests.length, READS + (hasRecall ? 2 : 1), way);
  requests.forEach(({ tokens }, index) => assert.ok(tokens <= LIMIT, `${way}: request ${index} has ${tokens} tokens`));
  const texts = Array.from({ length: READS }, (_, step) => JSON.stringify(contentOf(pathOf(step))).slice(1, -1));
  // A result may be JSON in JSON.
  const isIn = (json, text) => json.includes(text) || json.includes(JSON.stringify(text).slice(1, -1));
  assert.ok(texts.filter((text) => isIn(bodies[READS], text)).length < 8, `${way}: what was read went`);
  assert.ok(bodies[READS].includes('[…'), `${way}: marks tell of it`);
  const kept = JSON.stringify(history);
  texts.forEach((text, step) => assert.ok(isIn(kept, text), `${way}: the SDK's history has the result of step ${step}`));
  assert.equal(steps, requests.length, way);
  // A streamed runner of the newest version tells nothing of its answers.
  if (way !== 'toolRunner, streamed') assert.equal(observed, steps - (UNOBSERVED[way] ?? 0), `${way}: usage of all requests`);
  if (!hasRecall) return;
  const sum = checksumOf(pathOf(2));
  assert.ok(!bodies[READS].includes(sum), `${way}: the checksum went`);
  assert.ok(bodies[READS + 1].includes(sum), `${way}: it was looked up`);
}

/** One program for each version of each SDK. */
const cases = Object.entries(PEERS).flatMap(([subpath, peers]) =>
  Object.keys(peers)
    .slice(0, 1)
    .flatMap((sdk) => versionsOf(sdk).map((one) => ({ subpath, sdk, ...one }))),
);
describe('the package works', { concurrency: availableParallelism() }, () => {
  for (const { subpath, sdk, folder: place, version } of cases) {
    const skip = withoutNode22 || (subpath === 'bullmq' && withoutRedis);
    test(`palimpsest/${subpath} with ${sdk} ${version}`, { skip }, async (t) => {
      if (subpath === 'bullmq') return playJobs(t, place);
      const { results, requestsOf } = await play(subpath, place);
      if (subpath === 'claude-agent-sdk') return checkHook(place, results.hook, requestsOf('hook'));
      if (subpath === 'openai-agents') assert.equal('filter' in results, !isBefore(version, '0.3.0'));
      for (const [way, result] of Object.entries(results)) checkWay(way, result, requestsOf(way));
    });
  }
});

for (const [subpath, peers] of Object.entries(PEERS)) {
  if (Object.keys(peers).length === 0) continue;
  test(`palimpsest/${subpath}: the range begins with the first version that is run, and ends behind the newest`, () => {
    for (const [name, bounds] of Object.entries(peers)) {
      const [first, end] = bounds.match(/\d+\.\d+\.\d+/g);
      const versions = versionsOf(name).map(({ version }) => version);
      assert.equal(
        versions.reduce((a, b) => (isBefore(b, a) ? b : a)),
        first,
        name,
      );
      const [major, minor] = numbers(versions.at(-1));
      assert.equal(end, major > 0 ? `${major + 1}.0.0` : `0.${minor + 1}.0`, name);
      // The majors between; those of 0.x are too many.
      const run = new Set(versions.map((version) => numbers(version)[0]));
      for (let one = numbers(first)[0]; one <= major; one++) assert.ok(run.has(one), `${name} ${one}`);
    }
  });
}

/** Summaries come of the jobs, and none is asked for twice; after a 429 and a failure, a job is tried again. */
async function playJobs(t, place) {
  const redis = await startRedis();
  t.after(() => redis.stop());
  const { results } = await play('bullmq', place, { REDIS_URL: redis.url });
  const { asked, used, left, counts } = results['jobs on Redis'].history;
  assert.ok(asked >= 2 && used >= 1, `${asked} asked, ${used} used`);
  assert.equal(left, 0);
  for (const [state, count] of Object.entries(counts)) assert.equal(count, 0, state);
}

/** The output becomes short and its shape stays; the types of this version take the hook and know the field that it returns. */
async function checkHook(place, { history }, requests) {
  assert.equal(history.length, 1);
  assert.ok(JSON.stringify(history).length > 40_000);
  assert.ok(requests[0].tokens > LIMIT / 2 && requests[0].tokens <= LIMIT + 50, `${requests[0].tokens} tokens`);
  const types = readFileSync(join(root, '__test__/types/claude-agent-sdk.mts'), 'utf8');
  const field = `import type { SyncHookJSONOutput } from '@anthropic-ai/claude-agent-sdk';
export const output: SyncHookJSONOutput = { hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: 'short' } };\n`;
  writeFileSync(join(folder, place, 'hook.mts'), `${types}\n${field}`);
  await compile(join(folder, place), 'hook.mts', '--skipLibCheck', '--typeRoots', join(root, 'node_modules/@types'), '--types', 'node');
}

/** Fails unless a program compiles where it stands. */
function compile(place, program, ...options) {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const all = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', ...options, program];
  return run(process.execPath, [tsc, ...all], place);
}

for (const { folder: place, version } of versionsOf('@types/express')) {
  test(`palimpsest/express: request.palimpsest has its type with @types/express ${version}`, { skip: withoutNode22 }, async () => {
    const program = `import express from 'express';
import { chatParser, type EndpointOptions } from 'palimpsest/express';
const options: EndpointOptions<express.Request> = { limit: 1000, onError: (error, { params }) => console.error(params.path, error) };
express().post('/chat', chatParser(options), ({ palimpsest }, response) => {
  const fits: boolean | undefined = palimpsest.step?.fits;
  // @ts-expect-error it is not any
  response.json([fits, palimpsest.other]);
});\n`;
    writeFileSync(join(folder, place, 'express-types.mts'), program);
    await compile(join(folder, place), 'express-types.mts');
  });
}

test('palimpsest/express: nothing is wrong in a project without @types/express', { skip: withoutNode22 }, async (t) => {
  const place = mkdtempSync(join(tmpdir(), 'palimpsest-untyped-'));
  t.after(() => rmSync(place, { recursive: true, force: true }));
  for (const path of [join(root, 'node_modules/express'), join(folder, 'user/node_modules/palimpsest')])
    cpSync(path, join(place, 'node_modules', basename(path)), { recursive: true });
  const program = `import { chatParser } from 'palimpsest/express';
export const parser = chatParser({ limit: 1000 });
// @ts-expect-error there is no such option
chatParser({ maxByte: 5 });\n`;
  writeFileSync(join(place, 'untyped.mts'), program);
  await compile(place, 'untyped.mts');
});

test('the table of the documentation has the ranges, and the versions that are run', () => {
  const page = readFileSync(join(root, 'docs/reference/versions.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `palimpsest\/([\w-]+)` \| (.*) \|$/gm)].map(([, subpath, cells]) => [subpath, cells]);
  const expected = Object.entries(PEERS).flatMap(([subpath, peers]) =>
    Object.entries(peers).map(([sdk, range]) => {
      const versions = versionsOf(sdk).map(({ version }) => version);
      const sorted = [...new Set(versions)].sort((a, b) => (isBefore(a, b) ? -1 : 1));
      return [subpath, `\`${sdk}\` | \`${range}\` | ${sorted.join(', ')}`];
    }),
  );
  assert.deepEqual(rows, expected);
});
