import type { RequestField } from '@leeward/engine/vocabulary';
import type { WireDecision } from '../service/wire.ts';
import type { Typed } from './line-form.ts';

/** A field of the form with its mark. The order of fields never changes: only marks do. */
export interface MarkedField {
  readonly field: RequestField;
  /** Verdicts that an answer would settle. */
  readonly settles: number;
  /** Not answered, and no verdict depends on it. */
  readonly isIdle: boolean;
}

/** Marks the fields by the last answer. Without one, no field has a mark. */
export function markFields(
  fields: readonly RequestField[],
  typed: Typed,
  decision: WireDecision | undefined,
): readonly MarkedField[] {
  const openFields = new Set(decision?.next_questions.map(({ field }) => field));
  return fields.map((field) => ({
    field,
    settles: settledBy(field.name, typed, decision),
    isIdle: decision !== undefined && typed[field.name] === undefined && !isAsked(field.name, openFields),
  }));
}

/**
 * True if a verdict depends on the field. If a verdict needs the address, the distances count too, because they follow
 * from it.
 */
const isAsked = (name: string, openFields: ReadonlySet<string>) =>
  openFields.has(name) || (openFields.has('address') && name.startsWith('distance_to_'));

/** The number of verdicts that an answer to an open question would settle. */
export function settledBy(name: string, typed: Typed, decision: WireDecision | undefined): number {
  if (typed[name] !== undefined) return 0;
  return decision?.next_questions.find(({ field }) => field === name)?.would_settle ?? 0;
}

/** The question that settles most and is not answered yet. */
export function nextQuestion(typed: Typed, decision: WireDecision): WireDecision['next_questions'][number] | undefined {
  return decision.next_questions.find(({ field }) => typed[field] === undefined);
}
