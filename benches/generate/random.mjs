/** A seeded source of choices, so that every run generates the same conversations. */
export class Random {
  constructor(seed) {
    this.state = seed;
  }

  /** A number from 0 up to, but not including, 1 (mulberry32). */
  next() {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer, both ends included. */
  between(low, high) {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability) {
    return this.next() < probability;
  }

  pick(list) {
    return list[Math.floor(this.next() * list.length)];
  }

  /** One of `list`, earlier ones more often: ranks are distributed as words are in natural text (Zipf). */
  pickRanked(list) {
    return list[Math.floor(list.length ** this.next()) - 1];
  }

  /** `count` answers of `make`, joined. */
  join(count, separator, make) {
    let text = make();
    for (let made = 1; made < count; made++) text += separator + make();
    return text;
  }

  /** `length` characters of `alphabet`. */
  letters(length, alphabet) {
    let text = '';
    for (let made = 0; made < length; made++) text += alphabet[Math.floor(this.next() * alphabet.length)];
    return text;
  }
}
