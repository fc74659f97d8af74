import type { RequestField } from '@leeward/engine/vocabulary';
import type { WireDecision } from '../service/wire.ts';
import type { Typed } from './line-form.ts';

/** Only marks change, never the order of fields. */
export interface MarkedField {
  readonly field: RequestField;
  /** Verdicts that an answer would settle. */
  readonly settles: number;
  /** No verdict depends on it. */
  readonly isIdle: boolean;
}

/** Marks the fields by the last answer. A field on demand is left out until an answer needs it. */
export function markFields(
  fields: readonly RequestField[],
  typed: Typed,
  decision: WireDecision | undefined,
): readonly MarkedField[] {
  const openFields = new Set(decision?.next_questions.map(({ field }) => field));
  const isShown = ({ name, on_demand: isOnDemand }: RequestField) =>
    !isOnDemand || typed[name] !== undefined || openFields.has(name);
  return fields.filter(isShown).map((field) => ({
    field,
    settles: settledBy(field.name, typed, decision),
    isIdle: decision !== undefined && typed[field.name] === undefined && !isAsked(field.name, openFields),
  }));
}

/** True if a verdict depends on the field, or on a distance that follows from the address. */
const isAsked = (name: string, openFields: ReadonlySet<string>) =>
  openFields.has(name) || (openFields.has('address') && name.startsWith('distance_to_'));

/** Verdicts that an answer would settle. */
export function settledBy(name: string, typed: Typed, decision: WireDecision | undefined): number {
  if (typed[name] !== undefined) return 0;
  return decision?.next_questions.find(({ field }) => field === name)?.would_settle ?? 0;
}

/** The unanswered question that settles most. */
export function nextQuestion(typed: Typed, decision: WireDecision): WireDecision['next_questions'][number] | undefined {
  return decision.next_questions.find(({ field }) => typed[field] === undefined);
}
