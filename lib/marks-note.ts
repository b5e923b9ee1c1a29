/** See `index.d.ts`. */
export const marksNote =
  'Parts of this conversation may be left out to save space. Marks then stand in their place, and say how much is missing, which lines, or ' +
  'why: `[…]`, `[… 42 lines]`, `[… 23 lines: 41–63]`, `[… lines 1–11]`, `[… 900 characters]`, `[… 117 items]`, `[… 2 members]`, ' +
  '`[… 6 messages: bash ×3]`, `[… 1 image]`, `[palimpsest:… stale read of a.ts, 120 lines]`. `[… 41 more like this]` are lines that differ ' +
  'from the one above in numbers only, `[… 41 more times]` lines equal to it, `[… 41 earlier states]` what a command wrote over. After ' +
  '`[… 40 items, a row each]` come member names, then a row of values for each item. Your earlier calls were carried out in full, even if ' +
  'an argument shows `[… 120 lines: cut here, sent in full]`. A mark is not content: never copy one into a file, an edit, a command or an ' +
  'answer. If you need what is missing, read the file or run the command again.';
