import { writeLimits } from '@leeward/terms';
import { type Operator, operators } from '../condition/operators.ts';
import type { FactReference, SetReference } from '../vocabulary/fact-index.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

/** The operators of a set, with their meaning. */
export const setOperators: ReadonlyMap<string, string> = new Map([
  ['contains', 'The set contains the word.'],
  ['doesNotContain', 'The set does not contain the word.'],
  ['someFact:in', 'The set contains one of the words.'],
  ['everyFact:notIn', 'The set does not contain any of the words.'],
  ['everyFact:in', 'The set contains no other words.'],
]);

/** Returns the operators of a fact. Comparisons of order need a number or a date. */
export function operatorsOf(reference: FactReference): readonly Operator[] {
  return operators.filter(({ shape }) => {
    if (shape === 'member') return false;
    if (shape !== 'order') return true;
    return reference.kind !== 'place' && rangeOf(reference) !== undefined && !hasRanges(reference);
  });
}

/** True for a fact whose lists may have ranges and prefixes instead of comparisons of order. */
function hasRanges(reference: FactReference): boolean {
  return reference.kind === 'field' && reference.field.form?.range !== undefined;
}

/** Returns the words of a fact; undefined if it has no words. */
export function wordsOf(reference: FactReference): readonly string[] | undefined {
  if (reference.kind === 'place') return undefined;
  const domain = reference.field.domain({ effectiveYear: 2200 });
  return domain.kind === 'words' ? domain.words : undefined;
}

/** Returns the range of a fact; undefined if it is not a number. */
export function rangeOf(reference: FactReference): { min: number; max: number; integer: boolean } | undefined {
  if (reference.kind === 'place') return undefined;
  if (reference.kind === 'derived') return reference.derived.range;
  const domain = reference.field.domain({ effectiveYear: 2200 });
  return domain.kind === 'numbers' ? domain : undefined;
}

/** Describes a set in a sentence. */
export function describeSet({ label, members }: SetReference): string {
  const words = members.map(({ member }) => member!.word).join(', ');
  return `${capitalized(label)}. Any of: ${words}.`;
}

/** Describes a fact in a sentence: meaning, unit and values. */
export function describeFact(reference: FactReference, vocabulary: Vocabulary): string {
  if (reference.kind === 'place') {
    if (reference.name === 'state') return 'The state, as its lower-case abbreviation.';
    if (reference.name === 'county') return 'The county: its name with its state ("jefferson, tx"), or its FIPS code.';
    return `The policy type: ${vocabulary.policyTypes.join(', ')}.`;
  }
  const { label, unit } = reference.kind === 'derived' ? reference.derived : reference.field;
  const title = capitalized(label);
  const form = reference.kind === 'field' ? reference.field.form : undefined;
  if (form?.range) return `${title}: ${form.words}; in lists also ${form.range.words}.`;
  if (form) return `${title}: ${form.words}.`;
  const words = wordsOf(reference);
  if (words) return `${title}. One of: ${words.join(', ')}.`;
  const range = rangeOf(reference)!;
  const isYear = unit === 'year';
  const bounds = isYear
    ? `a year from ${range.min} to the year after the effective date`
    : `${range.integer ? 'a whole number' : 'a number'} from ${writeLimits(range.min, Math.floor(range.max))}`;
  const years = reference.kind === 'derived' && unit === 'years' ? ' Calculated at the effective date.' : '';
  return `${title}${unit === undefined || isYear ? '' : `, in ${unit}`}: ${bounds}.${years}`;
}

export function capitalized(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}`;
}
