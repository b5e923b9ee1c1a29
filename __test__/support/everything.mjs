// What the package exports at its root, and for the package that it replaces.
import * as root from 'palimpsest';
import * as dropIn from 'palimpsest/compress';

export const palimpsest = { ...root, ...dropIn };
