import type { Knowledge, Property, Vocabulary } from '@leeward/engine';
import { countyByFips, states } from '@leeward/places/counties';
import { isObject, type NumberStyle, readWrittenNumber } from '@leeward/terms';
import type { BookColumns } from '../columns/book-columns.ts';
import { cellOf, type RawBatch } from '../source/raw-batch.ts';
import { distanceBand } from './distance-band.ts';
import type { Move } from './move.ts';

/** The facts of a home by which moves are counted. */
export type HomeFacts = Pick<Move, 'state' | 'county' | 'distanceBand'>;

const COAST = 'distance_to_tidal_water_meters';

/** Index of the field with the distance to the coast, or −1. */
export function coastField({ fields }: Vocabulary): number {
  return fields.findIndex(({ name }) => name === COAST);
}

export function factsOfRow(columns: BookColumns, row: number, coast: number): HomeFacts {
  const county = columns.county[row]!;
  return {
    state: states[columns.state[row]!]!.code,
    county: county > 0 ? countyName(String(county).padStart(5, '0')) : 'unknown',
    distanceBand: distanceBand(coast < 0 ? undefined : columns.fields[coast]![row]!),
  };
}

export function factsOfProperty({ state, counties, values }: Property, coast: number): HomeFacts {
  const [county, other] = counties ?? [];
  return {
    state,
    county: county !== undefined && other === undefined ? countyName(county) : 'unknown',
    distanceBand: distanceBand(...rangeOf(values[coast])),
  };
}

function rangeOf(distance: Knowledge): readonly [min: number | undefined, max: number | undefined] {
  if (typeof distance === 'number') return [distance, distance];
  if (typeof distance === 'object' && distance.kind === 'between') return [distance.min, distance.max];
  return [undefined, undefined];
}

function countyName(fips: string): string {
  const county = countyByFips(fips);
  return county ? `${county.label}, ${county.state.toUpperCase()}` : 'unknown';
}

/** Undefined if the column has no number there. */
export function premiumOf(
  batch: RawBatch,
  row: number,
  column: string | undefined,
  style: NumberStyle | undefined,
): number | undefined {
  if (column === undefined) return undefined;
  const whole = batch.whole?.get(row);
  const place = batch.names.indexOf(column);
  const value = isObject(whole) ? whole[column] : place < 0 ? undefined : cellOf(batch.columns[place], row);
  if (typeof value === 'string') return readWrittenNumber(value, { style });
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
