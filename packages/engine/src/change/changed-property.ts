import type { Knowledge } from '../request/knowledge.ts';
import { createProperty, type Property } from '../request/property.ts';
import type { ChangeProblem } from './change-problem.ts';
import { targetOf } from './tell-change.ts';

/** The property with some fields brought to the nearest value of a cell. */
export function changedProperty(problem: ChangeProblem, fields: readonly number[], cells: readonly number[]): Property {
  const { property } = problem;
  const { vocabulary } = property;
  const given = property.given ?? property.values;
  const values: Record<string, Knowledge> = {};
  vocabulary.fields.forEach((field, index) => {
    values[field.name] = given[index];
  });
  fields.forEach((field, place) => {
    const changeable = problem.fields[field]!;
    values[changeable.field.name] = targetOf(changeable, cells[place]!);
  });
  return createProperty({ ...property, values });
}
