/** A number for each distinct value, in order of first use. */
export class Numbered<T> {
  values: T[] = [];
  #numbers = new Map<T, number>();

  /** The number of a value; equal ones have the same. */
  number(value: T) {
    let number = this.#numbers.get(value);
    if (number === undefined) {
      number = this.values.push(value) - 1;
      this.#numbers.set(value, number);
    }
    return number;
  }
}
