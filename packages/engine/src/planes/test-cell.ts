import { type Leaf, valueFact } from '../condition/condition.ts';
import { viewOf } from '../condition/facts.ts';
import { leafTruth } from '../condition/leaf-truth.ts';
import { operatorFunction } from '../condition/operators.ts';
import type { Knowledge } from '../request/knowledge.ts';
import { factIndex } from '../vocabulary/fact-index.ts';
import type { DerivedFact } from '../vocabulary/field.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

/** Where the property stands and what is asked for, for tests of those against other facts. */
export interface TestSurroundings {
  readonly state: string;
  readonly county: string | undefined;
  readonly policyType: string;
  readonly effectiveYear: number;
}

/** Gives the knowledge of a field, by its place in the vocabulary. */
export type ValueOf = (field: number) => Knowledge;

/** The cell of a test that is an axis of its own: 1 it holds, 0 it fails, -1 it is not known. */
export type TestCell = (fieldValue: ValueOf, surroundings: TestSurroundings) => number;

/** Makes the function that finds the cell of a test. */
export function createTestCell(leaf: Leaf, vocabulary: Vocabulary): TestCell {
  const test = operatorFunction(leaf.operator)!;
  const left = factReader(leaf.fact, vocabulary);
  const other = valueFact(leaf.value);
  const right = other ? factReader(other.fact, vocabulary) : () => leaf.value;
  return (fieldValue, surroundings) => {
    const truth = leafTruth(left(fieldValue, surroundings), right(fieldValue, surroundings), test);
    return truth === 'true' ? 1 : truth === 'false' ? 0 : -1;
  };
}

function factReader(name: string, vocabulary: Vocabulary): (fieldValue: ValueOf, at: TestSurroundings) => unknown {
  const reference = factIndex(vocabulary).find(name)!;
  if (reference.kind === 'place') {
    const key = reference.name === 'policy_type' ? 'policyType' : reference.name;
    return (_, at) => at[key];
  }
  const field = vocabulary.fields.indexOf(reference.field);
  if (reference.kind === 'field') return (fieldValue) => fieldValue(field);
  const derived: DerivedFact = reference.derived;
  return (fieldValue, at) => viewOf(fieldValue(field), derived, at.effectiveYear);
}
