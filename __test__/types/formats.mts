// Messages of a type of one's own.
import { createSession, defineFormat, fit, validate } from 'palimpsest';

interface Row {
  sender: 'human' | 'bot';
  body: string;
}
const rows = defineFormat<Row>({
  name: 'rows',
  parts: ({ body }) => (body === '' ? [] : [{ kind: 'text', path: ['body'], role: 'user' }]),
});
const history: Row[] = [{ sender: 'human', body: 'a' }];
const fittedRows: Row[] = fit(history, { format: rows, limit: 10 }).messages;
createSession<Row>({ format: rows, limit: 100 }).next(fittedRows).messages satisfies readonly Row[];
// @ts-expect-error a call has an id
defineFormat<Row>({ name: 'rows', parts: () => [{ kind: 'call', path: ['body'], name: 'a' }] });
// @ts-expect-error no provider refuses messages that it does not know
validate([], { format: rows });
