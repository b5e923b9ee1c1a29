// The note on marks at the end of a system prompt. The prompt itself is never changed.

/** A system prompt in any shape but a text: a message or a block. */
interface Prompt {
  role?: unknown;
  type?: unknown;
  text?: unknown;
  content?: unknown;
  parts?: Prompts;
}
type Prompts = readonly (Prompt | string)[];

/** Roles of system messages. */
const ROLES: ReadonlySet<unknown> = new Set(['system', 'developer']);

/**
 * Adds the note to a system prompt.
 *
 * @param system a string, texts or text blocks, Gemini's `Content`, or a system message or several
 * @returns the same if no note is wanted, or if it is there
 */
export const withNote = <System>(system: System, note: string | undefined): System | string =>
  note === undefined ? system : (ended(system, note) as System | string);

/** The same for messages that begin with the system prompt: the note ends it, or is put before them if they have none. */
export function withNoteIn<Message extends object>(messages: Message[], note: string | undefined): Message[] {
  if (note === undefined) return messages;
  const found = messages.findIndex((message: Prompt) => !ROLES.has(message?.role));
  const end = found < 0 ? messages.length : found;
  const system: Prompts = end === 0 ? [{ role: 'system', content: note }] : listEnded(messages.slice(0, end), note);
  return [...(system as Message[]), ...messages.slice(end)];
}

function ended(system: unknown, note: string): unknown {
  if (system === undefined || system === null || system === '') return note;
  if (typeof system === 'string') return system.endsWith(note) ? system : `${system}\n\n${note}`;
  if (Array.isArray(system)) return listEnded(system, note);
  const prompt = system as Prompt;
  if (prompt.parts !== undefined) return { ...prompt, parts: listEnded(prompt.parts, note) };
  if (prompt.content !== undefined) return { ...prompt, content: ended(prompt.content, note) };
  return listEnded([prompt], note);
}

/** Adds the note to the last of several system messages; otherwise behind the texts or blocks, in the shape of the last one. */
function listEnded(list: Prompts, note: string): Prompts {
  const last = list.at(-1);
  if (typeof last === 'string') return last === note ? list : [...list, note];
  if (last?.content !== undefined) return [...list.slice(0, -1), ended(last, note) as Prompt];
  if (last?.text === note) return list;
  return [...list, last !== undefined && last.type === undefined ? { text: note } : { type: last?.type ?? 'text', text: note }];
}
