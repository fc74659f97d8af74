import { createProperty, type Property, type PropertyLocation, type Vocabulary } from '@leeward/engine';
import { type GivenKnowledge, layoutOf } from '@leeward/engine/compiled';
import { states } from '@leeward/places/counties';
import type { BookColumns } from './book-columns.ts';

export interface RowContext {
  readonly asOfMs: number;
  readonly effectiveDate: string;
  /** By index in the vocabulary's fields. Replaces the value of the column. */
  readonly knowledge?: ReadonlyMap<number, GivenKnowledge>;
  /** Columns do not hold it. @default unknown */
  readonly location?: PropertyLocation | undefined;
}

/** The property of a row. Reverses `writeBookRow`. */
export function propertyOfRow(
  columns: BookColumns,
  row: number,
  vocabulary: Vocabulary,
  { asOfMs, effectiveDate, knowledge, location }: RowContext,
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
  return createProperty({
    vocabulary,
    policyType: vocabulary.policyTypes[columns.policyType[row]!],
    state: states[columns.state[row]!]!.code,
    counties: countiesOfRow(columns, row),
    values,
    lists,
    asOfMs,
    effectiveDate,
    location,
  });
}

function countiesOfRow({ county, ambiguous }: BookColumns, row: number): readonly string[] | undefined {
  const number = county[row]!;
  if (number === 0) return undefined;
  if (number === -1) return [];
  return number > 0 ? [String(number).padStart(5, '0')] : ambiguous[-2 - number]!;
}
