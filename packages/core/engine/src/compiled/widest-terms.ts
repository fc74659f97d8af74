import type { CellSet } from './cell-set.ts';
import { isInside, type Term } from './term.ts';

/** Removes terms inside another term, and terms inside one of `worse`. Keeps the order. */
export function widestTerms(terms: readonly Term[], worse: readonly Term[] = []): Term[] {
  const outlines = terms.map(outlineOf);
  // A containing term tests a subset of the axes, and on each a superset of the cells.
  outlines.sort((a, b) => a.term.length - b.term.length || b.cellCount - a.cellCount);
  const byAxes = new Map<number, Outline[]>();
  const register = (outline: Outline) => {
    const outlinesOfAxes = byAxes.get(outline.axes);
    if (outlinesOfAxes) outlinesOfAxes.push(outline);
    else byAxes.set(outline.axes, [outline]);
  };
  for (const term of worse) register(outlineOf(term));
  const widest = new Set<Term>();
  for (let index = 0; index < outlines.length; index++) {
    const outline = outlines[index]!;
    if (isInsideAny(outline, byAxes)) continue;
    register(outline);
    widest.add(outline.term);
  }
  return terms.filter((term) => widest.delete(term));
}

/** Quickly shows that a term is not inside another. */
interface Outline {
  readonly term: Term;
  /** One bit for each axis; axes from 32 on share bits. */
  readonly axes: number;
  readonly ends: readonly number[];
  readonly cellCount: number;
}

function isInsideAny(inner: Outline, byAxes: ReadonlyMap<number, readonly Outline[]>): boolean {
  for (const [axes, outers] of byAxes) {
    if ((axes & ~inner.axes) !== 0) continue;
    const isSameAxes = axes === inner.axes;
    for (const outer of outers) {
      if (isSameAxes && outer.term.length === inner.term.length && exceeds(inner.ends, outer.ends)) continue;
      if (isInside(inner.term, outer.term)) return true;
    }
  }
  return false;
}

/** True if a part of the first extends beyond the same part of the second. */
function exceeds(inner: readonly number[], outer: readonly number[]): boolean {
  for (let index = 0; index < inner.length; index += 2) {
    if (inner[index]! < outer[index]! || inner[index + 1]! > outer[index + 1]!) return true;
  }
  return false;
}

function outlineOf(term: Term): Outline {
  let axes = 0;
  let cellCount = 0;
  const ends: number[] = [];
  for (const { axis, cells } of term) {
    axes |= 1 << (axis & 31);
    cellCount += sizeOf(cells);
    ends.push(firstOf(cells), lastOf(cells));
  }
  return { term, axes, ends, cellCount };
}

function sizeOf(set: CellSet): number {
  let size = 0;
  for (let word = 0; word < set.length; word++) {
    let bits = set[word]!;
    bits -= (bits >>> 1) & 0x55555555;
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    size += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return size;
}

function firstOf(set: CellSet): number {
  for (let word = 0; word < set.length; word++) {
    const bits = set[word]!;
    if (bits !== 0) return 32 * word + 31 - Math.clz32(bits & -bits);
  }
  return -1;
}

function lastOf(set: CellSet): number {
  for (let word = set.length - 1; word >= 0; word--) {
    const bits = set[word]!;
    if (bits !== 0) return 32 * word + 31 - Math.clz32(bits);
  }
  return -1;
}
