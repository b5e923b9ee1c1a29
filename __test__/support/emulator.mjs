// A terminal that shows what programs wrote: xterm.js, without a screen.
import xterm from '@xterm/headless';

/** Sizes of terminals that people and agents have, the smallest first: columns and rows. */
export const SIZES = [
  [80, 24],
  [132, 43],
  [200, 50],
  [1000, 100],
];

/** What a terminal shows in the end, from the first line that went off its top: lines without blanks at their ends, and none that are blank at the end. */
export function displayed(text, [cols, rows]) {
  const terminal = new xterm.Terminal({ cols, rows, scrollback: 100_000, allowProposedApi: true });
  // `write` calls back after some milliseconds, which takes hours for many texts.
  terminal._core.writeSync(text.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n'));
  const buffer = terminal.buffer.active;
  const lines = Array.from({ length: buffer.length }, (_, at) => buffer.getLine(at).translateToString(true).trimEnd());
  terminal.dispose();
  return lines.join('\n').trimEnd();
}

/** A text without the marks of states that went, and how many they count. */
export function withoutMarks(text) {
  let states = 0;
  const bare = text.replace(/\n\[… (\d+) earlier states\](?=\r*(?:\n|$))/g, (_, count) => {
    states += Number(count);
    return '';
  });
  return { bare, states };
}
