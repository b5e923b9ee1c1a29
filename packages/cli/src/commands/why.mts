import { plain } from '../terminal.mjs';
import { FILE_NOTE } from './verbs.mjs';
import { askedIn, PLAYED, played, SAVED } from './played.mjs';
import { defineCommand } from './index.mjs';

export const command = defineCommand({
  name: 'why',
  summary: 'Says why something is missing from the requests of a session: where it was said, when it went, what brings it back',
  usage: 'TEXT [FILE]',
  positionals: 2,
  notes: [
    FILE_NOTE,
    'The requests are played as a session within --limit would have sent them. With --saved, the answer is for those that a session of yours did send; give its --limit. The exit code is 1 if nothing says it.',
  ],
  options: {
    message: { type: 'count', value: 'N', text: 'message to ask for, by its index from 0, in place of TEXT' },
    request: { type: 'count', value: 'N', text: 'number of the request that it is missing from. Default: the last one' },
    saved: SAVED,
    ...PLAYED,
    json: { type: 'boolean', text: 'writes the answer as one JSON object: said, requests, known, summary' },
  },
  examples: [
    ['palimpsest why "port 8412" session.jsonl --limit 100k', 'the messages that say it, and the request without it'],
    ['palimpsest why "port 8412" history.json --saved session.json -l 64k', 'of the requests that went out'],
    ['palimpsest why "port 8412" session.jsonl -l 100k --request 57', 'why that request lacks it'],
    ['palimpsest why --message 12 session.jsonl', 'what became of a message'],
  ],
  async run(invocation) {
    const { values, positionals, io } = invocation;
    const { what, file } = askedIn(positionals, values.message);
    const { session, messages } = await played({ ...invocation, positionals: file === undefined ? [] : [file] }, values.saved);
    const why = session.why(what, messages, { request: values.request });
    io.stdout.write(`${values.json ? JSON.stringify(why) : why.summary.split('\n').map(plain).join('\n')}\n`);
    return why.said.length > 0 || why.requests.length > 0 ? 0 : 1;
  },
});
