import type { Knowledge } from '../request/knowledge.ts';
import { createProperty, type Property } from '../request/property.ts';
import type { ChangeProblem } from './change-problem.ts';
import { targetOf } from './tell-change.ts';

/**
 * The property with some fields brought to the nearest value of a cell, from `known`: what was given, as a
 * request would give it again, or all that is known, what follows from what was given included.
 */
export function changedProperty(
  problem: ChangeProblem,
  fields: readonly number[],
  cells: readonly number[],
  known: readonly Knowledge[],
): Property {
  const { property } = problem;
  const values: Record<string, Knowledge> = {};
  property.vocabulary.fields.forEach((field, index) => {
    values[field.name] = known[index];
  });
  fields.forEach((field, place) => {
    const changeable = problem.fieldAt(field);
    values[changeable.field.name] = targetOf(changeable, cells[place]!);
  });
  return createProperty({ ...property, values });
}
