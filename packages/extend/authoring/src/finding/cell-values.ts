import { type Axis, type CellSet, cellsOf, has, isNumberAxis, type NumberAxis } from '@leeward/engine/compiled';
import { METERS_PER_MILE } from '@leeward/terms';

export interface Stretch {
  readonly min: number;
  readonly max: number;
  readonly hasMin: boolean;
  readonly hasMax: boolean;
}

/** The intervals of a set of cells, ascending, with neighbors joined. */
export function stretchesOf(axis: NumberAxis, cells: CellSet): Stretch[] {
  const { cuts, cellByPlace, domain } = axis;
  const stretches: Stretch[] = [];
  let last = -2;
  for (let place = 0; place < cellByPlace.length; place++) {
    const cell = cellByPlace[place]!;
    if (cell === -1 || !has(cells, cell)) continue;
    const stretch = stretchAt(place, cuts, domain);
    const before = stretches.at(-1);
    // As whole numbers, 15 and 16 are neighbors.
    const isNeighbour = before && (last === place - 1 || (domain.integer && before.max + 1 >= stretch.min));
    if (isNeighbour) stretches[stretches.length - 1] = { ...before, max: stretch.max, hasMax: stretch.hasMax };
    else stretches.push(stretch);
    last = place;
  }
  return stretches;
}

function stretchAt(place: number, cuts: Float64Array, domain: NumberAxis['domain']): Stretch {
  const index = place >> 1;
  if (place % 2 === 1) return { min: cuts[index]!, max: cuts[index]!, hasMin: true, hasMax: true };
  const below = index === 0 ? undefined : cuts[index - 1]!;
  const above = index === cuts.length ? undefined : cuts[index]!;
  if (domain.integer) {
    return {
      min: below === undefined ? domain.min : Math.floor(below) + 1,
      max: above === undefined ? domain.max : Math.ceil(above) - 1,
      hasMin: true,
      hasMax: true,
    };
  }
  return {
    min: below ?? domain.min,
    max: above ?? domain.max,
    hasMin: below === undefined,
    hasMax: above === undefined,
  };
}

export function valueNear(axis: Axis, cells: CellSet, target: number | string): number | string {
  const cell = axis.cellOf(target);
  if (cell >= 0 && has(cells, cell)) return target;
  if (!isNumberAxis(axis)) return axis.samples[cellsOf(cells)[0]!] as string;
  let best = Number.NaN;
  for (const stretch of stretchesOf(axis, cells)) {
    const near = nearIn(stretch, target as number, axis);
    if (Number.isNaN(best) || Math.abs(near - (target as number)) < Math.abs(best - (target as number))) best = near;
  }
  return best;
}

const plainSteps = [1000, 100, 10, 1, 0.1, 0.01];
/** Distances are shown in miles, so a tenth of a mile is a plain step. */
const mileSteps = [1, 0.5, 0.1, 0.01].map((miles) => miles * METERS_PER_MILE);

function nearIn({ min, max, hasMin, hasMax }: Stretch, target: number, { name, domain }: NumberAxis): number {
  const clamped = Math.min(max, Math.max(min, target));
  if (domain.integer || ((clamped > min || hasMin) && (clamped < max || hasMax))) return clamped;
  // The end is excluded: step inside, by a round number if one fits.
  const width = Math.min(max - min, Math.abs(clamped) + 1);
  const steps = name.endsWith('_meters') ? mileSteps : plainSteps;
  const step = steps.find((each) => each * 4 <= width) ?? (max - min) / 2;
  return clamped === min ? min + step : max - step;
}
