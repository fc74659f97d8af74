import { createProperty, type Property, type Vocabulary } from '@leeward/engine';
import { type GivenKnowledge, layoutOf } from '@leeward/engine/compiled';
import { states } from '@leeward/places/counties';
import {
  aggregatesOfRow,
  type BookColumns,
  countiesOfRow,
  evidenceOfRow,
  locationOfRow,
  type RowMoments,
  rangeOfRow,
} from './book-columns.ts';

/** The property of a row. Reverses `writeBookRow`. `moment`: of columns without moments. */
export function propertyOfRow(
  columns: BookColumns,
  row: number,
  vocabulary: Vocabulary,
  moment: RowMoments['all'][number],
): Property {
  const { asOfMs, effectiveDate } = columns.moments?.all[columns.moments.ofRow?.[row] ?? 0] ?? moment;
  const domains = layoutOf(vocabulary).domainsOf(Number(effectiveDate.slice(0, 4)));
  const values: Record<string, GivenKnowledge> = {};
  let lists: Property['lists'];
  vocabulary.fields.forEach(({ name }, field) => {
    const value = columns.fields[field]![row]!;
    const { domain } = domains[field]!;
    if (domain.kind === 'words') values[name] = domain.words[value - 1];
    else values[name] = Number.isNaN(value) ? rangeOfRow(columns, row, field) : value;
  });
  vocabulary.lists?.forEach(({ name }, list) => {
    const column = columns.lists[list];
    const items = column?.lists[column.places[row]!];
    if (items) lists = { ...lists, [name]: items };
  });
  const property = createProperty({
    vocabulary,
    policyType: vocabulary.policyTypes[columns.policyType[row]!],
    state: states[columns.state[row]!]!.code,
    counties: countiesOfRow(columns, row),
    values,
    lists,
    evidence: evidenceOfRow(columns, row),
    asOfMs,
    effectiveDate,
    location: locationOfRow(columns, row),
    events: columns.events,
    rangesByCertainty: rangesByCertaintyOf(columns, row, vocabulary),
  });
  const aggregates = aggregatesOfRow(columns, row);
  return aggregates ? { ...property, aggregates } : property;
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
