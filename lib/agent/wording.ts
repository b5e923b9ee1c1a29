// Numbers as reports write them.

/** 28945 → `28,945`, in every locale. */
export const grouped = (number: number) =>
  number >= 0 && number < 1000 ? String(number) : String(number).replace(/\B(?=(\d{3})+$)/g, ',');
export const percent = (part: number, whole: number) => `${(whole === 0 ? 0 : (100 * part) / whole).toFixed(1)}%`;
export const counted = (count: number, one: string, many = `${one}s`) => `${grouped(count)} ${count === 1 ? one : many}`;
