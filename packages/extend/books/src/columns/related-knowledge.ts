import type { Knowledge, Vocabulary } from '@leeward/engine';
import { boundByRelations, layoutOf } from '@leeward/engine/compiled';
import type { BookColumns } from './book-columns.ts';

/** Knowledge of the related fields of a row, bounded by the relations. By index of the field; others are undefined. */
export type RelatedKnowledge = (columns: BookColumns, row: number) => readonly Knowledge[];

export function createRelatedKnowledge(vocabulary: Vocabulary, effectiveYear: number): RelatedKnowledge {
  const layout = layoutOf(vocabulary);
  const domains = layout.domainsOf(effectiveYear);
  const knowledge = domains.map((): Knowledge => undefined);
  const related = [...new Set(layout.relations.flatMap(({ lower, higher }) => [lower, higher]))].filter(
    (field) => domains[field]!.domain.kind === 'numbers',
  );
  return (columns, row) => {
    for (const field of related) {
      const value = columns.fields[field]![row]!;
      knowledge[field] = Number.isNaN(value) ? undefined : value;
    }
    return boundByRelations(knowledge, layout, domains);
  };
}
