import type { Knowledge } from '../request/knowledge.ts';
import { boundByRelations, createProperty, type Property } from '../request/property.ts';
import { layoutOf } from '../vocabulary/layout.ts';
import { type ChangeProblem, fieldAt } from './change-problem.ts';
import { targetOf } from './describe-change.ts';

/**
 * Moves some fields to the nearest values of the given cells.
 *
 * @param base values of the other fields: as given, or including bounds inferred from relations
 */
export function changedProperty(
  problem: ChangeProblem,
  fields: readonly number[],
  cells: readonly number[],
  base: readonly Knowledge[],
): Property {
  const { property } = problem;
  const values: Record<string, Knowledge> = {};
  property.vocabulary.fields.forEach((field, index) => {
    values[field.name] = base[index];
  });
  fields.forEach((field, place) => {
    const changeable = fieldAt(problem, field);
    values[changeable.field.name] = targetOf(changeable, cells[place]!);
  });
  return createProperty({ ...property, values });
}

/** With the given values, for valid targets. */
export function withFields(
  problem: ChangeProblem,
  property: Property,
  fields: readonly number[],
  cells: readonly number[],
): Property {
  const { vocabulary, effectiveYear, values } = property;
  const givenValues = [...(property.givenValues ?? values)];
  for (const [place, field] of fields.entries()) {
    const changeable = fieldAt(problem, field);
    givenValues[changeable.index] = targetOf(changeable, cells[place]!);
  }
  const layout = layoutOf(vocabulary);
  return {
    ...property,
    values: boundByRelations(givenValues, layout, layout.domainsOf(effectiveYear)),
    givenValues,
  };
}
