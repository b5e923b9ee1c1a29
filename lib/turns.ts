let last = Promise.resolve();

/** Waits for a turn of the event loop that no other caller gets: of all that are waiting, one continues in each turn. */
export function turn() {
  last = last.then(() => new Promise((resolve) => void setImmediate(resolve)));
  return last;
}
