import { countyByFips } from '@leeward/places/counties';
import { formatInstant, wordOf, writeTime } from '@leeward/terms';
import type { Truth } from '../condition/truth.ts';
import type { Property } from '../request/property.ts';
import { coversCounty, coversState, type Places } from '../rule-set/places.ts';
import type { Moratorium, RuleSet } from '../rule-set/rule-set.ts';
import { writeCounty } from '../vocabulary/labels.ts';
import type { ExplainedTest, KnownValue } from './explanation.ts';
import { listWords, testSentence } from './test-sentence.ts';

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
    label: wordOf('field', 'request_time'),
    value: asOf,
    truth: 'true',
    text: `Time of the request: ${writeTime(asOf)}, which is from ${writeTime(from)} ${until === null ? 'on' : `until ${writeTime(until)}`}.`,
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
  const operator = selection.mode === 'include' ? 'in' : 'notIn';
  const names = counties.map(countyName);
  const value: KnownValue = names.length > 1 ? { oneOf: names } : (names[0] ?? null);
  const text = testSentence({
    label: wordOf('field', 'county'),
    value: counties.length === 0 ? undefined : listWords(counties.map(writeCounty)),
    operator,
    limit: listWords([...selection.fips].map(writeCounty)),
    truth,
  });
  return [{ fact: 'county', operator, limit, field: 'county', label: 'county', value, truth, text }];
}

function countyName(fips: string): string {
  const county = countyByFips(fips);
  return county ? `${county.name}, ${county.state}` : fips;
}
