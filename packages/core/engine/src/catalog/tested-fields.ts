import { didYouMean, quoteValue } from '@leeward/terms';
import { coversState } from '../rule-set/places.ts';
import type { RuleSet } from '../rule-set/rule-set.ts';
import { factsOfRule } from '../rule-set/rule-trees.ts';
import { inVocabularyOrder, requestNames } from '../verdict/rule-words.ts';
import { eventList } from '../vocabulary/event-list.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { type Carrier, versionOn } from './versions.ts';

/** Filter of {@link Catalog.testedFields}. Omitted properties include everything. */
export interface TestedFieldsQuery {
  readonly carrierKey?: string;
  readonly policyType?: string;
  /** Lower-case abbreviation. */
  readonly state?: string;
  /** `YYYY-MM-DD`: only versions in force on this date. @default all versions */
  readonly effectiveDate?: string;
}

/**
 * Request names of the fields that some rules test, in the order of the vocabulary. Includes `county` if a program or moratorium selects
 * counties.
 *
 * @throws RangeError for an unknown carrier or policy type
 */
export function testedFields(
  carriers: readonly Carrier[],
  vocabulary: Vocabulary,
  query: TestedFieldsQuery = {},
): readonly string[] {
  const { carrierKey, policyType, effectiveDate } = query;
  const keys = carriers.map(({ key }) => key);
  refuseUnknown('carrierKey', carrierKey, keys);
  refuseUnknown('policyType', policyType, vocabulary.policyTypes);
  const names = new Set<string>();
  for (const carrier of carriers) {
    if (carrierKey !== undefined && carrier.key !== carrierKey) continue;
    const versions =
      effectiveDate === undefined ? carrier.versions : [versionOn(carrier, effectiveDate)].filter((each) => !!each);
    for (const { ruleSet } of versions) addFields(ruleSet, vocabulary, query, names);
  }
  // The host gives events.
  for (const name of ['state', 'policy_type', eventList.name]) names.delete(name);
  return inVocabularyOrder(names, vocabulary);
}

function addFields(
  { rules, programs, moratoria }: RuleSet,
  vocabulary: Vocabulary,
  { policyType, state }: TestedFieldsQuery,
  names: Set<string>,
): void {
  const isIncluded = (types: readonly string[] | undefined) =>
    policyType === undefined || types === undefined || types.includes(policyType);
  const includedPrograms = programs.filter(
    (each) => isIncluded(each.policyTypes) && (state === undefined || coversState(each.places, state)),
  );
  if (includedPrograms.length === 0) return;
  const facts = [...rules, ...includedPrograms.flatMap((each) => each.rules)].flatMap(factsOfRule);
  for (const name of requestNames(facts, vocabulary)) names.add(name);
  const includedMoratoria = moratoria.filter((each) => isIncluded(each.policyTypes));
  for (const { places } of [...includedPrograms, ...includedMoratoria]) {
    if (state === undefined ? places.counties.size > 0 : places.counties.has(state)) names.add('county');
  }
}

function refuseUnknown(name: string, value: string | undefined, allowed: readonly string[]): void {
  if (value === undefined || allowed.includes(value)) return;
  throw new RangeError(
    `${name} is ${quoteValue(value)}; use a name of the catalog.${didYouMean(String(value), allowed)}`,
  );
}
