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

/** True if a relation binds two of the fields: neither may move without regard to the other. */
export function areRelated(problem: ChangeProblem, fields: readonly number[]): boolean {
  if (fields.length < 2) return false;
  const indexes = new Set(fields.map((field) => problem.layout.fields[field]!.index));
  return layoutOf(problem.property.vocabulary).relations.some(
    ({ lower, higher }) => indexes.has(lower) && indexes.has(higher),
  );
}

/** True if the nearest values of the given cells move two related fields past each other. */
export function contradictsRelation(
  problem: ChangeProblem,
  fields: readonly number[],
  cells: readonly number[],
): boolean {
  if (!areRelated(problem, fields)) return false;
  const targets = new Map(
    fields.map((field, place) => {
      const changeable = fieldAt(problem, field);
      return [changeable.index, targetOf(changeable, cells[place]!)];
    }),
  );
  return layoutOf(problem.property.vocabulary).relations.some(({ lower, higher }) => {
    const [low, high] = [targets.get(lower), targets.get(higher)];
    return typeof low === 'number' && typeof high === 'number' && low > high;
  });
}
