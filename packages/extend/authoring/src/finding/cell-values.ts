import { type Axis, type CellSet, cellsOf, has, isNumberAxis, type NumberAxis } from '@leeward/engine/compiled';
import { METERS_PER_MILE } from '@leeward/terms';

/** Numbers of one cell, or of neighbouring cells together. */
export interface Stretch {
  readonly min: number;
  readonly max: number;
  /** Whether the end itself belongs to it. */
  readonly fromMin: boolean;
  readonly toMax: boolean;
}

/** The numbers of a set of cells, ascending; neighbours joined. */
export function stretchesOf(axis: NumberAxis, cells: CellSet): Stretch[] {
  const { cuts, cellByPlace, domain } = axis;
  const stretches: Stretch[] = [];
  let last = -2;
  for (let place = 0; place < cellByPlace.length; place++) {
    const cell = cellByPlace[place]!;
    if (cell === -1 || !has(cells, cell)) continue;
    const stretch = stretchAt(place, cuts, domain);
    const before = stretches.at(-1);
    // Whole numbers: 15 and 16 are neighbours even though nothing lies between them.
    const touches = before && (last === place - 1 || (domain.integer && before.max + 1 >= stretch.min));
    if (touches) stretches[stretches.length - 1] = { ...before, max: stretch.max, toMax: stretch.toMax };
    else stretches.push(stretch);
    last = place;
  }
  return stretches;
}

function stretchAt(place: number, cuts: Float64Array, domain: NumberAxis['domain']): Stretch {
  const index = place >> 1;
  if (place % 2 === 1) return { min: cuts[index]!, max: cuts[index]!, fromMin: true, toMax: true };
  const below = index === 0 ? undefined : cuts[index - 1]!;
  const above = index === cuts.length ? undefined : cuts[index]!;
  if (domain.integer) {
    return {
      min: below === undefined ? domain.min : Math.floor(below) + 1,
      max: above === undefined ? domain.max : Math.ceil(above) - 1,
      fromMin: true,
      toMax: true,
    };
  }
  return {
    min: below ?? domain.min,
    max: above ?? domain.max,
    fromMin: below === undefined,
    toMax: above === undefined,
  };
}

/** A value within a set of cells, as near to the wanted one as it can be. */
export function valueNear(axis: Axis, cells: CellSet, wanted: number | string): number | string {
  const cell = axis.cellOf(wanted);
  if (cell >= 0 && has(cells, cell)) return wanted;
  if (!isNumberAxis(axis)) return axis.samples[cellsOf(cells)[0]!] as string;
  let best = Number.NaN;
  for (const stretch of stretchesOf(axis, cells)) {
    const near = nearIn(stretch, wanted as number, axis);
    if (Number.isNaN(best) || Math.abs(near - (wanted as number)) < Math.abs(best - (wanted as number))) best = near;
  }
  return best;
}

const plainSteps = [1000, 100, 10, 1, 0.1, 0.01];
/** Distances are read in miles: a tenth of one is a plain step. */
const mileSteps = [1, 0.5, 0.1, 0.01].map((miles) => miles * METERS_PER_MILE);

function nearIn({ min, max, fromMin, toMax }: Stretch, wanted: number, { name, domain }: NumberAxis): number {
  const clamped = Math.min(max, Math.max(min, wanted));
  if (domain.integer || ((clamped > min || fromMin) && (clamped < max || toMax))) return clamped;
  // The end itself is excluded: a little inside, at a plain number where the stretch has room for one.
  const room = Math.min(max - min, Math.abs(clamped) + 1);
  const steps = name.endsWith('_meters') ? mileSteps : plainSteps;
  const step = steps.find((each) => each * 4 <= room) ?? (max - min) / 2;
  return clamped === min ? min + step : max - step;
}
