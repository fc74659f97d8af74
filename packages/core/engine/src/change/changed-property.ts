import type { Knowledge } from '../request/knowledge.ts';
import { boundByRelations, createProperty, type Property } from '../request/property.ts';
import { layoutOf } from '../vocabulary/layout.ts';
import { type ChangeProblem, fieldAt } from './change-problem.ts';
import { targetOf } from './describe-change.ts';

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
    const changeable = fieldAt(problem, field);
    values[changeable.field.name] = targetOf(changeable, cells[place]!);
  });
  return createProperty({ ...property, values });
}

/** The same of what was given, where each field comes to a value that is known to be one of its own. */
export function withFields(
  problem: ChangeProblem,
  property: Property,
  fields: readonly number[],
  cells: readonly number[],
): Property {
  const { vocabulary, effectiveYear, values } = property;
  const given = [...(property.given ?? values)];
  for (const [place, field] of fields.entries()) {
    const changeable = fieldAt(problem, field);
    given[changeable.index] = targetOf(changeable, cells[place]!);
  }
  const layout = layoutOf(vocabulary);
  return { ...property, values: boundByRelations(given, layout, layout.domainsOf(effectiveYear)), given };
}
