import { FRONT, type PlaneTable } from './plane-table.ts';
import type { TableRows } from './row-classes.ts';

/** Most entries of a table of two axes: few enough that what a book asks stays in the cache. */
const MAX_ENTRIES = 4096;
/** The same for two axes that no rule has together, put into one table to save a look-up. */
const MAX_ENTRIES_APART = 1024;

/** What one table answers: planes of one axis or two, and terms of one axis alone. */
export interface PlannedTable {
  readonly axes: readonly number[];
  readonly planes: readonly number[];
  /** Of these axes the terms that they decide alone. */
  readonly fronts: readonly number[];
}

/** Which tables say all that terms of one outcome say, and the planes that are too large for that. */
export interface PairPlan {
  readonly pairs: readonly PlannedTable[];
  readonly singles: readonly PlannedTable[];
  readonly planes: readonly number[];
}

/** The words of a row of an axis that a table rests on: `front` is where terms of the outcome stand that one axis decides. */
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
    const known = byAxes.get(axes.join());
    if (known) known.planes.push(plane);
    else byAxes.set(axes.join(), { axes, planes: [plane] });
  }
  const tables: { axes: readonly number[]; planes: readonly number[]; fronts: number[]; sizes: number[] }[] = [];
  const planes: number[] = [];
  for (const { axes, planes: together } of byAxes.values()) {
    const table = { axes, planes: together, fronts: [] };
    const sizes = axes.length === 2 ? axes.map((axis) => classCount(table, axis)) : [];
    if (axes.length === 2 && sizes[0]! * sizes[1]! <= MAX_ENTRIES) tables.push({ ...table, sizes });
    else planes.push(...together);
  }
  const alone: { readonly axis: number; readonly size: number }[] = [];
  for (let axis = 0; axis < starts.length - 1; axis++) {
    if (!hasFront(axis)) continue;
    // Terms of one axis go where they make a table grow least.
    const grown = tables
      .filter(({ axes }) => axes.includes(axis))
      .map((table) => {
        const size = classCount({ ...table, fronts: [axis] }, axis);
        const other = table.sizes[1 - table.axes.indexOf(axis)]!;
        return { table, size, growth: (size - table.sizes[table.axes.indexOf(axis)]!) * other, entries: size * other };
      })
      .filter(({ entries }) => entries <= MAX_ENTRIES)
      .sort((a, b) => a.growth - b.growth);
    const [least] = grown;
    if (least) {
      least.table.fronts.push(axis);
      least.table.sizes[least.table.axes.indexOf(axis)] = least.size;
    } else alone.push({ axis, size: classCount({ axes: [axis], planes: [], fronts: [axis] }, axis) });
  }
  const pairs: PlannedTable[] = [...tables];
  const singles: PlannedTable[] = [];
  alone.sort((a, b) => a.size - b.size);
  for (let largest = alone.pop(); largest; largest = alone.pop()) {
    // With the smallest, so that the next finds one as well.
    const smallest = alone[0];
    const isPair = smallest !== undefined && largest.size * smallest.size <= MAX_ENTRIES_APART;
    if (isPair) alone.shift();
    const axes = isPair ? [smallest.axis, largest.axis] : [largest.axis];
    (isPair ? pairs : singles).push({ axes, planes: [], fronts: axes });
  }
  return { pairs, singles, planes };
}
