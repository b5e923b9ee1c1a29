// Facts of conversations, and the judge of what a session says of them: it reads the requests that went out.
import assert from 'node:assert/strict';

/** What the user, the model or a tool said in a message: its strings, but for thinking, names, ids, signatures and what kind of data something is. */
function textsOf(value) {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    /^(?:role|type|id|name|signature|thinking|data|media_?[tT]ype|mime_?[tT]ype|tool_use_id|tool_call_id|call_id|toolCallId|toolName|cache_control|status|reasoning|reasoning_details|summary|thought)$/.test(
      key,
    )
      ? []
      : textsOf(inner),
  );
}

/** The numbers in ranges. */
export const numbersIn = (ranges) =>
  ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index));

/** Facts of a history: words that nothing but its texts has. */
export function factsOf(history, random, count) {
  const texts = history.map((message) => textsOf(message).join('\n'));
  const words = [...new Set(texts.flatMap((text) => text.match(/\b[A-Za-z][\w./-]{6,40}\b/g) ?? []))];
  const all = JSON.stringify(history);
  const times = (text, word) => text.split(word).length - 1;
  const isOnlySaid = (word) => times(all, word) === texts.reduce((sum, text) => sum + times(text, word), 0);
  const facts = [];
  for (let tries = 0; tries < 20 * count && facts.length < count && words.length > 0; tries++) {
    const word = random.pick(words);
    if (!facts.includes(word) && isOnlySaid(word)) facts.push(word);
  }
  return facts.map((fact) => ({ fact, places: [...texts.keys()].filter((index) => texts[index].includes(fact)) }));
}

/** What was found, by how something went. */
export const found = {};

/** Judges an answer of `session.why`; `sent`: the text of each request, why it cut, and the length of its history. */
export function judge({ fact, places }, why, sent, isRecalling) {
  const known = numbersIn(why.known);
  const had = known.filter((number) => sent[number - 1].text.includes(fact));
  assert.deepEqual(numbersIn(why.requests), had, `${fact}: ${why.summary}`);
  const said = [...new Set(why.said.map(({ message }) => message))];
  // Only the newest places are named.
  assert.deepEqual(said, why.said.length < 50 ? places : places.slice(-said.length), fact);
  for (const { message, requests, gone } of why.said) {
    const own = numbersIn(requests);
    assert.ok(own.every((number) => had.includes(number) && sent[number - 1].length > message));
    if (gone === undefined) {
      assert.equal(own.at(-1), known.at(-1));
      continue;
    }
    found[gone.how] = (found[gone.how] ?? 0) + 1;
    if (gone.request === undefined) continue;
    const { text, epoch } = sent[gone.request - 1];
    assert.equal(gone.epoch, epoch, `${fact}: ${why.summary}`);
    // Nothing else says it, so that the request that lost it lacks it.
    if (places.length === 1 && why.said.length === 1 && !isRecalling) {
      const lost = (had.at(-1) ?? sent.findIndex(({ length }) => length > message)) + 1;
      assert.equal(gone.request, lost, `${fact}: ${why.summary}`);
    }
    if (gone.mark !== undefined) {
      assert.ok(
        text.includes(JSON.stringify(gone.mark).slice(1, -1)) ||
          text.includes(JSON.stringify(JSON.stringify(gone.mark).slice(1, -1)).slice(1, -1)),
        gone.mark,
      );
      if (gone.because !== undefined) assert.ok(gone.mark.includes(gone.because));
      found.mark = (found.mark ?? 0) + 1;
    }
  }
}
