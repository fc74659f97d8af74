import type { Knowledge, Property, Vocabulary } from '@leeward/engine';
import { completeValues, layoutOf } from '@leeward/engine/compiled';
import { states } from '@leeward/places/counties';
import { type BookColumns, type RowMoments, rangeOfRow } from './book-columns.ts';

/** Decision time, epoch milliseconds, and effective date, `YYYY-MM-DD`. */
export type Moment = RowMoments['all'][number];

/** @param moment of columns without moments */
export function momentOfRow({ moments }: BookColumns, row: number, moment?: Moment): Moment {
  return (moments ? moments.all[moments.ofRow?.[row] ?? 0] : moment)!;
}

/**
 * The property of a row. Reverses `writeBookRow`.
 *
 * @param moment of columns without moments
 */
export function propertyOfRow(columns: BookColumns, row: number, vocabulary: Vocabulary, moment: Moment): Property {
  const { asOfMs, effectiveDate } = momentOfRow(columns, row, moment);
  const effectiveYear = Number(effectiveDate.slice(0, 4));
  const givenValues = layoutOf(vocabulary)
    .domainsOf(effectiveYear)
    .map(({ domain }, field): Knowledge => {
      const value = columns.fields[field]![row]!;
      if (domain.kind === 'words') return domain.words[value - 1];
      return Number.isNaN(value) ? rangeOfRow(columns, row, field) : value;
    });
  let lists: Property['lists'];
  vocabulary.lists?.forEach(({ name }, list) => {
    const column = columns.lists[list];
    const items = column?.lists[column.places[row]!];
    if (items) lists = { ...lists, [name]: items };
  });
  return {
    vocabulary,
    policyType: vocabulary.policyTypes[columns.policyType[row]!],
    state: states[columns.state[row]!]!.code,
    counties: countiesOfRow(columns, row),
    values: completeValues(givenValues, { vocabulary, effectiveDate, effectiveYear, lists }),
    lists,
    evidence: evidenceOfRow(columns, row),
    givenValues,
    asOfMs,
    effectiveDate,
    effectiveYear,
    isLocated: false,
    location: locationOfRow(columns, row),
    events: columns.events,
    rangesByCertainty: rangesByCertaintyOf(columns, row, vocabulary),
    aggregates: aggregatesOfRow(columns, row),
  };
}

/** FIPS codes of the possible counties; undefined for any of the state. */
export function countiesOfRow({ county, ambiguous }: BookColumns, row: number): readonly string[] | undefined {
  const number = county[row]!;
  if (number === 0) return undefined;
  if (number === -1) return [];
  return number > 0 ? [String(number).padStart(5, '0')] : ambiguous[-2 - number]!;
}

export function locationOfRow({ points }: BookColumns, row: number): Property['location'] {
  const latitude = points?.latitude[row] ?? Number.NaN;
  if (!points || Number.isNaN(latitude)) return undefined;
  return { latitude, longitude: points.longitude[row]!, radiusMeters: points.radiusMeters[row]! };
}

export function evidenceOfRow({ evidence }: BookColumns, row: number): Property['evidence'] {
  if (!evidence) return undefined;
  let ofRow: Property['evidence'];
  for (const [subject, column] of evidence) if (column[row]) ofRow = { ...ofRow, [subject]: column[row] };
  return ofRow;
}

export function aggregatesOfRow({ aggregates }: BookColumns, row: number): Property['aggregates'] {
  if (!aggregates) return undefined;
  const numbers = [...aggregates].flatMap(([name, column]): [string, number][] =>
    Number.isNaN(column[row]!) ? [] : [[name, column[row]!]],
  );
  return numbers.length === 0 ? undefined : new Map(numbers);
}

function rangesByCertaintyOf(columns: BookColumns, row: number, { fields }: Vocabulary): Property['rangesByCertainty'] {
  if (!columns.rangesByCertainty) return undefined;
  const ofRow: Record<string, Record<string, { min: number; max: number }>> = {};
  for (const [certainty, ranges] of columns.rangesByCertainty) {
    const own: Record<string, { min: number; max: number }> = {};
    for (const [field, { minima, maxima }] of ranges) {
      const [min, max] = [minima[row]!, maxima[row]!];
      if (!Number.isNaN(min) && Number.isNaN(columns.fields[field]![row]!)) own[fields[field]!.name] = { min, max };
    }
    if (Object.keys(own).length > 0) ofRow[certainty] = own;
  }
  return ofRow;
}
