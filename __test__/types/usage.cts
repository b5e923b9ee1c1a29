// CommonJS sees the same functions.
import palimpsest = require('palimpsest');
import { compress, type Message } from 'palimpsest';

const messages: Message[] = palimpsest.compress([{ id: 'a', index: 0, role: 'user', content: 'x' }]).messages;
const same: typeof palimpsest.compress = compress;
// @ts-expect-error there is no default export
palimpsest.default;
