import { type Leaf, valueFact } from '../condition/condition.ts';
import { viewOf } from '../condition/facts.ts';
import { isWithin, type Knowledge } from '../request/knowledge.ts';
import type { Property } from '../request/property.ts';
import { type FactReference, factIndex } from '../vocabulary/fact-index.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

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
