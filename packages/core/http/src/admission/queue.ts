/** First in, first out. `Array.shift` moves all that is left, once that is many thousand. */
export class Queue<Item> {
  #items: Item[] = [];
  #taken = 0;

  get length(): number {
    return this.#items.length - this.#taken;
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  /** The one that came first; there has to be one. */
  shift(): Item {
    const item = this.#items[this.#taken++]!;
    // Each is moved once for each that was taken: seldom, and nothing taken is held for long.
    if (2 * this.#taken >= this.#items.length) {
      this.#items = this.#items.slice(this.#taken);
      this.#taken = 0;
    }
    return item;
  }

  *[Symbol.iterator](): Generator<Item> {
    for (let at = this.#taken; at < this.#items.length; at++) yield this.#items[at]!;
  }
}
