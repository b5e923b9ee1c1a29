// The report in a real browser: it loads nothing, nothing of a transcript acts in it, and it can be read and used by everybody.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import fc from 'fast-check';
import { analyse } from '../dist/analysis/index.mjs';
import { linesLeft } from '../dist/report/client/conversation.mjs';
import { percent, whyNoCost } from '../dist/report/client/format.mjs';
import { overview } from '../dist/report/client/overview.mjs';
import { sessionList } from '../dist/report/client/sessions.mjs';
import { page } from '../dist/report/page.mjs';
import { findings, launch, openReport, withoutBrowser } from './support/browser.mjs';
import { htmlOf } from './support/elements.mjs';
import { numbersIn } from './support/gone.mjs';

const session = fileURLToPath(new URL('../../../examples/agent-session.json', import.meta.url));
const LIMIT = 12_000;

/** @returns {any} a transcript of these messages, in the shape of OpenAI's chat */
const transcriptOf = (messages, more = {}) => ({
  agent: 'messages',
  id: 'made up',
  file: '/tmp/made-up.json',
  format: 'openai-chat',
  messages,
  requests: messages.flatMap(({ role }, index) => (role === 'assistant' ? [{ messages: index }] : [])),
  skipped: 0,
  notes: [],
  ...more,
});
const demo = async () => {
  const messages = JSON.parse(readFileSync(session, 'utf8'));
  return analyse([transcriptOf(messages, { id: 'demo', title: 'The webhook race', model: 'gpt-5.5', format: 'message' })], {
    limit: LIMIT,
  });
};

/** What a transcript could hold to break out of the page. */
const HOSTILE = [
  '</script><script>globalThis.wasHit = true</script>',
  '<img src=x onerror="globalThis.wasHit = true">',
  '<!-- <script>',
  ']]>',
  '\u0000\u2028\u2029\ud800 lone',
  'javascript:globalThis.wasHit=true',
  '"><svg onload=globalThis.wasHit=true>',
  '\u202eright to left\u202c مرحبا 灯台守 😀',
];
const hostile = () =>
  analyse(
    HOSTILE.map((text, index) =>
      transcriptOf(
        [
          { role: 'user', content: text },
          {
            role: 'assistant',
            content: text,
            tool_calls: [
              {
                id: 'a',
                type: 'function',
                function: { name: text.replace(/\W/g, '_').slice(0, 60), arguments: JSON.stringify({ path: text }) },
              },
            ],
          },
          { role: 'tool', tool_call_id: 'a', content: text.repeat(200) },
          { role: 'assistant', content: 'Done.' },
        ],
        { id: text, title: text, file: `/tmp/${text}`, cwd: text, model: text, notes: [text], started: index },
      ),
    ),
    { limit: LIMIT, skipped: [{ file: HOSTILE[0], reason: HOSTILE[1] }] },
  );

describe('the page in a browser', { skip: withoutBrowser }, () => {
  let browser;
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-report-'));
  before(async () => {
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Opens a page from disk. */
  async function opened(html, options) {
    const path = join(folder, `${Math.random()}.html`);
    writeFileSync(path, html);
    return openReport(browser, String(pathToFileURL(path)), options);
  }

  test('it loads without an error or a request, and shows the sums of its data', async () => {
    const report = await demo();
    const { tab, complaints } = await opened(page(report));
    const text = await tab.evaluate(() => document.body.innerText);
    const grouped = (value) => new Intl.NumberFormat('en').format(value);
    assert.ok(text.includes(`${grouped(report.totals.tokens)} tokens`));
    assert.ok(text.includes(`${grouped(report.totals.sent)} tokens`));
    assert.ok(text.includes('The webhook race'));
    // Tokens and cost.
    assert.equal(await tab.evaluate(() => document.querySelectorAll('canvas').length), 2);
    assert.deepEqual(complaints, []);
  });

  test('a row opens its messages, and one of these the conversation at its place', async () => {
    const { tab } = await opened(page(await demo()));
    const { name, count } = await tab.evaluate(() => {
      const row = document.querySelector('#where button.row');
      row.click();
      return { name: row.querySelector('.name').textContent, count: document.querySelectorAll('#where .places li').length };
    });
    assert.ok(name.length > 0 && count > 0);
    assert.equal(await tab.evaluate(() => document.querySelector('#where button.row').getAttribute('aria-expanded')), 'true');
    await tab.evaluate(() => document.querySelector('#where .places button').click());
    await tab.waitForFunction(() => /message=\d+/.test(location.hash) && document.activeElement.id.startsWith('message-'));
    const [hash, focused] = await tab.evaluate(() => [location.hash, document.activeElement.id]);
    assert.equal(focused, `message-${/message=(\d+)/.exec(hash)[1]}`);
  });

  test('the address names the session that is shown, also when it is chosen again and on the way back', async () => {
    const messages = JSON.parse(readFileSync(session, 'utf8'));
    const two = ['one', 'two'].map((id) => transcriptOf(messages, { id, title: id, format: 'message' }));
    const { tab } = await opened(page(await analyse(two, { limit: LIMIT })));
    const current = () => tab.evaluate(() => [...document.querySelectorAll('[aria-current=true]')].map(({ dataset }) => dataset.session));
    const focusedTitle = () => tab.waitForFunction(() => document.activeElement.id === 'session-title');
    assert.deepEqual(await current(), []);
    await tab.click('[data-session="1"]');
    await focusedTitle();
    assert.deepEqual(await current(), ['1']);
    await tab.focus('[data-session="1"]');
    await tab.keyboard.press('Enter');
    await focusedTitle();
    await tab.goBack();
    await tab.waitForFunction(() => document.getElementById('session').hidden);
    assert.deepEqual(await current(), []);
    await tab.goForward();
    await tab.waitForFunction(() => !document.getElementById('session').hidden);
    await tab.focus('.skip');
    await tab.keyboard.press('Enter');
    await tab.waitForFunction(() => document.activeElement.id === 'main');
    assert.deepEqual(await current(), ['1']);
  });

  test('a report of one session opens at its top, and shows the session below', async () => {
    const { tab } = await opened(page(await demo()));
    assert.deepEqual(await tab.evaluate(() => [scrollY, document.getElementById('session').hidden]), [0, false]);
  });

  test('a report without sessions and a session with one request or none can be read', async () => {
    const [one, none, empty] = await Promise.all([
      analyse([transcriptOf([{ role: 'user', content: 'Hello' }], { requests: [{ messages: 1 }] })], { limit: LIMIT }),
      analyse([transcriptOf([{ role: 'user', content: 'Hello' }], { requests: [] })], { limit: LIMIT }),
      analyse([], { limit: LIMIT }),
    ]);
    for (const report of [one, none, empty]) {
      const { tab, complaints } = await opened(page(report), { width: 360 });
      assert.deepEqual(complaints, []);
      assert.deepEqual(await findings(tab), []);
      const headings = await tab.evaluate(() => [...document.querySelectorAll('#session h3')].map(({ textContent }) => textContent));
      assert.equal(headings.includes('Tokens and cost of each request'), report === one);
    }
  });

  test('search, filters and the two views show what they say', async () => {
    const report = await demo();
    const [{ messages }] = report.sessions;
    const { tab } = await opened(page(report), { hash: '#session=0' });
    const shown = () => tab.evaluate(() => document.querySelector('#session [role=status]').textContent);
    await tab.type('#session input[type=search]', 'claimEvent');
    const matching = messages.filter(({ parts, after = '', tool = '', file = '' }) =>
      [tool, file, after, ...parts.map(({ text }) => text)].join('\n').toLowerCase().includes('claimevent'),
    );
    assert.ok(matching.length > 0 && matching.length < messages.length);
    assert.equal(await shown(), `${matching.length} of ${messages.length} messages`);
    await tab.evaluate(() => {
      const search = document.querySelector('#session input[type=search]');
      search.value = '';
      search.dispatchEvent(new Event('input'));
      document.querySelector('#session label.kept input').click();
      document.querySelector('#session label.gone input').click();
    });
    const cut = messages.filter(({ fate }) => fate === 'cut');
    assert.ok(cut.length > 0);
    assert.equal(await shown(), `${cut.length} of ${messages.length} messages`);
    await tab.evaluate(() => document.querySelector('#session input[value=after]').click());
    const first = await tab.evaluate(() => document.querySelector('#session li.message pre').textContent);
    assert.equal(first, cut[0].after);
  });

  test('the keyboard reaches the tabs, and the switch changes the colours', async () => {
    const { tab } = await opened(page(await demo()));
    await tab.focus('#where-kind');
    await tab.keyboard.press('ArrowRight');
    assert.equal(await tab.evaluate(() => document.activeElement.id), 'where-tool');
    assert.equal(await tab.evaluate(() => document.querySelector('#where-tool').getAttribute('aria-selected')), 'true');
    const background = () => tab.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    await tab.click('#theme');
    assert.notEqual(await background(), light);
    assert.equal(await tab.$eval('#theme', (button) => button.textContent), 'Light', 'what a press gives');
    await tab.click('#theme');
    assert.equal(await tab.$eval('#theme', (button) => button.textContent), 'Dark');
  });

  test('the ticks of the chart are explained where there are any', async () => {
    const report = await demo();
    const epochs = report.sessions[0].requests.filter(({ epoch }) => epoch).length;
    assert.ok(epochs > 1);
    const legend = async (data) => {
      const { tab } = await opened(page(data), { hash: '#session=0' });
      return tab.evaluate(() => [...document.querySelectorAll('#session .legend')].map(({ innerText }) => innerText.trim()));
    };
    const [text, ...others] = await legend(report);
    assert.deepEqual(others, []);
    assert.match(text, new RegExp(`^${epochs} requests at which palimpsest cuts the history anew`));
    const [first] = report.sessions;
    const uncut = { ...first, requests: first.requests.map(({ epoch: _, ...request }) => request) };
    assert.deepEqual(await legend({ ...report, sessions: [uncut] }), []);
  });

  test('an unknown cost says why', async () => {
    const messages = [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Yes.' },
    ];
    const report = await analyse([transcriptOf(messages, { model: 'made-up-1' }), transcriptOf(messages)], { limit: LIMIT });
    const { tab } = await opened(page(report));
    const text = await tab.evaluate(() => document.querySelector('#sessions').innerText);
    assert.match(text, /– is unknown\. Cost: .*no price is known for made-up-1/);
    assert.match(text, /the transcript names no model/);
    const titles = await tab.evaluate(() => [...document.querySelectorAll('#sessions .figure[title]')].map(({ title }) => title));
    assert.ok(titles.includes('no price is known for made-up-1'));
    await tab.click('[data-session="0"]');
    await tab.waitForSelector('#session dl');
    assert.match(
      await tab.evaluate(() => document.querySelector('#session dl').innerText),
      /unknown: (?:no price is known|the transcript)/,
    );
  });

  /** What the page says below a message, by the names of its rows; undefined if that is not shown. */
  const whyOf = (tab, index) =>
    tab.evaluate((at) => {
      const rows = [...document.querySelectorAll(`#message-${at} dl.why > div`)];
      return rows.length === 0 ? undefined : Object.fromEntries(rows.map((row) => [...row.children].map((one) => one.textContent)));
    }, index);
  /** The requests that a row names. */
  const listed = (text) =>
    text.split(', ').flatMap((one) => {
      const [from, to = from] = one.match(/\d+/g).map(Number);
      return Array.from({ length: to - from + 1 }, (_, at) => from + at);
    });

  test('a click on a cut says why: where it was, when it went, what took its place and what brings it back', async () => {
    const report = await demo();
    const [{ messages }] = report.sessions;
    const { tab, complaints } = await opened(page(report), { hash: '#session=0' });
    const index = messages.findIndex(({ fate, gone, after }) => fate === 'cut' && gone.how === 'cut' && /\[…/.test(after));
    const { role, tool, gone } = messages[index];
    assert.equal(await whyOf(tab, index), undefined);
    await tab.evaluate((at) => document.querySelector(`#message-${at} del`).click(), index);
    const why = await whyOf(tab, index);
    assert.equal(why['Said in'], `message ${index}, ${tool === undefined ? role : `${role}, ${tool}`}`);
    assert.deepEqual(listed(why['Was in']), numbersIn(gone.had));
    assert.match(why.Went, new RegExp(`^in request ${gone.request}, chosen anew because .*: a part of the message went$`));
    assert.equal(why['In its place'], gone.mark ?? messages[gone.markOf].gone.mark);
    for (const words of [`session.pin({ message: ${index} })`, 'keep: {', 'a larger limit than 12,000 tokens', `{ from: ${index} }`])
      assert.ok(why['Back by'].includes(words), why['Back by']);
    // It stays while the view changes, and a click on the mark opens it there, too.
    await tab.evaluate(() => document.querySelector('#session input[value=after]').click());
    assert.deepEqual(await whyOf(tab, index), why);
    await tab.click(`#message-${index} button.fate`);
    assert.equal(await whyOf(tab, index), undefined);
    await tab.click(`#message-${index} > pre mark`);
    assert.deepEqual(await whyOf(tab, index), why);
    assert.deepEqual(complaints, []);
  });

  test('the keyboard opens and closes it, and a reader is told which it is', async () => {
    const report = await demo();
    const index = report.sessions[0].messages.findIndex(({ gone }) => gone?.how === 'removed');
    const { tab } = await opened(page(report), { hash: '#session=0' });
    const button = `#message-${index} button.fate`;
    const state = () =>
      tab.evaluate((selector) => {
        const one = document.querySelector(selector);
        return [
          one.textContent,
          one.getAttribute('aria-expanded'),
          document.getElementById(one.getAttribute('aria-controls')).textContent !== '',
        ];
      }, button);
    await tab.focus(button);
    assert.deepEqual(await state(), ['gone: why?', 'false', false]);
    await tab.keyboard.press('Enter');
    assert.deepEqual(await state(), ['gone: why?', 'true', true]);
    assert.match((await whyOf(tab, index)).Went, /nothing of the message was sent$/);
    await tab.keyboard.press('Space');
    assert.deepEqual(await state(), ['gone: why?', 'false', false]);
  });

  test('what a message was cut to by its agent, or went out in fewer tokens, says so', async () => {
    const report = await demo();
    const [first] = report.sessions;
    const gone = [
      { how: 'compacted', had: [], request: 7, back: [] },
      { how: 'shortened', had: [[2, 9]], request: 2, back: ['shorten'] },
      { how: 'thinking', had: [[1, 1]], request: 2, back: ['thinking'] },
      { how: 'whole', had: [[1, 9]], back: [] },
      { how: 'cut', had: [], because: 'stale read of a.ts', mark: HOSTILE[0], back: ['pin', HOSTILE[1], 'prune'] },
    ];
    const messages = first.messages.slice(0, gone.length).map((message, index) => ({ ...message, fate: 'cut', gone: gone[index] }));
    const { tab } = await opened(page({ ...report, sessions: [{ ...first, messages, known: 4 }] }), { hash: '#session=0' });
    await tab.evaluate(() => {
      for (const button of document.querySelectorAll('button.fate')) button.click();
    });
    const [compacted, shortened, thinking, whole, cut] = await Promise.all(gone.map((_, index) => whyOf(tab, index)));
    assert.equal(compacted.Went, 'before request 7: the agent itself compacted its history');
    assert.deepEqual([shortened['Was in'], shortened['Back by']], ['requests 2 to 9', 'the option shorten: false']);
    assert.match(shortened.Went, /^in request 2: it was written in fewer tokens, with nothing lost$/);
    assert.deepEqual([thinking['Was in'], thinking['Back by']], ['requests 1', "the option thinking: 'leave'"]);
    assert.match(whole.Went, /^nothing: all of it is there/);
    assert.deepEqual([cut['Was in'], cut.Why, cut['In its place']], ['no request that is known', 'stale read of a.ts', HOSTILE[0]]);
    assert.match(cut.Went, /^before request 4, the first one that is still known: /);
    assert.ok(cut['Back by'].includes(HOSTILE[1]) && cut['Back by'].includes('prune: false'));
    assert.equal(await tab.evaluate(() => globalThis.wasHit), undefined);
    assert.equal(await tab.evaluate(() => document.querySelectorAll('#main img, #main script').length), 0);
    assert.deepEqual(await findings(tab), []);
  });

  for (const [name, options] of Object.entries({ light: {}, dark: { dark: true }, 'narrow and light': { width: 360 } })) {
    test(`axe finds nothing serious in ${name} colours, and nothing is wider than the window`, async () => {
      const { tab } = await opened(page(await demo()), { ...options, hash: '#session=0' });
      await tab.evaluate(() => {
        for (const button of [...document.querySelectorAll('#session button.fate')].slice(0, 20)) button.click();
      });
      assert.equal(await tab.evaluate(() => document.querySelectorAll('dl.why').length), 20);
      assert.deepEqual(await findings(tab), []);
      assert.equal(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
    });
  }

  test('nothing of a hostile transcript acts in the page', async () => {
    const { tab, complaints } = await opened(page(await hostile()), { hash: '#session=0' });
    for (const index of HOSTILE.keys()) {
      await tab.evaluate((at) => {
        location.hash = `session=${at}`;
      }, index);
      await tab.waitForFunction((at) => document.getElementById('session').dataset.shown === String(at), {}, index);
    }
    assert.equal(await tab.evaluate(() => globalThis.wasHit), undefined);
    assert.equal(
      await tab.evaluate(() => document.querySelectorAll('#main img, #main svg:not(.curve), #main script, #main a[href]').length),
      0,
    );
    assert.deepEqual(complaints, []);
    assert.deepEqual(await findings(tab), []);
  });

  test('a session of 5,000 messages and a list of 1,000 sessions are shown in pieces', async () => {
    const report = await demo();
    const [first] = report.sessions;
    const messages = Array.from({ length: 5_000 }, (_, index) => ({
      ...first.messages[0],
      fate: 'kept',
      parts: [{ text: `Message ${index}.`, label: 'text', kind: 'user' }],
    }));
    const others = Array.from({ length: 999 }, (_, index) => ({ ...first, title: `T${index}`, messages: undefined, requests: [] }));
    const many = { ...report, sessions: [{ ...first, messages }, ...others] };
    const { tab, complaints } = await opened(page(many), { hash: '#session=0&message=4000' });
    assert.equal(await tab.evaluate(() => document.activeElement.id), 'message-4000');
    const drawn = () => tab.evaluate(() => [...document.querySelectorAll('#session li.message')].map(({ id }) => Number(id.slice(8))));
    const around = await drawn();
    assert.ok(around.length < 1_000, `${around.length} messages`);
    await tab.evaluate(() => [...document.querySelectorAll('#session button.more')].find((one) => /earlier/.test(one.textContent)).click());
    const more = await drawn();
    assert.ok(more[0] < around[0]);
    assert.deepEqual(
      more,
      more.map((_, index) => more[0] + index),
    );
    assert.ok((await tab.evaluate(() => document.querySelectorAll('.sessions li').length)) < 1_000);
    assert.deepEqual(complaints, []);
  });
});

test('a page without contents has none, whoever calls it', async () => {
  const report = await demo();
  const [{ messages, title }] = report.sessions;
  const html = page(report, { redact: true });
  const data = JSON.parse(html.match(/<script type="application\/json" id="data">(.*)<\/script>/)[1]);
  assert.equal(data.sessions[0].messages.length, messages.length);
  const texts = messages
    .flatMap(({ parts, after, gone }) => [...parts.map(({ text }) => text), after ?? '', gone?.mark ?? '', gone?.because ?? ''])
    .filter((text) => text.length > 30);
  assert.ok(texts.length > 50 && messages.some(({ gone }) => gone?.mark?.length > 30));
  assert.ok(data.sessions[0].messages.some(({ gone }) => gone?.how === 'removed' && gone.request > 0));
  for (const text of [title, ...texts]) assert.ok(!html.includes(JSON.stringify(text).slice(1, -1).replaceAll('<', '\\u003c')));
});

test('a page without contents names no file, folder or session, and still says which are the same', async () => {
  const call = (id, path) => ({ id, type: 'function', function: { name: 'read_file', arguments: JSON.stringify({ path }) } });
  const of = (path) => [
    { role: 'user', content: 'Read it.' },
    { role: 'assistant', content: '', tool_calls: [call('a', path)] },
    { role: 'tool', tool_call_id: 'a', content: 'secret '.repeat(50) },
    { role: 'assistant', content: '', tool_calls: [call('b', path)] },
    { role: 'tool', tool_call_id: 'b', content: 'secret '.repeat(50) },
    { role: 'assistant', content: 'Done.' },
  ];
  const secrets = ['/home/ada/merger/plan.md', '/home/ada/merger', 'ada-merger-7', '/home/ada/one.jsonl', '/home/ada/broken.jsonl'];
  const [path, cwd, id, file, broken] = secrets;
  const transcripts = ['1', '2'].map((end) => transcriptOf(of(path), { id: id + end, title: id + end, file, cwd }));
  const report = await analyse(transcripts, { limit: LIMIT, skipped: [{ file: broken, reason: `${id}: is not JSON` }] });
  assert.ok(secrets.every((secret) => JSON.stringify(report).includes(secret)));
  const data = JSON.parse(page(report, { redact: true }).match(/id="data">(.*)<\/script>/)[1]);
  for (const secret of ['ada', 'merger', 'plan.md', 'broken']) assert.ok(!JSON.stringify(data).includes(secret), secret);
  const [one, two] = data.sessions;
  assert.deepEqual([one.file, one.cwd], [two.file, two.cwd]);
  assert.notEqual(one.title, two.title);
  assert.deepEqual(
    data.findings.map(({ kind, subject }) => [kind, subject]),
    [['reads', data.where.find(({ by }) => by === 'file').rows.find(({ name }) => name !== '').name]],
  );
  const row = data.where.find(({ by }) => by === 'file').rows.find(({ name }) => name !== '');
  assert.equal(row.name, one.messages.find((message) => message.file !== undefined).file);
  assert.ok(data.where.find(({ by }) => by === 'tool').rows.some(({ name }) => name === 'read_file'));
  assert.deepEqual(data.skipped, [{ file: 'transcript 2', reason: 'is not JSON' }]);
});

test('of lines that occur often, those are left which stand where they stood', () => {
  const text = ['function a() {', '  one();', '}', '', 'function b() {', '  two();', '}', '', 'function c() {', '  three();', '}'];
  const after = ['function a() {', '[… 5 lines: 2–6]', '}', '', 'function c() {', '  three();', '}'];
  const left = linesLeft(text, after);
  const cut = [...text.keys()].filter((index) => !left[index]);
  assert.deepEqual(cut, [1, 2, 3, 4, 5]);
  assert.deepEqual(linesLeft(['}', 'x', '}'], ['[… 3 lines]']), [false, false, false]);
  assert.deepEqual(linesLeft([], ['a']), []);
  const some = fc.array(fc.constantFrom('}', '', 'a', 'b', 'c'), { maxLength: 12 });
  // The longest common subsequence, by its definition.
  const longest = ([first, ...rest], other) => {
    if (first === undefined || other.length === 0) return 0;
    const at = other.indexOf(first);
    return Math.max(longest(rest, other), at < 0 ? 0 : 1 + longest(rest, other.slice(at + 1)));
  };
  fc.assert(
    fc.property(some, some, (before, left) => {
      const kept = before.filter((_, index) => linesLeft(before, left)[index]);
      let at = -1;
      for (const line of kept) {
        at = left.indexOf(line, at + 1);
        assert.notEqual(at, -1);
      }
      assert.equal(kept.length, longest(before, left));
    }),
  );
});

test('a cost that is unknown has its reason', () => {
  const count = { requests: 1 };
  assert.equal(whyNoCost({ count }, ['unknown']), 'the transcript names no model');
  assert.equal(whyNoCost({ count, model: 'm' }, ['m']), 'no price is known for m');
  assert.equal(whyNoCost({ count, model: 'm' }, ['other']), 'no price is known for one of its models');
  assert.equal(whyNoCost({ count: { requests: 0 } }, []), 'no request was sent');
});

test('less than all is never shown as 100 %', () => {
  fc.assert(fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (share) => (percent(share) === '100 %') === (share === 1)));
  assert.deepEqual([0, 0.031, 0.5, 0.996, 1].map(percent), ['0.0 %', '3.1 %', '50 %', '99.6 %', '100 %']);
});

test('the policy allows the page’s own scripts and styles, and nothing else', async () => {
  const html = page(await hostile());
  const [, policy] = html.match(/Content-Security-Policy" content="([^"]*)"/);
  assert.match(policy, /^default-src 'none'; script-src 'sha256-[^ ]+' 'sha256-[^ ;]+'; style-src 'sha256-[^ ]+' 'sha256-[^ ;]+'; /);
  assert.ok(!/unsafe|https?:/.test(policy));
  // Everything between the data's tags is one block: no text of a transcript can end it.
  assert.equal(html.split('<script type="application/json"').length, 2);
  assert.equal(html.split('</script>').length, 4);
});

/** A report of sessions with these costs and tokens, without palimpsest and with it. */
const reportOf = (figures, more = {}) => {
  const sessions = figures.map(([cost, costWithSession, tokens, sent], index) => ({
    ...{ title: `session ${index}`, agent: 'messages', file: '/a.json', cost, costWithSession, tokens, sent },
    count: { requests: 3, messages: 6, epochs: 1 },
  }));
  const sum = (name) => sessions.reduce((total, session) => total + session[name], 0);
  const [cost, costWithSession, tokens, sent] = ['cost', 'costWithSession', 'tokens', 'sent'].map(sum);
  const totals = { sessions: sessions.length, requests: 9, messages: 18, measured: 0, unpriced: [], withoutPrice: [], impossible: 0 };
  const curve = more.isProxied ? undefined : [400, 800].map((limit, index) => ({ limit, tokens: sent, cost: costWithSession + index * 7 }));
  const best = curve?.findIndex((point) => point.cost < cost);
  const shown = { curve, spend: [], findings: [], ...(best >= 0 && { recommended: best }) };
  return {
    ...shown,
    limit: 1000,
    sessions,
    totals: { ...totals, cost, costWithSession, saved: cost - costWithSession, tokens, sent },
    ...more,
  };
};
const amount = fc.integer({ min: 1, max: 400 });

test('a saving alone is green; a loss has its own colour, and words', () => {
  const figures = fc.array(fc.tuple(amount, amount, amount, amount), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(figures, fc.constantFrom({}, { isProxied: true }), (list, more) => {
      const report = reportOf(list, more);
      const { cost, costWithSession, tokens, sent } = report.totals;
      const html = htmlOf(() => overview(report, () => {}));
      const [, kind, text] = report.isProxied
        ? /<p class="answer"><strong class="(\w*)">\$[\d.,]+<\/strong><span>without palimpsest\. As sent it was (.*?)<\/span>/.exec(html)
        : /<span class="change (\w*)">(.*?)<\/span>/.exec(html);
      assert.equal(kind, costWithSession < cost ? 'accent' : costWithSession > cost ? 'loss' : 'same');
      assert.match(text, costWithSession < cost ? /\$[\d,.]+ less/ : costWithSession > cost ? /\$[\d,.]+ more/ : /the same/);
      const bars = [...html.matchAll(/<div class="compare">.*?<span class="fill ?(\w*)">/g)].map(([, found]) => found);
      assert.deepEqual(bars, ['plain', sent < tokens ? 'accent' : sent > tokens ? 'loss' : '']);
      // Of the limits, those that cost less are green in the table, and the recommended one in front.
      for (const { limit, cost: own } of report.curve ?? []) {
        const row = html.split('<tr>').find((one) => one.startsWith(`<th scope="row">${limit}`));
        assert.ok(row.includes(own < cost ? '<td class="accent">' : own > cost ? '<td class="loss">' : '<td class="same">'), row);
      }
      assert.equal(
        html.includes('<p class="answer"><strong class="accent">'),
        report.isProxied ? costWithSession < cost : report.recommended !== undefined,
      );
      const rows = htmlOf(() => sessionList(report, () => {}).elements)
        .split('<li>')
        .slice(1);
      for (const [index, [before, after, came, went]] of list.entries()) {
        const losses = Number(after > before) + Number(went > came);
        assert.equal(rows[index].split('class="figure loss"').length - 1, losses, rows[index]);
        assert.equal(rows[index].split(', more<').length - 1, losses, rows[index]);
        assert.ok(!rows[index].includes('accent'));
      }
    }),
  );
});

test('the scripts of the page can be run: no two modules have the same name', async () => {
  const report = await demo();
  for (const html of [page(report), page(report, { live: { version: 0 } })]) {
    const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script]) => script);
    assert.equal(scripts.length, 2);
    for (const script of scripts) assert.ok(new Script(script));
  }
});
