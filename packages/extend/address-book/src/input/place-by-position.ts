import type { Point } from '@leeward/places';
import { readZip } from '@leeward/places/address';
import type { ZipGazetteer } from '@leeward/places/zips';
import type { StreetOfRecord } from '../record.ts';

/** Number of nearest ZIP points that must be in the same state. */
const AGREEING = 5;

/** State of the nearest ZIP points, if they agree. */
export function stateByPosition(zips: ZipGazetteer, point: Point): string | undefined {
  const near = zips.nearest(point, AGREEING).map(({ zipPoint }) => zipPoint.state);
  return near.length > 0 && near.every((state) => state === near[0]) ? near[0] : undefined;
}

/** The record's ZIP code, or that of the nearest ZIP point of the state. */
export function zipOf(
  zips: ZipGazetteer,
  written: string,
  state: string,
  point: Point,
): Pick<StreetOfRecord, 'zip' | 'isZipFromPosition'> {
  const own = readZip(written, state);
  if (own !== undefined && !noZips.has(own)) return { zip: own, isZipFromPosition: false };
  const near = zips.nearest(point, AGREEING).find(({ zipPoint }) => zipPoint.state === state);
  return near === undefined
    ? { zip: '', isZipFromPosition: false }
    : { zip: near.zipPoint.zip, isZipFromPosition: true };
}

/** Placeholders for a missing ZIP code. */
const noZips: ReadonlySet<string> = new Set(['00000', '99999']);
