import type { PropertyLocation, Vocabulary } from '@leeward/engine';
import {
  type Area,
  type Box,
  type CompiledProgram,
  cellsOf,
  type FactSource,
  isWithinSet,
  type ProgramAxis,
  readComputed,
} from '@leeward/engine/compiled';

/** Maximum number of positions tried for one box. */
const MAX_POSITIONS = 3_000;
/** Corners of an area around which positions are tried. */
const MAX_CORNERS = 24;
const METERS_PER_DEGREE = 111_000;
const METERS_PER_MILE = 1609.344;
/** Steps from a corner, in meters: just beyond the error of distances, and farther. */
const STEPS = [0, 20, 200, 1_000, 5_000, 20_000, 80_000];
const DIRECTIONS = 8;

type Position = readonly [longitude: number, latitude: number];

/**
 * Finds a position whose tests of areas are in a box. Positions around the corners of each area are tried, at the distances that rules
 * distinguish; not every box has such a position, and not all are found.
 *
 * @returns Undefined if no rule tests an area, or none was found
 */
export function locationInBox(program: CompiledProgram, box: Box): PropertyLocation | undefined {
  const axes = program.axes.flatMap((entry, axis) =>
    entry?.computed?.kind === 'area' ? [{ entry, area: entry.computed.area, cells: box[axis]! }] : [],
  );
  if (axes.length === 0) return undefined;
  const areas = [...new Map(axes.map(({ area }) => [area.sha256, area])).values()];
  const miles = axes.flatMap(({ entry, cells }) => cellsOf(cells).map((cell) => entry.axis.samples[cell] as number));
  let tries = 0;
  for (const [longitude, latitude] of positionsAround(areas, miles)) {
    if (++tries > MAX_POSITIONS) return undefined;
    const location = { latitude: round(latitude), longitude: round(longitude), radiusMeters: 0 };
    const source = sourceAt(location, program.vocabulary);
    if (axes.every(({ entry, cells }) => isInCells(entry, cells, source))) return location;
  }
  return undefined;
}

function isInCells({ axis, computed }: ProgramAxis, cells: Box[number], source: FactSource): boolean {
  const { min, max } = readComputed(computed!, source);
  return isWithinSet(axis.cellsBetween(min, max), cells!);
}

function sourceAt(location: PropertyLocation, vocabulary: Vocabulary): FactSource {
  return { vocabulary, effectiveDate: '2026-01-01', knowledgeOf: () => undefined, listOf: () => undefined, location };
}

function* positionsAround(areas: readonly Area[], miles: readonly number[]): Generator<Position> {
  // The middles of areas and of their parts come first.
  for (const { rings, lines } of areas) for (const line of rings.length > 0 ? rings : lines) yield* middlesOf(line);
  const distances = miles.filter((each) => each > 0 && each < 200).map((each) => each * METERS_PER_MILE);
  const steps = [...new Set([...STEPS, ...distances])].sort((a, b) => a - b);
  for (const step of steps) {
    for (const { rings, lines, bufferMeters } of areas) {
      for (const line of rings.length > 0 ? rings : lines) {
        const every = Math.max(1, Math.ceil(line.length / MAX_CORNERS));
        for (let index = 0; index < line.length; index += every) yield* circleAround(line[index]!, step + bufferMeters);
      }
    }
  }
}

function* middlesOf(line: readonly Position[]): Generator<Position> {
  const [xs, ys] = [line.map(([x]) => x), line.map(([, y]) => y)];
  const middle = (numbers: readonly number[]) =>
    (numbers.reduce((a, b) => Math.min(a, b)) + numbers.reduce((a, b) => Math.max(a, b))) / 2;
  yield [middle(xs), middle(ys)];
  const every = Math.max(1, Math.ceil(line.length / MAX_CORNERS));
  for (let index = 0; index + 2 < line.length; index += every) {
    const corners = [line[index]!, line[index + 1]!, line[index + 2]!];
    yield [corners.reduce((sum, [x]) => sum + x, 0) / 3, corners.reduce((sum, [, y]) => sum + y, 0) / 3];
  }
}

function* circleAround([longitude, latitude]: Position, meters: number): Generator<Position> {
  const eastDegrees = meters / (METERS_PER_DEGREE * Math.max(0.1, Math.cos((latitude * Math.PI) / 180)));
  for (let direction = 0; direction < (meters === 0 ? 1 : DIRECTIONS); direction++) {
    const angle = (direction / DIRECTIONS) * 2 * Math.PI;
    const north = latitude + (meters / METERS_PER_DEGREE) * Math.sin(angle);
    if (Math.abs(north) < 90) yield [wrapped(longitude + eastDegrees * Math.cos(angle)), north];
  }
}

function wrapped(longitude: number): number {
  return ((((longitude + 180) % 360) + 360) % 360) - 180;
}

function round(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5;
}
