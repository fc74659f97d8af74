import type { Knowledge, Vocabulary } from '@leeward/engine';
import { boundByRelations, layoutOf } from '@leeward/engine/compiled';
import type { BookColumns } from './book-columns.ts';

/** Gives what is known of the fields of a row that stand in a relation, as a property has it: by place of the field. */
export type RelatedKnowledge = (columns: BookColumns, row: number) => readonly Knowledge[];

export function createRelatedKnowledge(vocabulary: Vocabulary, effectiveYear: number): RelatedKnowledge {
  const layout = layoutOf(vocabulary);
  const domains = layout.domainsOf(effectiveYear);
  const given = domains.map((): Knowledge => undefined);
  const related = [...new Set(layout.relations.flatMap(({ lower, higher }) => [lower, higher]))].filter(
    (field) => domains[field]!.domain.kind === 'numbers',
  );
  return (columns, row) => {
    for (const field of related) {
      const value = columns.fields[field]![row]!;
      given[field] = Number.isNaN(value) ? undefined : value;
    }
    return boundByRelations(given, layout, domains);
  };
}
