import { createProperty, type Property, type Vocabulary } from '@leeward/engine';
import { type GivenKnowledge, layoutOf } from '@leeward/engine/compiled';
import { states } from '@leeward/places/counties';
import type { BookColumns } from './book-columns.ts';

/** When a row is asked, and what is known of it besides its columns: by place in the vocabulary's fields. */
export interface RowAsked {
  readonly asOfMs: number;
  readonly effectiveDate: string;
  readonly known?: ReadonlyMap<number, GivenKnowledge>;
}

/** A row of columns as a property: what `writeBookRow` wrote, and of some fields what no column carries. */
export function propertyOfRow(
  columns: BookColumns,
  row: number,
  vocabulary: Vocabulary,
  { asOfMs, effectiveDate, known }: RowAsked,
): Property {
  const domains = layoutOf(vocabulary).domainsOf(Number(effectiveDate.slice(0, 4)));
  const values: Record<string, GivenKnowledge> = {};
  vocabulary.fields.forEach(({ name }, field) => {
    const value = columns.fields[field]![row]!;
    const { domain } = domains[field]!;
    if (known?.has(field)) values[name] = known.get(field);
    else if (domain.kind === 'words') values[name] = domain.words[value - 1];
    else if (!Number.isNaN(value)) values[name] = value;
  });
  return createProperty({
    vocabulary,
    policyType: vocabulary.policyTypes[columns.policyType[row]!],
    state: states[columns.state[row]!]!.code,
    counties: countiesOfRow(columns, row),
    values,
    asOfMs,
    effectiveDate,
  });
}

function countiesOfRow({ county, ambiguous }: BookColumns, row: number): readonly string[] | undefined {
  const number = county[row]!;
  if (number === 0) return undefined;
  if (number === -1) return [];
  return number > 0 ? [String(number).padStart(5, '0')] : ambiguous[-2 - number]!;
}
