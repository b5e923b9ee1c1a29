// Early facts: eight facts are said at the beginning of a long recorded session, in results, by the model and in what the user pasted. At its end
// somebody asks for each, and for two at once. How often does the request say the answer, and what does the session cost?
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';

const { countTokens, createSession } = createRequire(import.meta.url)('palimpsest');

/** Each: where it is said, the line that says it, a question in other words, and the answer. */
const FACTS = [
  ['result', 'replica_lag_alert_seconds: 47', 'After how many seconds of lag does the replica raise an alert?', '47'],
  ['result', 'primary = db-kestrel-3.internal:6543', 'Which host and port does the primary database have?', 'db-kestrel-3.internal:6543'],
  [
    'result',
    'Oct 14 03:12:09 cron[811]: rotate-certs finished, serial 7F3A91',
    'What was the serial when cron rotated the certs?',
    '7F3A91',
  ],
  [
    'result',
    '  "billing_webhook": "https://hooks.example.test/b/91827",',
    'What is the address of the webhook for billing?',
    'https://hooks.example.test/b/91827',
  ],
  [
    'model',
    'The flaky test is retry_spec.rb:218; it fails only when TZ is Pacific/Apia.',
    'Which time zone makes the flaky test fail?',
    'Pacific/Apia',
  ],
  [
    'model',
    'The import job took 38 minutes before the index on orders.customer_ref was added.',
    'How long did the import take before we added the index?',
    '38 minutes',
  ],
  [
    'paste',
    'Marta Oyelaran owns the payments queue and must approve schema changes.',
    'Who has to approve changes of the schema for payments?',
    'Marta Oyelaran',
  ],
  ['paste', 'The contract with Northwind ends on 2027-03-19 unless renewed.', 'When does the contract with Northwind end?', '2027-03-19'],
];
/** Tokens of passages that are tried; `null`: no recall. */
export const EARLY_LIMITS = [null, 500, 1000, 1500, 2000, 3000];
const LIMIT = 32_000;
const LEAST = 60_000;
const NOISE = 'queue worker shard lease batch token bucket cursor window retry backoff offset segment replica epoch'.split(' ');

const noise = (line, seed) =>
  `${NOISE[(line * 7 + seed) % NOISE.length]}_${(line * 31 + seed * 17) % 97}: ${NOISE[(line * 3 + seed) % NOISE.length]} ${(line * 7919 + seed * 104_729) % 100_000}`;
const among = (fact, seed) => [...Array(40).keys()].map((line) => (line === 11 + seed ? fact : noise(line, seed))).join('\n');

/** The exchanges that say the facts. */
function said() {
  return FACTS.flatMap(([how, fact], seed) => {
    if (how === 'paste')
      return [
        { role: 'user', content: `These are the notes of the last meeting:\n\n${among(fact, seed)}` },
        { role: 'assistant', content: 'I have read them.' },
      ];
    if (how === 'model')
      return [
        { role: 'user', content: 'What did you find?' },
        { role: 'assistant', content: `${fact} I will go on with the next part.` },
      ];
    const call = {
      id: `early_${seed}`,
      type: 'function',
      function: { name: 'Bash', arguments: JSON.stringify({ command: `./show part-${seed}` }) },
    };
    return [
      { role: 'user', content: 'Look at the next part.' },
      { role: 'assistant', content: '', tool_calls: [call] },
      { role: 'tool', tool_call_id: call.id, content: among(fact, seed) },
      { role: 'assistant', content: 'It is as I expected.' },
    ];
  });
}

const QUESTIONS = [
  ...FACTS.map(([, , question, answer]) => ({ question, answers: [answer] })),
  ...FACTS.slice(0, 4).map(([, , question, answer], at) => ({
    question: `${question} And ${FACTS[at + 4][2][0].toLowerCase()}${FACTS[at + 4][2].slice(1)}`,
    answers: [answer, FACTS[at + 4][3]],
  })),
];

const plain = ({ role, content, tool_calls, tool_call_id }) => ({
  role,
  content,
  ...(tool_calls ? { tool_calls } : {}),
  ...(tool_call_id ? { tool_call_id } : {}),
});

function longSessions(shared) {
  return ['corpus/plain/', 'recordings/plain/'].flatMap((path) => {
    const folder = new URL(path, shared);
    return readdirSync(folder).flatMap((file) => {
      const all = JSON.parse(readFileSync(new URL(file, folder), 'utf8')).filter(({ messages }) =>
        messages?.some(({ tool_calls }) => tool_calls),
      );
      return all
        .map(({ messages }) => messages.map(plain))
        .filter((messages) => countTokens(messages) > LEAST)
        .slice(0, 3);
    });
  });
}

/**
 * @param {URL} shared the folder with `corpus` and `recordings`
 * @returns for each limit how many facts were `asked` for, in questions of `one` and in those of `two` each once, and how many of them the request said; and
 *   the `cost` of all sessions, in tokens at the price of uncached input
 */
export function measureEarly(shared, limits = EARLY_LIMITS) {
  const sessions = longSessions(shared);
  return limits.map((limit) => {
    const result = { limit, asked: 0, one: 0, two: 0, cost: 0 };
    for (const messages of sessions) {
      const system = messages.filter(({ role }) => role === 'system');
      const history = [...system, ...said(), ...messages.slice(system.length)];
      const options = { limit: LIMIT, format: 'openai-chat', cache: 'anthropic', recall: limit === null ? null : { limit }, warn: false };
      const session = createSession(options);
      for (let end = 1; end <= history.length; end++)
        if (end === history.length || history[end].role === 'assistant') session.next(history.slice(0, end));
      // Each question is a turn of the session, as a person would ask them.
      for (const { question, answers } of QUESTIONS) {
        history.push({ role: 'user', content: question });
        const sent = session.next(history).messages;
        const text = JSON.stringify(sent);
        const found = answers.filter((answer) => text.includes(JSON.stringify(answer).slice(1, -1))).length;
        if (answers.length === 1) result.asked++;
        result[answers.length === 1 ? 'one' : 'two'] += found;
        history.push({ role: 'assistant', content: 'I see.' });
      }
      result.cost += session.report.cost.session;
    }
    return result;
  });
}
