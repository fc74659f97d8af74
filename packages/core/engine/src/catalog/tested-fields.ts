import { didYouMean, quoteValue } from '@leeward/terms';
import { factsOf } from '../condition/condition.ts';
import { coversState } from '../rule-set/places.ts';
import type { RuleSet } from '../rule-set/rule-set.ts';
import { inVocabularyOrder, requestNames } from '../verdict/rule-words.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { type Carrier, versionOn } from './versions.ts';

/** Whose rules are meant; what is left out means all. */
export interface TestedFieldsQuery {
  readonly carrierKey?: string;
  readonly policyType?: string;
  /** Lower-case abbreviation. */
  readonly state?: string;
  /** `YYYY-MM-DD`: the versions in force then; left out, every version there is. */
  readonly effectiveDate?: string;
}

/**
 * Request names of the fields that rules of some carriers test, in the vocabulary's order: what a form has to
 * ask. `county` is among them where a program or a moratorium leaves counties out. Throws a `RangeError` for a
 * carrier or policy type that is not there.
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
  // Known before any field is asked.
  for (const name of ['state', 'policy_type']) names.delete(name);
  return inVocabularyOrder(names, vocabulary);
}

function addFields(
  { rules, programs, moratoria }: RuleSet,
  vocabulary: Vocabulary,
  { policyType, state }: TestedFieldsQuery,
  names: Set<string>,
): void {
  const isAsked = (types: readonly string[] | undefined) =>
    policyType === undefined || types === undefined || types.includes(policyType);
  const asked = programs.filter(
    (each) => isAsked(each.policyTypes) && (state === undefined || coversState(each.places, state)),
  );
  if (asked.length === 0) return;
  const facts = [...rules, ...asked.flatMap((each) => each.rules)].flatMap((rule) => factsOf(rule.condition));
  for (const name of requestNames(facts, vocabulary)) names.add(name);
  const stopped = moratoria.filter((each) => isAsked(each.policyTypes));
  for (const { places } of [...asked, ...stopped]) {
    if (state === undefined ? places.counties.size > 0 : places.counties.has(state)) names.add('county');
  }
}

function refuseUnknown(name: string, value: string | undefined, known: readonly string[]): void {
  if (value === undefined || known.includes(value)) return;
  throw new RangeError(`${name} is ${quoteValue(value)}; there is none such here.${didYouMean(String(value), known)}`);
}
