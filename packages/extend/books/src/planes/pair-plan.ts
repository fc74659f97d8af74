import { FRONT, type PlaneTable } from './plane-table.ts';
import type { TableRows } from './row-classes.ts';

/** Maximum number of entries of a table of two axes; they stay in the cache. */
const MAX_ENTRIES = 4096;
/** As `MAX_ENTRIES`, for two axes that share a table only to save a lookup: no rule tests both. */
const MAX_ENTRIES_APART = 1024;

export interface PlannedTable {
  readonly axes: readonly number[];
  readonly planes: readonly number[];
  /** The axes whose fronts are in the table. */
  readonly fronts: readonly number[];
}

/** The tables that together have all terms of one outcome. `planes` are too large for a table. */
export interface PairPlan {
  readonly pairs: readonly PlannedTable[];
  readonly singles: readonly PlannedTable[];
  readonly planes: readonly number[];
}

/** The words of an axis's rows that a table uses. `front` is the word of the outcome in the front of a row. */
export function wordsOf({ planes, fronts }: PlannedTable, axis: number, front: number): readonly number[] {
  const words = planes.map((plane) => FRONT + 2 * plane);
  return fronts.includes(axis) ? [...words, front] : words;
}

/** Plans the tables of an outcome, whose planes are those from `fromPlane` to `toPlane`. */
export function planPairs(
  { rows, width, planeStart, planeAxes }: PlaneTable,
  { starts, classesOf }: TableRows,
  fromPlane: number,
  toPlane: number,
  front: number,
): PairPlan {
  const classCount = (table: PlannedTable, axis: number) => classesOf(axis, wordsOf(table, axis, front)).samples.length;
  const hasFront = (axis: number): boolean => {
    for (let row = starts[axis]!; row < starts[axis + 1]!; row++)
      if ((rows[row * width + front]! | rows[row * width + front + 1]!) !== 0) return true;
    return false;
  };
  const byAxes = new Map<string, { readonly axes: readonly number[]; readonly planes: number[] }>();
  for (let plane = fromPlane; plane < toPlane; plane++) {
    const axes = Array.from(planeAxes.subarray(planeStart[plane], planeStart[plane + 1]));
    const entry = byAxes.get(axes.join());
    if (entry) entry.planes.push(plane);
    else byAxes.set(axes.join(), { axes, planes: [plane] });
  }
  const tables: { axes: readonly number[]; planes: readonly number[]; fronts: number[]; sizes: number[] }[] = [];
  const planes: number[] = [];
  for (const { axes, planes: planesOfAxes } of byAxes.values()) {
    const table = { axes, planes: planesOfAxes, fronts: [] };
    const sizes = axes.length === 2 ? axes.map((axis) => classCount(table, axis)) : [];
    if (axes.length === 2 && sizes[0]! * sizes[1]! <= MAX_ENTRIES) tables.push({ ...table, sizes });
    else planes.push(...planesOfAxes);
  }
  const alone: { readonly axis: number; readonly size: number }[] = [];
  for (let axis = 0; axis < starts.length - 1; axis++) {
    if (!hasFront(axis)) continue;
    // Put the front of an axis into the table that it enlarges least.
    const grown = tables
      .filter(({ axes }) => axes.includes(axis))
      .map((table) => {
        const size = classCount({ ...table, fronts: [axis] }, axis);
        const other = table.sizes[1 - table.axes.indexOf(axis)]!;
        return { table, size, growth: (size - table.sizes[table.axes.indexOf(axis)]!) * other, entries: size * other };
      })
      .filter(({ entries }) => entries <= MAX_ENTRIES)
      .sort((a, b) => a.growth - b.growth);
    const [smallest] = grown;
    if (smallest) {
      smallest.table.fronts.push(axis);
      smallest.table.sizes[smallest.table.axes.indexOf(axis)] = smallest.size;
    } else alone.push({ axis, size: classCount({ axes: [axis], planes: [], fronts: [axis] }, axis) });
  }
  const pairs: PlannedTable[] = [...tables];
  const singles: PlannedTable[] = [];
  alone.sort((a, b) => a.size - b.size);
  for (let largest = alone.pop(); largest; largest = alone.pop()) {
    // Pair the largest with the smallest, which leaves the others pairs too.
    const smallest = alone[0];
    const isPair = smallest !== undefined && largest.size * smallest.size <= MAX_ENTRIES_APART;
    if (isPair) alone.shift();
    const axes = isPair ? [smallest.axis, largest.axis] : [largest.axis];
    (isPair ? pairs : singles).push({ axes, planes: [], fronts: axes });
  }
  return { pairs, singles, planes };
}
