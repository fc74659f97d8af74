/** A FIFO queue. `Array.shift` copies the rest of an array of many thousands. */
export class Queue<Item> {
  #items: Item[] = [];
  #taken = 0;

  get length(): number {
    return this.#items.length - this.#taken;
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  /** Removes the oldest item. The queue must not be empty. */
  shift(): Item {
    const item = this.#items[this.#taken++]!;
    // Copies at most one item for each that was removed, and frees the removed ones.
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
