import type { CellSet } from './cell-set.ts';
import { isInside, type Term } from './term.ts';

/** Leaves out terms that lie inside another, and those inside one of `worse`. The rest stay in their order. */
export function widestTerms(terms: readonly Term[], worse: readonly Term[] = []): Term[] {
  const outlines = terms.map(outlineOf);
  // Whatever holds a term tests no more axes than it, and no fewer cells of each.
  outlines.sort((a, b) => a.term.length - b.term.length || b.cellCount - a.cellCount);
  const byAxes = new Map<number, Outline[]>();
  const keep = (outline: Outline) => {
    const alike = byAxes.get(outline.axes);
    if (alike) alike.push(outline);
    else byAxes.set(outline.axes, [outline]);
  };
  for (const term of worse) keep(outlineOf(term));
  const kept = new Set<Term>();
  for (let index = 0; index < outlines.length; index++) {
    const outline = outlines[index]!;
    if (isHeld(outline, byAxes)) continue;
    keep(outline);
    kept.add(outline.term);
  }
  return terms.filter((term) => kept.delete(term));
}

/** What tells quickly that one term is not inside another. */
interface Outline {
  readonly term: Term;
  /** A bit for each axis tested; axes from 32 on share bits. */
  readonly axes: number;
  /** First and last cell of each part. */
  readonly ends: readonly number[];
  readonly cellCount: number;
}

function isHeld(inner: Outline, byAxes: ReadonlyMap<number, readonly Outline[]>): boolean {
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

/** Whether some part of the first reaches beyond the same part of the second. */
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
