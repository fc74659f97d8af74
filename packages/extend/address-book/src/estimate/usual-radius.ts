import type { BookHouse } from '../file/address-book.ts';
import type { RecordKind } from '../record.ts';

/**
 * Distance of a home from its point if the import did not set one. Buildings: their size and the drift of aerial images. Parcels and
 * accesses: half a usual lot. Interpolated points: a block.
 */
const usual: Readonly<Record<RecordKind, number>> = {
  rooftop: 30,
  entrance: 40,
  parcel: 100,
  access: 150,
  interpolated: 200,
};

export function usualRadiusMeters({ kind, street }: BookHouse): number {
  return street.source.errorRadiusMeters ?? usual[kind];
}
