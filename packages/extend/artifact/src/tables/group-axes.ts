import { createPlaceAxis, has, PLACE, type PlaceAxis, type TermPart } from '@leeward/engine/compiled';
import type { Lane, LaneAxis, LaneSpace } from './lane.ts';

/** An axis of a group: the input's cells, cut wherever a lane distinguishes values. */
export interface GroupAxis {
  readonly input: number;
  readonly size: number;
  /** As in `LaneAxis`. */
  readonly bounds: Float64Array | undefined;
}

/** The common axes of the lanes of a group: those that some term tests. */
export interface GroupAxes {
  readonly place: PlaceAxis;
  readonly states: readonly string[];
  /** Axis a of the group is `axes[a − 1]`; the place is axis 0. */
  readonly axes: readonly GroupAxis[];
  /** The axis of the group for an axis of a lane's space. */
  numberOf(axis: number, space: LaneSpace): number;
  /** The cells of the group's axis that the part does not accept. */
  refusedBy(part: TermPart, space: LaneSpace): readonly number[];
}

/** Finds the common axes of some lanes. */
export function createGroupAxes(lanes: readonly Lane[]): GroupAxes {
  const spaces = [...new Set(lanes.map(({ space }) => space))];
  const used = new Map<LaneSpace, Set<number>>(spaces.map((space) => [space, new Set()]));
  for (const { space, declining, referring } of lanes)
    for (const term of [...declining, ...referring]) for (const { axis } of term) used.get(space)!.add(axis);
  const byInput = new Map<number, LaneAxis[]>();
  for (const [space, axesOfSpace] of used) {
    for (const axis of axesOfSpace) {
      if (axis === PLACE) continue;
      const own = space.axes[axis]!;
      byInput.set(own.input, [...(byInput.get(own.input) ?? []), own]);
    }
  }
  const axes = [...byInput].sort(([a], [b]) => a - b).map(([, own]) => commonAxis(own));
  const numbers = new Map(axes.map(({ input }, index) => [input, index + 1]));
  const states = [...new Set(spaces.flatMap((space) => space.states))];
  // Spaces whose terms do not test the place need no counties.
  const placed = spaces.filter((space) => used.get(space)!.has(PLACE));
  const named = new Set(placed.flatMap(({ place }) => [...place.namedCounties]));
  const place = createPlaceAxis(states, named);
  const maps = new Map<LaneSpace, (Int32Array | undefined)[]>();
  const ownCells = (axis: number, space: LaneSpace): Int32Array => {
    const ofSpace = maps.get(space) ?? [];
    maps.set(space, ofSpace);
    ofSpace[axis] ??=
      axis === PLACE
        ? Int32Array.from(place.samples, ({ state, county }) => space.place.cellOf(state, county))
        : ownCellsOf(space.axes[axis]!, axes[numbers.get(space.axes[axis]!.input)! - 1]!);
    return ofSpace[axis];
  };
  return {
    place,
    states,
    axes,
    numberOf: (axis, space) => (axis === PLACE ? 0 : numbers.get(space.axes[axis]!.input)!),
    refusedBy({ axis, cells }, space) {
      const refused: number[] = [];
      ownCells(axis, space).forEach((own, cell) => {
        if (own < 0 || !has(cells, own)) refused.push(cell);
      });
      return refused;
    },
  };
}

function commonAxis(own: readonly LaneAxis[]): GroupAxis {
  const [{ input, size, bounds }] = own as readonly [LaneAxis];
  if (!bounds) return { input, size, bounds };
  const all = Float64Array.from(new Set(own.flatMap((each) => [...each.bounds!]))).sort();
  return { input, size: all.length, bounds: all };
}

/** By cell of the common axis, the cell of a lane's axis that contains it. */
function ownCellsOf(own: LaneAxis, common: GroupAxis): Int32Array {
  const cells = new Int32Array(common.size);
  if (!own.bounds) return cells.map((_, cell) => cell);
  for (let cell = 0, at = 0; cell < cells.length; cell++) {
    while (at + 1 < own.size && own.bounds[at + 1]! <= common.bounds![cell]!) at++;
    cells[cell] = at;
  }
  return cells;
}
