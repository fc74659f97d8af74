import { evidenceSources, homeVocabulary, type Outcome, type Vocabulary } from '@leeward/engine';
import {
  decoratorNames,
  describeFact,
  describeSet,
  type FactReference,
  factIndex,
  operators,
  operatorsOf,
  outcomeMeanings,
  outcomes,
  rangeOf,
  requestNameOf,
  type SetReference,
  setOperators,
  unitOf,
  wordsOf,
} from '@leeward/engine/compiled';
import type { ListField, OfferTerm } from '@leeward/engine/vocabulary';

/** The facts, operators, outcomes, terms and codes that rules of one line of business can use. */
export interface RuleReference {
  readonly line: string;
  readonly policyTypes: readonly string[];
  readonly outcomes: readonly { readonly name: Outcome; readonly meaning: string }[];
  readonly codes: readonly string[];
  /** Registered terms of offers. */
  readonly terms: readonly OfferTerm[];
  /** Lists whose items tests count, sum and compare. */
  readonly lists: readonly ListField[];
  /** Registered sources of values, for tests of evidence. */
  readonly sources: readonly string[];
  readonly facts: readonly FactEntry[];
  readonly operators: readonly { readonly name: string; readonly words: string }[];
  /** Prefixes of operators, as in `not:lessThan`. */
  readonly decorators: readonly string[];
}

/** A fact that rules can test. */
export interface FactEntry {
  readonly name: string;
  readonly kind: 'number' | 'word' | 'flag' | 'date' | 'zipcode' | 'set' | 'place';
  /** Label, unit and possible values, as a sentence. */
  readonly sentence: string;
  /** Description of the request field. */
  readonly meaning?: string;
  readonly unit?: string;
  /** Both ends included. */
  readonly range?: { readonly min: number; readonly max: number };
  /** Usual range of limits. */
  readonly usual?: { readonly min: number; readonly max: number };
  readonly words?: readonly string[];
  readonly operators: readonly string[];
  readonly requestName: string;
  readonly example: { readonly fact: string; readonly operator: string; readonly value: unknown };
}

/**
 * Describes everything that rules of a line of business can use.
 *
 * @param vocabulary Default: homes.
 * @example
 * ruleReference().facts.find(({ name }) => name === 'roof_age')?.sentence; // Age of the roof, in years: …
 */
export function ruleReference(vocabulary: Vocabulary = homeVocabulary): RuleReference {
  const index = factIndex(vocabulary);
  return {
    line: vocabulary.line,
    policyTypes: vocabulary.policyTypes,
    outcomes: outcomes.map((name) => ({ name, meaning: outcomeMeanings[name] })),
    codes: vocabulary.codes,
    terms: vocabulary.terms ?? [],
    lists: [...index.lists.values()],
    sources: evidenceSources,
    facts: index.names.map((name) => {
      const set = index.sets.get(name);
      return set ? setEntry(set) : factEntry(name, index.find(name)!, vocabulary);
    }),
    operators: operators.map(({ name, words }) => ({ name, words })),
    decorators: decoratorNames,
  };
}

function setEntry(set: SetReference): FactEntry {
  const words = set.members.map(({ member }) => member!.word);
  const example = { fact: set.name, operator: 'contains', value: words[0]! };
  return {
    name: set.name,
    kind: 'set',
    sentence: describeSet(set),
    words,
    operators: [...setOperators.keys()],
    requestName: set.name,
    example,
  };
}

function factEntry(name: string, reference: FactReference, vocabulary: Vocabulary): FactEntry {
  const operatorNames = operatorsOf(reference).map((operator) => operator.name);
  const entry = {
    name,
    sentence: describeFact(reference, vocabulary),
    operators: operatorNames,
    requestName: requestNameOf(reference),
  };
  if (reference.kind === 'place') return { ...entry, kind: 'place', example: placeExample(reference.name, vocabulary) };
  const form = reference.kind === 'field' ? reference.field.form : undefined;
  const meaning = reference.kind === 'field' ? reference.field.schema?.meta()?.description : undefined;
  const words = form ? undefined : wordsOf(reference);
  const range = form ? undefined : rangeOf(reference);
  const usual = reference.kind === 'field' ? reference.field.usual : reference.derived.usual;
  const unit = unitOf(reference);
  return {
    ...entry,
    kind: form?.name ?? (words ? 'word' : 'number'),
    ...(meaning === undefined ? {} : { meaning }),
    ...(unit === undefined ? {} : { unit }),
    ...(range ? { range: { min: range.min, max: Math.floor(range.max) } } : {}),
    ...(usual ? { usual } : {}),
    ...(words ? { words } : {}),
    example: exampleOf(name, reference),
  };
}

function exampleOf(fact: string, reference: Exclude<FactReference, { kind: 'place' }>): FactEntry['example'] {
  const domain = reference.field.domain({ effectiveYear: 2026 });
  const form = reference.kind === 'field' ? reference.field.form : undefined;
  if (form)
    return { fact, operator: 'equal', value: form.write(domain.kind === 'words' ? domain.words[0]! : domain.max) };
  if (domain.kind === 'words') return { fact, operator: 'in', value: domain.words.slice(0, 2) };
  const usual = reference.kind === 'field' ? reference.field.usual : reference.derived.usual;
  const { min, max } = usual ?? rangeOf(reference)!;
  // The geometric mean; for a year, a recent one.
  const middle =
    reference.field.unit === 'year' && reference.kind === 'field' ? 1980 : Math.sqrt(Math.max(1, min) * max);
  const value = middle > 1_000 && middle < 2_100 ? Math.round(middle) : Math.round(Number(middle.toPrecision(1)));
  return { fact, operator: 'greaterThan', value };
}

function placeExample(fact: 'state' | 'county' | 'policy_type', { policyTypes }: Vocabulary): FactEntry['example'] {
  const values = { state: ['tx', 'la'], county: ['jefferson, tx', '22023'], policy_type: [policyTypes[0]!] };
  return { fact, operator: 'in', value: values[fact] };
}
