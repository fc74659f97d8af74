import { type Point, sphericalDistanceMeters } from '@leeward/places';
import type { RangeRecord } from '../record.ts';

/**
 * Distance from the middle of the road to the houses, and fraction of the block from a corner to the first house. Values of PostGIS (10
 * m in `interpolate_from_address`) and ArcGIS (3 %).
 */
const SIDE_OFFSET_METERS = 10;
const END_SHARE = 0.03;

const METERS_PER_DEGREE = 111_195;

export interface PointOfRange extends Point {
  readonly lengthMeters: number;
  /** Distance to the farthest place of the line. */
  readonly reachMeters: number;
}

type NumberedLine = Pick<RangeRecord, 'from' | 'to' | 'side' | 'line'>;

export function holdsNumber(
  { prefix, from, to, parity }: Pick<RangeRecord, 'prefix' | 'from' | 'to' | 'parity'>,
  number: { readonly prefix: string; readonly value: number },
): boolean {
  if (number.prefix !== prefix) return false;
  if (number.value < Math.min(from, to) || number.value > Math.max(from, to)) return false;
  return parity === 'both' || (number.value % 2 === 0) === (parity === 'even');
}

/** Place of a number: its fraction of the way from the first to the last number, on its side. */
export function pointOfRange({ from, to, side, line }: NumberedLine, value: number): PointOfRange {
  const lengths = line.slice(1).map((point, index) => sphericalDistanceMeters(line[index]!, point));
  const length = lengths.reduce((sum, each) => sum + each, 0);
  const share = from === to ? 0.5 : (value - from) / (to - from);
  let along = length * (END_SHARE + share * (1 - 2 * END_SHARE));
  let index = 0;
  while (index < lengths.length - 1 && along > lengths[index]!) {
    along -= lengths[index]!;
    index += 1;
  }
  const [start, end] = [line[index]!, line[index + 1]!];
  const part = lengths[index]! === 0 ? 0 : Math.min(1, along / lengths[index]!);
  const eastward = Math.cos((start.latitude * Math.PI) / 180);
  const [east, north] = [(end.longitude - start.longitude) * eastward, end.latitude - start.latitude];
  const heading = Math.hypot(east, north) || 1;
  const turn = (side === 'right' ? SIDE_OFFSET_METERS : -SIDE_OFFSET_METERS) / METERS_PER_DEGREE / heading;
  const point = {
    latitude: start.latitude + (end.latitude - start.latitude) * part - east * turn,
    longitude: start.longitude + (end.longitude - start.longitude) * part + (north * turn) / eastward,
  };
  return {
    ...point,
    lengthMeters: length,
    reachMeters: Math.max(...line.map((each) => sphericalDistanceMeters(point, each))),
  };
}
