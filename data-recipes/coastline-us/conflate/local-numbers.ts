const ROWS = 1 << 16;

/** Numbers at places, and their sum or median in the square cells around another place. */
export class LocalNumbers {
  readonly #cellsPerDegree: number;
  readonly #reachCells: number;
  readonly #cells = new Map<number, number[]>();
  readonly #sums = new Map<number, number>();
  readonly #medians = new Map<number, number | undefined>();

  /** @param reachCells cells on each side of the place's own. */
  constructor(cellsPerDegree: number, reachCells: number) {
    this.#cellsPerDegree = cellsPerDegree;
    this.#reachCells = reachCells;
  }

  add([longitude, latitude]: readonly [number, number], value: number): void {
    const cell = this.#cellOf(longitude, latitude);
    const values = this.#cells.get(cell);
    if (values === undefined) this.#cells.set(cell, [value]);
    else values.push(value);
  }

  sumNear([longitude, latitude]: readonly [number, number]): number {
    const cell = this.#cellOf(longitude, latitude);
    let sum = this.#sums.get(cell);
    if (sum === undefined) {
      sum = this.#near(cell).reduce((total, value) => total + value, 0);
      this.#sums.set(cell, sum);
    }
    return sum;
  }

  /** Returns undefined without numbers. */
  medianNear([longitude, latitude]: readonly [number, number]): number | undefined {
    const cell = this.#cellOf(longitude, latitude);
    if (!this.#medians.has(cell)) {
      const values = this.#near(cell).sort((a, b) => a - b);
      this.#medians.set(cell, values[values.length >> 1]);
    }
    return this.#medians.get(cell);
  }

  #near(cell: number): number[] {
    const reach = this.#reachCells;
    const near: number[] = [];
    for (let east = -reach; east <= reach; east++) {
      for (let north = -reach; north <= reach; north++)
        near.push(...(this.#cells.get(cell + east * ROWS + north) ?? []));
    }
    return near;
  }

  #cellOf(longitude: number, latitude: number): number {
    return (
      Math.floor((longitude + 180) * this.#cellsPerDegree) * ROWS + Math.floor((latitude + 90) * this.#cellsPerDegree)
    );
  }
}
