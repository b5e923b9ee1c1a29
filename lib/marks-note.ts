/** See `index.d.ts`. */
export const marksNote =
  'Parts of this conversation were left out to save space: marks such as `[…]`, `[… 42 lines]`, `[… 23 lines: 41–63]`, ' +
  '`[… 6 messages: bash ×3]` and `[palimpsest:… stale read of a.ts, 120 lines]` stand in their place, and say how much is missing, which ' +
  'lines, or why. Your earlier calls were carried out in full, even if their arguments show a mark. A mark is not content: never copy ' +
  'one into a file, an edit, a command or an answer, and if you need what is missing, read the file or run the command again.';
