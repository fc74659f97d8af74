import { findState } from '@leeward/places/counties';
import { capitalized, didYouMean, quoteValue, writeLimits } from '@leeward/terms';
import { type FactReference, unitOf } from '../vocabulary/fact-index.ts';
import type { ValueForm } from '../vocabulary/field.ts';
import { labelOf } from '../vocabulary/labels.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { ConditionContext } from './condition-context.ts';
import { countiesOfValue, currentCodes } from './places.ts';

export function isNumeric(reference: FactReference): boolean {
  if (reference.kind === 'place') return false;
  return reference.kind === 'derived' || reference.field.domain({ effectiveYear: 2000 }).kind === 'numbers';
}

/**
 * Checks one constant of a test: type, spelling and domain.
 *
 * @param isInList True for an element of a list of `in` or `notIn`, which may be a range.
 */
export function checkConstant(
  value: unknown,
  fact: string,
  reference: FactReference,
  path: string,
  context: ConditionContext,
  isInList = false,
): void {
  const { faults, warnings, vocabulary } = context;
  if (reference.kind === 'place' && reference.name === 'county') {
    const isKnown = typeof value === 'string' && countiesOfValue(value).length > 0;
    const current = typeof value === 'string' ? currentCodes(value) : [];
    if (current.length > 0) {
      const message = `${quoteValue(value)} is a former FIPS code, which no home has now; write ${current.map(quoteValue).join(' and ')}.`;
      // Files that name a merged county were valid before this check, and stay valid.
      (isKnown ? warnings : faults).push({ path, code: isKnown ? 'former_county' : 'unknown_county', message });
    } else if (!isKnown) {
      const message = `${quoteValue(value)} is not a county; write its name with its state ("jefferson, tx") or its FIPS code.`;
      faults.push({ path, code: 'unknown_county', message });
    }
  } else if (formOf(reference)) {
    checkForm(value, fact, reference, path, context, isInList);
  } else if (isNumeric(reference)) {
    if (typeof value !== 'number') {
      const message = `${fact} is compared with a number; ${quoteValue(value)} is not a number.`;
      faults.push({ path, code: 'value_wrong_type', message });
      return;
    }
    const range = rangeOf(reference);
    if (value >= range.min && value <= range.max) return;
    const limits = writeLimits(range.min, range.max, unitOf(reference));
    const message = `${named(fact, vocabulary)} is always from ${limits}; ${quoteValue(value)} lies outside.`;
    warnings.push({ path, code: 'value_out_of_domain', message });
  } else if (typeof value !== 'string') {
    const message = `${fact} is compared with a word; ${quoteValue(value)} is not a word.`;
    faults.push({ path, code: 'value_wrong_type', message });
  } else checkWord(value, fact, reference, path, context, wordsOf(reference, vocabulary));
}

/** The label of a fact with the name that the file has: `Age of the roof (roof_age)`. */
function named(fact: string, vocabulary: Vocabulary): string {
  return `${capitalized(labelOf(fact, vocabulary))} (${fact})`;
}

/** Returns the form in which rules write a fact, if it differs from the axis. */
export function formOf(reference: FactReference): ValueForm | undefined {
  return reference.kind === 'field' ? reference.field.form : undefined;
}

function checkForm(
  value: unknown,
  fact: string,
  reference: FactReference,
  path: string,
  { faults, warnings, vocabulary }: ConditionContext,
  isInList: boolean,
): void {
  const { read, write, words, range } = formOf(reference)!;
  if (range && isInList) {
    if (range.read(value)) return;
    const message = `${fact} is compared with ${range.words}, not with ${quoteValue(value)}.${rangeHint(value)}`;
    faults.push({ path, code: 'value_wrong_type', message });
    return;
  }
  const axisValue = read(value);
  if (axisValue === undefined) {
    const hint = range?.read(value)
      ? ' For a range or a prefix use in or notIn with a list.'
      : range
        ? rangeHint(value)
        : '';
    const message = `${fact} is compared with ${words}, not with ${quoteValue(value)}.${hint}`;
    faults.push({ path, code: 'value_wrong_type', message });
    return;
  }
  const { min, max } = rangeOf(reference);
  if (typeof axisValue !== 'number' || (axisValue >= min && axisValue <= max)) return;
  const message = `${named(fact, vocabulary)} is always from ${write(min)} to ${write(max)}; ${quoteValue(value)} lies outside.`;
  warnings.push({ path, code: 'value_out_of_domain', message });
}

/** Suggests the ZIP code of a number, or of digits that lost their leading zeros. */
function rangeHint(value: unknown): string {
  if (typeof value === 'string' && /^\d{5}-\d{5}$/.test(value))
    return ' The first code of a range must not exceed the last.';
  return /^\d{1,5}$/.test(String(value)) ? ` Did you mean "${String(value).padStart(5, '0')}"?` : '';
}

function checkWord(
  value: string,
  fact: string,
  reference: FactReference,
  path: string,
  { faults, list: itemList }: ConditionContext,
  words: readonly string[] | undefined,
): void {
  const isOpen = itemList?.fields.some((field) => field.name === fact && field.kind === 'word' && field.isOpen);
  const state = words ? undefined : findState(value);
  if (isOpen && /^x_[a-z0-9_]+$/.test(value)) return;
  if (words ? words.includes(value) : state?.code === value) return;
  const code =
    reference.kind !== 'place' ? 'unknown_value' : words === undefined ? 'unknown_state' : 'unknown_policy_type';
  const hint = words ? didYouMean(value, words) : state ? ` Did you mean "${state.code}"?` : '';
  const list = words ? ` Use one of: ${words.join(', ')}${isOpen ? ', or your own x_…' : ''}.` : '';
  faults.push({ path, code, message: `${quoteValue(value)} is not a ${fact}.${list}${hint}` });
}

/** Returns the words of a fact; undefined for the state, which has too many to list. */
function wordsOf(reference: FactReference, vocabulary: Vocabulary): readonly string[] | undefined {
  if (reference.kind === 'place') return reference.name === 'policy_type' ? vocabulary.policyTypes : undefined;
  const domain = reference.field.domain({ effectiveYear: 2000 });
  return domain.kind === 'words' ? domain.words : undefined;
}

/** Returns bounds for constants. Years are unrestricted above, because the effective date is not known here. */
function rangeOf(reference: FactReference): { readonly min: number; readonly max: number } {
  if (reference.kind === 'derived') return reference.derived.range;
  if (reference.kind === 'field') {
    const domain = reference.field.domain({ effectiveYear: 2200 });
    if (domain.kind === 'numbers') return domain;
  }
  return { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY };
}
