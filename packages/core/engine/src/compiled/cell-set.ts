/** A set of cells of one axis: bit `c` of word `c >> 5`. All sets of an axis have one length. */
export type CellSet = Uint32Array;

/** An empty set for an axis of `size` cells. */
export function emptySet(size: number): CellSet {
  return new Uint32Array((size + 31) >>> 5);
}

/** The set of all cells of an axis of `size` cells. */
export function fullSet(size: number): CellSet {
  const set = emptySet(size);
  addRange(set, 0, size);
  return set;
}

/** The set of cells for which `holds` returns true. */
export function setOf(size: number, holds: (cell: number) => boolean): CellSet {
  const set = emptySet(size);
  for (let cell = 0; cell < size; cell++) if (holds(cell)) add(set, cell);
  return set;
}

/** In place. */
export function add(set: CellSet, cell: number): void {
  set[cell >>> 5]! |= 1 << (cell & 31);
}

/** `from` included, `to` excluded. */
export function addRange(set: CellSet, from: number, to: number): void {
  for (let cell = from; cell < to; ) {
    if ((cell & 31) === 0 && cell + 32 <= to) {
      set[cell >>> 5] = 0xffffffff;
      cell += 32;
    } else {
      add(set, cell);
      cell++;
    }
  }
}

/** True if the cell is in the set. */
export function has(set: CellSet, cell: number): boolean {
  return ((set[cell >>> 5]! >>> (cell & 31)) & 1) === 1;
}

/** True if the set has no cell. */
export function isEmpty(set: CellSet): boolean {
  for (let word = 0; word < set.length; word++) if (set[word] !== 0) return false;
  return true;
}

/** True if the sets share a cell. */
export function intersects(a: CellSet, b: CellSet): boolean {
  for (let word = 0; word < a.length; word++) if ((a[word]! & b[word]!) !== 0) return true;
  return false;
}

/** True if every cell of `inner` is in `outer`. */
export function isWithinSet(inner: CellSet, outer: CellSet): boolean {
  for (let word = 0; word < inner.length; word++) if ((inner[word]! & ~outer[word]!) !== 0) return false;
  return true;
}

/** The cells in both sets, as a new set. */
export function intersection(a: CellSet, b: CellSet): CellSet {
  const set = new Uint32Array(a.length);
  for (let word = 0; word < a.length; word++) set[word] = a[word]! & b[word]!;
  return set;
}

/** The cells of `a` that are not in `b`, as a new set. */
export function difference(a: CellSet, b: CellSet): CellSet {
  const set = new Uint32Array(a.length);
  for (let word = 0; word < a.length; word++) set[word] = a[word]! & ~b[word]!;
  return set;
}

/** The cells in either set, as a new set. */
export function union(a: CellSet, b: CellSet): CellSet {
  const set = new Uint32Array(a.length);
  for (let word = 0; word < a.length; word++) set[word] = a[word]! | b[word]!;
  return set;
}

/** True if both sets have the same cells. */
export function isSame(a: CellSet, b: CellSet): boolean {
  for (let word = 0; word < a.length; word++) if (a[word] !== b[word]) return false;
  return true;
}

/** Ascending. */
export function cellsOf(set: CellSet): number[] {
  const cells: number[] = [];
  for (let word = 0; word < set.length; word++) {
    let bits = set[word]!;
    while (bits !== 0) {
      const bit = 31 - Math.clz32(bits & -bits);
      cells.push((word << 5) + bit);
      bits &= bits - 1;
    }
  }
  return cells;
}
