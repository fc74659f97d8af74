import type { BookTables } from './book-tables.ts';

/** True if all numbers from `min` to `max` are equal to every rule of a policy type. */
export type SameToRules = (policyType: number, field: number, min: number, max: number) => boolean;

/**
 * Creates a check of whether a column can hold a number that is known within bounds: it can if no rule has a limit between them. Policy
 * types and fields are indexes in the vocabulary.
 */
export function createSameToRules({ byPolicyType }: BookTables): SameToRules {
  const limits = byPolicyType.map(() => new Map<number, Float64Array | undefined>());
  const limitsOf = (policyType: number, field: number): Float64Array | undefined => {
    const byField = limits[policyType]!;
    if (!byField.has(field)) byField.set(field, limitsOfField(byPolicyType[policyType]!, field));
    return byField.get(field);
  };
  return (policyType, field, min, max) => {
    if (min === max) return true;
    const all = limitsOf(policyType, field);
    if (!all) return false;
    let from = 0;
    let to = all.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (all[middle]! < min) from = middle + 1;
      else to = middle;
    }
    return from === all.length || all[from]! > max;
  };
}

/** All limits of a field, in order; undefined if a test compares facts or computes with the field, because
 * then every number may be a limit. */
function limitsOfField({ groups }: BookTables['byPolicyType'][number], field: number): Float64Array | undefined {
  const cuts = new Set<number>();
  for (const { table } of groups) {
    for (const axis of table.axes) {
      if (axis.encoder.kind === 'test' || axis.computed?.fields.includes(field)) return undefined;
      if (axis.field === field && axis.encoder.kind === 'number') for (const cut of axis.encoder.cuts) cuts.add(cut);
    }
  }
  return Float64Array.from(cuts).sort();
}
