import type { Vocabulary } from '@leeward/engine';
import { cellOf, type RawBatch } from '../source/raw-batch.ts';
import type { DatedBatch } from './year-reader.ts';

/**
 * Number of rows that columns hold with an age and evidence of an earlier year: it may be the age in that year. `parseRequest` warns
 * of these.
 */
export function countEarlierAges(batch: RawBatch, read: DatedBatch, { fields, derivedFacts }: Vocabulary): number {
  const { columns, doubtful, when } = read;
  const marks = new Set<number>();
  for (const [subject, evidence] of columns.evidence ?? []) {
    const place = fields.findIndex(({ name }) => name === subject);
    const age = fields[place]?.requestName;
    if (!derivedFacts.some(({ name, field }) => name === age && field === subject)) continue;
    const column = read.fields.find(({ field }) => field === age);
    if (!column) continue;
    for (let row = 0; row < batch.rows; row++) {
      const asOf = doubtful[row] === 0 ? evidence[row]?.asOf : undefined;
      if (asOf === undefined) continue;
      const year = Number(when.moments[when.ofRow?.[row] ?? 0]!.effectiveDate.slice(0, 4));
      if (Number(asOf.slice(0, 4)) >= year) continue;
      const cell = column.place < 0 ? column.constant : cellOf(batch.columns[column.place], row);
      const input = column.convert ? column.convert(cell) : cell;
      if (typeof input === 'number' && columns.fields[place]![row] === year - input) marks.add(row);
    }
  }
  return marks.size;
}
