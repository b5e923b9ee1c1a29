// Progress on standard error, for work of more than half a second.
import { coloursOf, cut, plain, widthOf } from './terminal.mjs';
import type { Io } from './commands/index.mjs';

/** Time before the first line, and between two of them: on a terminal, where a line replaces the last, and elsewhere. In ms. */
const FIRST = 500;
const EVERY = { terminal: 100, plain: 5000 };
/** Share of the work from which on the time left is told, and the least time that passed, in ms. */
const MIN_SHARE = 0.02;
const MIN_TIME = 1000;

const CLEAR = '\r\x1b[2K';

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);

/** A duration for people, such as `8 s` or `2 min`. */
const duration = (ms: number) => (ms < 59_500 ? `${Math.max(1, Math.round(ms / 1000))} s` : `${Math.round(ms / 60_000)} min`);

const amount = (done: number, total: number | undefined, unit: string, shown: (count: number) => string = String) =>
  `${shown(done)}${total ? ` of ${shown(total)}` : ''} ${unit}`;

/**
 * Starts to watch over some work. Nothing is written before half a second, or if `quiet`.
 *
 * @param work `what` is done, such as `reading`; how much there is, if known
 */
export function progress(
  io: Io,
  { what, files, bytes, quiet = false }: { what: string; files?: number; bytes?: number; quiet?: boolean | undefined },
) {
  const { stderr, now, env } = io;
  const isTerminal = stderr.isTTY === true && env.TERM !== 'dumb';
  const start = now();
  const done = { files: 0, bytes: 0 };
  let label = '';
  let shown = start + FIRST - (isTerminal ? EVERY.terminal : EVERY.plain);
  let isOnScreen = false;

  const line = () => {
    const share = bytes ? done.bytes / bytes : files ? done.files / files : 0;
    const passed = now() - start;
    const left = share >= MIN_SHARE && share < 1 && passed >= MIN_TIME ? (passed / share) * (1 - share) : undefined;
    const parts = [
      ...(files !== undefined && files > 1 ? [amount(done.files, files, 'files')] : []),
      ...(done.bytes > 0 || bytes ? [amount(done.bytes, bytes, 'MB', megabytes)] : []),
      ...(left === undefined ? [] : [`${duration(left)} left`]),
    ];
    return `${what}${parts.length > 0 ? ` ${parts.join(', ')}` : ' …'}`;
  };

  const show = () => {
    if (quiet) return;
    const time = now();
    if (time - shown < (isTerminal ? EVERY.terminal : EVERY.plain)) return;
    shown = time;
    const text = line();
    if (!isTerminal) {
      stderr.write(`palimpsest: ${text}\n`);
      return;
    }
    // One column stays free: a full line would wrap.
    const width = widthOf(stderr, env) - 1;
    const { dim } = coloursOf(stderr, env);
    const room = width - text.length - 2;
    stderr.write(CLEAR + cut(text, width) + (label && room > 8 ? `  ${dim(cut(label, room))}` : ''));
    isOnScreen = true;
  };

  const clear = () => {
    if (isOnScreen) stderr.write(CLEAR);
    isOnScreen = false;
  };

  return {
    /** Sets how much there is. */
    expect(total: { files?: number; bytes?: number }) {
      files = total.files ?? files;
      bytes = total.bytes ?? bytes;
    },
    /** Adds to what is done. @param name of what is worked on */
    step(more: { files?: number; bytes?: number }, name?: string) {
      done.files += more.files ?? 0;
      done.bytes += more.bytes ?? 0;
      if (name !== undefined) label = plain(name);
      show();
    },
    /** Says what is done next. */
    phase(next: string) {
      what = next;
      show();
    },
    /** Removes the line, before something else is written. */
    clear,
    end: clear,
  };
}
