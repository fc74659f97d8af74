import { countyByFips } from '@leeward/places/counties';
import { formatInstant } from '@leeward/terms';
import type { Truth } from '../condition/truth.ts';
import type { Property } from '../request/property.ts';
import { coversCounty, coversState, type Places } from '../rule-set/places.ts';
import type { Moratorium, RuleSet } from '../rule-set/rule-set.ts';
import type { ExplainedTest, KnownValue } from './explanation.ts';

/** The county tests of each program of the policy type in the state: the reasons for a territory. */
export function territoryTests(ruleSet: RuleSet, policyType: string, property: Property): ExplainedTest[] {
  return ruleSet.programs
    .filter((each) => each.policyTypes.includes(policyType) && coversState(each.places, property.state))
    .flatMap((program) => countyTests(program.places, property));
}

/** The tests of a moratorium: its period against the time of the request, and its counties. */
export function moratoriumTests({ fromMs, untilMs, places }: Moratorium, property: Property): ExplainedTest[] {
  const from = formatInstant(fromMs);
  const until = Number.isFinite(untilMs) ? formatInstant(untilMs) : null;
  const asOf = formatInstant(property.asOfMs);
  const within: ExplainedTest = {
    fact: 'as_of',
    operator: 'within',
    limit: { from, until },
    field: 'as_of',
    label: 'time of the request',
    value: asOf,
    truth: 'true',
    text: `time of the request is from ${from} ${until === null ? 'on' : `until ${until}`}: yes, it is ${asOf}.`,
  };
  return [within, ...countyTests(places, property)];
}

/** Tests of the county against the named ones; empty if the places include the whole state. */
export function countyTests(places: Places, { state, counties = [] }: Property): ExplainedTest[] {
  const selection = places.counties.get(state);
  if (!selection) return [];
  const limit = [...selection.fips].map(countyName);
  const inside = new Set(counties.map((fips) => coversCounty(places, state, fips)));
  const truth: Truth = inside.size === 1 ? (inside.has(true) ? 'true' : 'false') : 'undecided';
  const [operator, words] = selection.mode === 'include' ? ['in', 'is one of'] : ['notIn', 'is not one of'];
  const names = counties.map(countyName);
  const value: KnownValue = names.length > 1 ? { oneOf: names } : (names[0] ?? null);
  const answer = truth === 'true' ? 'yes' : truth === 'false' ? 'no' : 'not decided';
  const text = `county ${words} ${limit.join(' or ')}: ${answer}, it is ${names.join(' or ') || 'not given'}.`;
  return [{ fact: 'county', operator, limit, field: 'county', label: 'county', value, truth, text }];
}

function countyName(fips: string): string {
  const county = countyByFips(fips);
  return county ? `${county.name}, ${county.state}` : fips;
}
