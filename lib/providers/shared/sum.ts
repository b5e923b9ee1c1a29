/** The sum of counts, of which some may be absent. */
export const sum = (...counts: (number | null | undefined)[]) => counts.reduce<number>((total, count) => total + (count ?? 0), 0);
