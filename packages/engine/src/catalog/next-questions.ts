import type { Verdict } from '../verdict/verdict.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

/** A field worth asking for, by request name. */
export interface NextQuestion {
  readonly field: string;
  /** Verdicts that hang on this field alone (or with the field it is always given with). */
  readonly wouldSettle: number;
}

/** Ranks the missing fields by how many verdicts each would settle, then by how many hang on it at all. */
export function nextQuestions(verdicts: readonly Verdict[], vocabulary: Vocabulary): NextQuestion[] {
  const hanging = new Map<string, number>();
  const settling = new Map<string, number>();
  const raise = (counts: Map<string, number>, field: string) => counts.set(field, (counts.get(field) ?? 0) + 1);
  for (const { missingFields } of verdicts) {
    for (const field of missingFields) {
      raise(hanging, field);
      const together = vocabulary.givenTogether.find((pair) => pair.includes(field)) ?? [field];
      if (missingFields.every((other) => (together as readonly string[]).includes(other))) raise(settling, field);
    }
  }
  return [...hanging.keys()]
    .sort(
      (a, b) =>
        (settling.get(b) ?? 0) - (settling.get(a) ?? 0) || hanging.get(b)! - hanging.get(a)! || (a < b ? -1 : 1),
    )
    .map((field) => ({ field, wouldSettle: settling.get(field) ?? 0 }));
}
