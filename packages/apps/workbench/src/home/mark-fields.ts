import type { RequestField } from '@leeward/engine/vocabulary';
import type { WireDecision } from '../service/wire.ts';
import { hasItems } from './items.ts';
import type { Typed } from './line-form.ts';

/** Only marks change, never the order of fields. */
export interface MarkedField {
  readonly field: RequestField;
  /** Verdicts that an answer would settle. */
  readonly settles: number;
  /** No verdict depends on it. */
  readonly isIdle: boolean;
}

/**
 * Marks the fields by the last answer. A field on demand is left out until an answer needs it. Then its name is added to `shownNames`
 * and it stays, so that it does not vanish under the keyboard.
 */
export function markFields(
  fields: readonly RequestField[],
  typed: Typed,
  decision: WireDecision | undefined,
  shownNames: Set<string>,
): readonly MarkedField[] {
  const openFields = new Set(decision?.next_questions.map(({ field }) => field));
  const isShown = ({ name, on_demand: isOnDemand }: RequestField) =>
    !isOnDemand || typed[name] !== undefined || openFields.has(name) || shownNames.has(name);
  const shownFields = fields.filter(isShown);
  for (const { name } of shownFields) shownNames.add(name);
  return shownFields.map((field) => ({
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
  if (isAnswered(name, typed)) return 0;
  return decision?.next_questions.find(({ field }) => field === name)?.would_settle ?? 0;
}

/** The unanswered question that settles most. */
export function nextQuestion(typed: Typed, decision: WireDecision): WireDecision['next_questions'][number] | undefined {
  return decision.next_questions.find(({ field }) => !isAnswered(field, typed));
}

/** Items of a list may lack answers, which the next question is about. */
const isAnswered = (name: string, typed: Typed) => typed[name] !== undefined && !hasItems(typed[name]);
