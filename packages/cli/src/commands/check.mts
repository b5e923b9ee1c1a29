import { Misuse, Problem } from '../errors.mjs';
import { plain } from '../terminal.mjs';
import { counted, grouped } from '../transcripts/values.mjs';
import { PLAYED, played } from './played.mjs';
import { LIMIT } from './sessions.mjs';
import { FILE_NOTE } from './verbs.mjs';
import { defineCommand } from './index.mjs';
import type { SessionStep } from 'palimpsest';
import type { Input } from '../input.mjs';

/** What was checked. */
interface Check {
  name: 'limit' | 'rules' | 'has' | 'cost';
  ok: boolean;
  /** in one line, without what the messages say */
  text: string;
}

function limitCheck(steps: readonly SessionStep<object>[], limit: number): Check {
  const over = steps.filter(({ fits }) => !fits).length;
  const text = over === 0 ? 'all within' : `${over} above`;
  return { name: 'limit', ok: over === 0, text: `${counted(steps.length, 'request')}, ${text} ${grouped(limit)} tokens` };
}

/** Epochs alone report rules: between them, nothing goes. */
function rulesCheck(steps: readonly SessionStep<object>[]): Check {
  const found = steps.flatMap(({ report }, index) => (report.rules === undefined ? [] : [{ number: index + 1, ...report.rules }]));
  const losing = found.filter(({ found: all, kept }) => kept < all);
  const [first] = losing;
  const text =
    found.length === 0
      ? 'no rules were found'
      : first === undefined
        ? `no cut of ${found.length} lost a rule`
        : `${losing.length} of ${counted(found.length, 'cut')} lost rules, first in request ${first.number}: ${first.kept} of ${first.found} kept`;
  return { name: 'rules', ok: first === undefined, text };
}

/** Reads a number of US dollars. */
function dollarsIn(text: string) {
  if (!/^\$?(\d+(\.\d+)?|\.\d+)$/.test(text))
    throw new Misuse(`--max-cost must be a number of US dollars such as 2 or 0.50, got ${JSON.stringify(text)}`);
  return Number(text.replace('$', ''));
}

/** What a session within a limit costs, in US dollars: as the report has it, or of plain messages what goes out. */
async function costOf(
  { transcript, name }: Input,
  { limit, model, now, tokens }: { limit: number; model: string | undefined; now: number; tokens: number },
) {
  if (transcript !== undefined) {
    const { analyse } = await import('../analysis/index.mjs');
    const { totals } = await analyse([transcript], { limit, now });
    if (totals.costWithSession !== undefined) return totals.costWithSession;
  }
  const { createPrices } = await import('../analysis/prices.mjs');
  const price = createPrices(now)(model);
  if (price === undefined)
    throw new Problem(`${plain(name)}: no price is known${model === undefined ? '; name the model with --model' : ` of ${plain(model)}`}`);
  return tokens * price.ratesOf({ input: tokens, output: 0, cacheRead: 0, cacheWrite: 0 }).input;
}

export const command = defineCommand({
  name: 'check',
  summary: 'Checks in CI what a session within a limit makes of a conversation: its limit, its rules, a text, its cost',
  usage: '[FILE]',
  positionals: 1,
  notes: [
    FILE_NOTE,
    'The requests are played as a session within --limit would have sent them. The exit code is 1 if a check fails. Costs are those of the report; of messages without usage, those of what goes out, by --model.',
  ],
  options: {
    ...PLAYED,
    'keep-rules': { type: 'boolean', text: 'no cut may lose a rule: of CLAUDE.md, AGENTS.md and the like, and what the user demanded' },
    has: { type: 'string', value: 'TEXT', text: 'the last request must have this text, word for word' },
    'max-cost': { type: 'string', value: 'DOLLARS', text: 'the session may cost so much at most, in US dollars' },
    json: { type: 'boolean', text: 'writes one JSON object: ok, checks' },
  },
  examples: [
    ['palimpsest check session.jsonl --limit 100k --keep-rules --max-cost 2', 'whether 100,000 tokens are enough for it'],
    ['palimpsest check history.json -l 32k --has "never push to main"', 'whether the last request has a text'],
  ],
  async run(invocation) {
    const { values, io } = invocation;
    const limit = values.limit ?? LIMIT;
    const most = values['max-cost'] === undefined ? undefined : dollarsIn(values['max-cost']);
    if (values.has?.trim() === '') throw new Misuse('--has must be a text that is not blank');
    const steps: SessionStep<object>[] = [];
    const { session, messages, input } = await played(invocation, undefined, (step) => steps.push(step));
    const checks = [limitCheck(steps, limit)];
    if (values['keep-rules']) checks.push(rulesCheck(steps));
    if (values.has !== undefined) {
      const { requests } = session.why(values.has, messages);
      const ok = requests.some(([, last]) => last === steps.length);
      checks.push({ name: 'has', ok, text: `the last request ${ok ? 'has' : 'lacks'} the text${ok ? '' : '; palimpsest why says why'}` });
    }
    if (most !== undefined) {
      const { cost } = session.report;
      const dollars = await costOf(input, { limit, model: values.model, now: io.now(), tokens: cost.session });
      checks.push({ name: 'cost', ok: dollars <= most, text: `$${dollars.toFixed(2)} of $${most.toFixed(2)}` });
    }
    const ok = checks.every((check) => check.ok);
    const lines = checks.map((check) => `${check.ok ? 'ok    ' : 'failed'}  ${check.name}: ${check.text}`);
    io.stdout.write(`${values.json ? JSON.stringify({ ok, checks }) : lines.join('\n')}\n`);
    return ok ? 0 : 1;
  },
});
