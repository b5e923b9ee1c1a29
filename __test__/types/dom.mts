// The platform's own AbortSignal fits.
import { compress } from 'palimpsest';

compress([], { signal: new AbortController().signal });
compress([], { signal: AbortSignal.timeout(1000) });
