import { createProperty, type Property, type Vocabulary } from '@leeward/engine';
import { type GivenKnowledge, layoutOf } from '@leeward/engine/compiled';
import { states } from '@leeward/places/counties';
import { aggregatesOfRow, type BookColumns, countiesOfRow, evidenceOfRow, locationOfRow } from './book-columns.ts';

export interface RowContext {
  readonly asOfMs: number;
  readonly effectiveDate: string;
  /** By index in the vocabulary's fields. Replaces the value of the column. */
  readonly knowledge?: ReadonlyMap<number, GivenKnowledge>;
  readonly rangesByCertainty?: Property['rangesByCertainty'];
}

/** The property of a row. Reverses `writeBookRow`. */
export function propertyOfRow(
  columns: BookColumns,
  row: number,
  vocabulary: Vocabulary,
  { asOfMs, effectiveDate, knowledge, rangesByCertainty }: RowContext,
): Property {
  const domains = layoutOf(vocabulary).domainsOf(Number(effectiveDate.slice(0, 4)));
  const values: Record<string, GivenKnowledge> = {};
  let lists: Property['lists'];
  vocabulary.fields.forEach(({ name }, field) => {
    const value = columns.fields[field]![row]!;
    const { domain } = domains[field]!;
    if (knowledge?.has(field)) values[name] = knowledge.get(field);
    else if (domain.kind === 'words') values[name] = domain.words[value - 1];
    else if (!Number.isNaN(value)) values[name] = value;
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
    rangesByCertainty,
  });
  const aggregates = aggregatesOfRow(columns, row);
  return aggregates ? { ...property, aggregates } : property;
}
