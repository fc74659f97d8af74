import { isNumberAxis } from '../compiled/axis.ts';
import type { ProgramAxis } from '../compiled/compile-program.ts';
import { readComputed, sourceOfProperty, viewOf } from '../condition/computed.ts';
import { type Computed, type Leaf, type Operand, valueFact } from '../condition/condition.ts';
import type { FactSource } from '../condition/fact-source.ts';
import { isWithin, type Knowledge } from '../request/knowledge.ts';
import type { Property } from '../request/property.ts';
import { type FactReference, factIndex } from '../vocabulary/fact-index.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

/** Returns the positions, in the vocabulary, of the fields that a test or a computed fact depends on. */
export function fieldsOfAxis({ test, computed }: ProgramAxis, vocabulary: Vocabulary): number[] {
  if (computed) return [...usesOf(computed, vocabulary).keys()];
  return test ? fieldsOfTest(test, vocabulary) : [];
}

/** Returns how often a computed fact uses each field, by position in the vocabulary. Lists do not count. */
export function usesOf(computed: Computed, vocabulary: Vocabulary): ReadonlyMap<number, number> {
  const uses = new Map<number, number>();
  const visit = (operand: Operand): void => {
    if (operand.kind === 'operation') for (const each of operand.of) visit(each);
    if (operand.kind !== 'fact') return;
    const reference = factIndex(vocabulary).find(operand.fact);
    if (!reference || reference.kind === 'place') return;
    const index = vocabulary.fields.indexOf(reference.field);
    uses.set(index, (uses.get(index) ?? 0) + 1);
  };
  visit(computed);
  return uses;
}

/** Returns a property's values with another value of one field. */
export function sourceWith(property: Property, field: number, value: number): FactSource {
  const source = sourceOfProperty(property);
  return { ...source, knowledgeOf: (index) => (index === field ? value : source.knowledgeOf(index)) };
}

/** Returns the limits at which a field must be cut so that a test or a computed fact has one result in each cell. */
export function axisLimits(programAxis: ProgramAxis, field: number, property: Property): number[] {
  const { test, computed, axis } = programAxis;
  if (test) return testLimits(test, field, property);
  if (!computed || !isNumberAxis(axis)) return [];
  const domain = property.vocabulary.fields[field]!.domain(property);
  if (domain.kind !== 'numbers') return [];
  const limits: number[] = [];
  for (const cut of axis.cuts) {
    for (const end of ['min', 'max'] as const) {
      const at = (value: number) => readComputed(computed, sourceWith(property, field, value))[end];
      for (const isBelow of [(value: number) => at(value) < cut, (value: number) => at(value) <= cut]) {
        limits.push(...borderOf(isBelow, domain));
      }
    }
  }
  return limits;
}

/** Finds the numbers between which a result changes, by bisection; empty if it is the same at both ends. */
function borderOf(
  test: (value: number) => boolean,
  { min, max, integer }: { readonly min: number; readonly max: number; readonly integer: boolean },
): number[] {
  const atStart = test(min);
  if (test(max) === atStart) return [];
  let low = min;
  let high = max;
  for (let step = 0; step < MAX_STEPS && high - low > (integer ? 1 : 0); step++) {
    const middle = integer ? Math.floor((low + high) / 2) : low + (high - low) / 2;
    if (middle === low || middle === high) break;
    if (test(middle) === atStart) low = middle;
    else high = middle;
  }
  return [low, high];
}

/** Enough to halve any range of numbers to neighbours. */
const MAX_STEPS = 100;

export function fieldsOfTest(test: Leaf, vocabulary: Vocabulary): number[] {
  const indexes = new Set<number>();
  for (const reference of referencesOf(test, vocabulary)) {
    if (reference.kind !== 'place') indexes.add(vocabulary.fields.indexOf(reference.field));
  }
  return [...indexes];
}

/** The limits at which a field must be cut so that a test against another fact has one result in each cell. */
export function testLimits(test: Leaf, field: number, property: Property): number[] {
  const { vocabulary, effectiveYear } = property;
  const references = referencesOf(test, vocabulary);
  const limits: number[] = [];
  for (const mine of references) {
    if (mine.kind === 'place' || vocabulary.fields.indexOf(mine.field) !== field) continue;
    for (const other of references) {
      if (other === mine || other.kind === 'place') continue;
      for (const number of numbersOf(knowledgeOf(other, property))) {
        if (mine.kind === 'derived') limits.push(...mine.derived.cuts(number, { effectiveYear }));
        else limits.push(number);
      }
    }
  }
  return limits;
}

function referencesOf(test: Leaf, vocabulary: Vocabulary): FactReference[] {
  const other = valueFact(test.value);
  const find = factIndex(vocabulary).find;
  return [test.fact, ...(other ? [other.fact] : [])].flatMap((name) => find(name) ?? []);
}

function knowledgeOf(reference: FactReference, { vocabulary, values, effectiveYear }: Property): Knowledge {
  if (reference.kind === 'place') return undefined;
  const knowledge = values[vocabulary.fields.indexOf(reference.field)];
  return reference.kind === 'derived' ? viewOf(knowledge, reference.derived, effectiveYear) : knowledge;
}

function numbersOf(knowledge: Knowledge): number[] {
  if (typeof knowledge === 'number') return [knowledge];
  return isWithin(knowledge) && knowledge.kind === 'between' ? [knowledge.min, knowledge.max] : [];
}
