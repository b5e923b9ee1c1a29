// Databases keep texts in UTF-8, which has no lone surrogates, and Postgres refuses U+0000. Such texts are kept as JSON, which escapes both.

const QUOTE = '"';
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Returns a text that every database keeps: the same one, or its JSON. No two texts have the same outcome. */
export const encode = (text: string) =>
  text.startsWith(QUOTE) || text.includes('\0') || LONE_SURROGATE.test(text) ? JSON.stringify(text) : text;

/** The text that {@link encode} was given. */
export const decode = (kept: string): string => (kept.startsWith(QUOTE) ? JSON.parse(kept) : kept);
