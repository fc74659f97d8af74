import type { BookHouse } from '../file/address-book.ts';
import type { RecordKind } from '../record.ts';

/**
 * How far a home may be from the point of its record, where the import was not told. Buildings and doors: the building's own
 * size, and the drift of aerial images. Parcels and ways in: half a usual lot. Points that were reckoned from house numbers: a block.
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
