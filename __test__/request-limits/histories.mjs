// Histories with images of any sizes and PDFs with any number of pages, in every format and wherever one may have them.
import { jpeg, pdf, png } from '../support/files.mjs';
import { Draw, inFormat, kindsOf, PROVIDERS } from '../providers/index.mjs';
import { filesIn } from '../support/providers/limits.mjs';

/** Draws images and documents of its own. */
class Filed extends Draw {
  files = 0;

  png() {
    this.files++;
    const [width, height] = [this.random.pick([64, 800, 1600, 1900]), this.random.pick([48, 600, 1200, 1700])];
    const number = 100 * this.number + this.files;
    return this.random.chance(0.5) ? png(width, height, number, this.random.pick([64, 64, 3000])) : jpeg(width, height, number);
  }

  pdf() {
    this.files++;
    return pdf(this.random.pick([1, 1, 2, 3]), 100 * this.number + this.files);
  }
}

/** The kinds of a format that have a file. */
function filedKinds(format, random) {
  return kindsOf(PROVIDERS[format]).filter(([, , make]) => {
    const draw = new Filed(random, 0, { words: 4 });
    make(draw);
    return draw.files > 0;
  });
}

/**
 * A history of exchanges, most of them with files, between exchanges of words.
 *
 * @param {number} count of the exchanges
 * @param {number} words of each text
 */
export function historyOf(format, random, count, words) {
  const { plain, user } = PROVIDERS[format];
  const kinds = filedKinds(format, random);
  let number = 0;
  const draw = () => new Filed(random, ++number, { words });
  const exchanges = Array.from({ length: count }, () => (random.chance(0.25) ? plain(draw()) : random.pick(kinds)[2](draw())));
  // What the model made in the current exchange can't go. What the user shows can.
  const [shown] = random.pick(kinds)[2](draw());
  const last = [random.chance(0.5) && filesIn(shown).length > 0 ? shown : user(draw())];
  return inFormat(PROVIDERS[format], [...plain(draw()), ...exchanges.flat(), ...plain(draw()), ...last]);
}
