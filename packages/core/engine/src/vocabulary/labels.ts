import { countyByFips } from '@leeward/places/counties';
import { wordOf, writeQuantity, writeWord } from '@leeward/terms';
import { type FactReference, factIndex, unitOf } from './fact-index.ts';
import type { Vocabulary } from './vocabulary.ts';

const evidenceWords: Readonly<Record<string, string>> = {
  as_of: 'date of the evidence',
  source: 'source',
  evidence_age_years: 'age of the evidence',
};

/** The label of a fact; undefined for places. */
export function labelOfReference(reference: FactReference | undefined): string | undefined {
  if (reference?.kind === 'derived') return reference.derived.label;
  return reference?.kind === 'field' ? reference.field.label : undefined;
}

/**
 * The words for a field, fact, set, list or place, as within a sentence. Names of evidence and of fields of items are accepted too:
 * `roof_age.as_of`, `losses/0/date`. A name outside the vocabulary is written with spaces.
 *
 * @example
 * labelOf('no_prior', homeVocabulary); // 'days without prior insurance'
 */
export function labelOf(name: string, vocabulary: Vocabulary): string {
  const dot = name.lastIndexOf('.');
  const evidence = dot > 0 ? evidenceWords[name.slice(dot + 1)] : undefined;
  if (evidence !== undefined) return `${labelOf(name.slice(0, dot), vocabulary)}: ${evidence}`;
  const [first = '', ...path] = name.split('/').filter((part) => part !== '');
  const { find, sets, lists } = factIndex(vocabulary);
  const list = lists.get(first);
  const field = list?.fields.find((each) => each.name === path.at(-1));
  if (list && field) return `${list.itemLabel}: ${field.label}`;
  const label =
    sets.get(first)?.label ?? list?.label ?? labelOfReference(find(first)) ?? labelOfTerm(first, vocabulary);
  return label ?? wordOf('field', first);
}

function labelOfTerm(name: string, { terms = [] }: Vocabulary): string | undefined {
  return terms.find((term) => term.name === name)?.label;
}

/**
 * A county as people write it. A code without a county stays.
 *
 * @example
 * writeCounty('12086'); // 'Miami-Dade County, FL'
 */
export function writeCounty(fips: string): string {
  const county = countyByFips(fips);
  return county ? `${county.label}, ${county.state.toUpperCase()}` : fips;
}

/**
 * The value of a fact as people write it: `$450,000`, `22 years`, `HO3`, `yes`, `Miami-Dade County, FL`. A list is joined with "or".
 *
 * @param value in the notation of rules or on the axis
 * @example
 * writeValue('dwelling_a', 450000, homeVocabulary); // '$450,000'
 */
export function writeValue(name: string, value: unknown, vocabulary: Vocabulary): string {
  if (value === undefined || value === null) return 'not given';
  if (Array.isArray(value)) {
    if (value.length === 0) return 'none';
    return value.map((each) => writeValue(name, each, vocabulary)).join(' or ');
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const reference = factIndex(vocabulary).find(name);
  if (typeof value === 'number') {
    const form = reference?.kind === 'field' ? reference.field.form : undefined;
    if (form) return writeValue(name, form.write(value), vocabulary);
    // Requests have an age or a year: no age is as large as a year.
    if (reference?.kind === 'derived' && reference.derived.unit === 'years' && value > reference.derived.range.max)
      return writeQuantity(value, 'year');
    return writeQuantity(value, reference && unitOf(reference), { label: labelOf(name, vocabulary) });
  }
  if (typeof value !== 'string') return JSON.stringify(value);
  if (name === 'state') return value.toUpperCase();
  return name === 'county' ? writeCounty(value) : writeWord(value);
}
