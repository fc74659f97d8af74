import type { Decider, Property, Rule, RuleSet, Verdict } from '@leeward/engine';
import { type DistanceTest, distanceNames, distanceTests, writtenRules } from '@leeward/engine/compiled';

type DistanceName = (typeof distanceNames)[number][0];
type Program = RuleSet['programs'][number];
type VerdictKey = Pick<Verdict, 'carrierKey' | 'policyType' | 'ruleSet'>;

/** The request name of a distance as a rule names it; undefined for other facts. */
export function requestNameOfDistance(fact: string): DistanceName | undefined {
  return distanceNames.find(([name]) => name === fact)?.[0];
}

/** A test of a distance, and the rule that it belongs to. */
export interface TestOfRule extends DistanceTest {
  readonly rule: Rule;
}

/** The distance tests of the rules behind a verdict, in the order of the file. */
export function distanceTestsOf(decider: Decider, verdict: VerdictKey, property: Property): readonly TestOfRule[] {
  const ruleSet = ruleSetOf(decider, verdict);
  if (ruleSet === undefined) return [];
  return rulesFor(ruleSet, verdict.policyType, property).flatMap((rule) =>
    distanceTests(rule).map((test) => ({ ...test, rule })),
  );
}

export function ruleSetOf({ carriers }: Decider, { carrierKey, ruleSet }: VerdictKey): RuleSet | undefined {
  return carriers
    .find(({ key }) => key === carrierKey)
    ?.versions.find(
      (version) => version.ruleSet.sha256 === ruleSet.sha256 && version.overrideSha256 === ruleSet.overrideSha256,
    )?.ruleSet;
}

function rulesFor(ruleSet: RuleSet, policyType: string, property: Property): readonly Rule[] {
  const programs = ruleSet.programs.filter(
    (program) => program.policyTypes.includes(policyType) && covers(program.places, property),
  );
  return writtenRules([...ruleSet.rules, ...programs.flatMap(({ rules }) => rules)]);
}

function covers({ states, counties }: Program['places'], property: Property): boolean {
  if (states !== undefined && !states.includes(property.state)) return false;
  const selection = counties.get(property.state);
  if (selection === undefined || property.counties === undefined) return true;
  return property.counties.some((fips) => selection.fips.has(fips) === (selection.mode === 'include'));
}

/** Names of missing distances, in the units of rules. */
export interface DistanceFieldNames {
  /** Replaces names of distances by those that the rules behind the verdict use. */
  inUnitsOfRules(verdict: VerdictKey, names: readonly string[]): readonly string[];
  /** Distances that rules test and the request does not give, which answer as well as the address. */
  insteadOfAddress(verdicts: readonly Verdict[]): readonly string[];
}

export function createDistanceFieldNames(decider: Decider, property: Property): DistanceFieldNames {
  const { vocabulary, givenValues = property.values } = property;
  const values = new Map(vocabulary.fields.map(({ name }, index) => [name, givenValues[index]]));
  const nameOf = (fact: string, tests: readonly DistanceTest[]): string | undefined => {
    const own = tests.filter((test) => test.fact === fact);
    // A test whose limit is within the range is undecided.
    const range = values.get(fact);
    const isOpen = ({ meters }: DistanceTest) =>
      typeof range !== 'object' || range.kind !== 'between' || (meters >= range.min && meters <= range.max);
    const test = own.find(isOpen) ?? own[0];
    return test && requestNameOfDistance(test.written.fact);
  };
  return {
    inUnitsOfRules(verdict, names) {
      if (!names.some((name) => fieldOf(name) !== undefined)) return names;
      const tests = distanceTestsOf(decider, verdict, property);
      return [
        ...new Set(
          names.map((name) => {
            const fact = fieldOf(name);
            return fact === undefined ? name : (nameOf(fact, tests) ?? name);
          }),
        ),
      ];
    },
    insteadOfAddress(verdicts) {
      const names = new Set<string>();
      for (const verdict of verdicts) {
        if (!verdict.missingFields.includes('address')) continue;
        const tests = distanceTestsOf(decider, verdict, property);
        for (const fact of new Set(tests.map((test) => test.fact))) {
          const name = typeof values.get(fact) === 'number' ? undefined : nameOf(fact, tests);
          if (name !== undefined) names.add(name);
        }
      }
      return [...names];
    },
  };
}

function fieldOf(requestName: string): string | undefined {
  return distanceNames.find(([name]) => name === requestName)?.[1];
}
