import type { Decider, Property, Rule, RuleSet, Verdict } from '@leeward/engine';
import { type DistanceTest, distanceTests, isWithinLimit, writtenRules } from '@leeward/engine/compiled';
import { type DistanceUnit, describeDistance, singular, wayOut } from './describe-distance.ts';
import type { KnownDistance, KnownDistances } from './known-distances.ts';

/** A limit on distance in a carrier's rules, compared with the home. */
export interface DistanceLimit {
  readonly ruleId: string;
  readonly outcome: string;
  /** As written in the rule. */
  readonly fact: string;
  readonly limit: number;
  readonly unit: DistanceUnit;
  /** `either`: too uncertain. */
  readonly home: 'nearer' | 'farther' | 'either';
  /** Distance, range, data and limit in a sentence. */
  readonly text: string;
}

type Program = RuleSet['programs'][number];

/** Per verdict. */
const MAX_LIMITS = 50;

/** Compares the home with the distance limits of a carrier, nearest first. Does not affect the verdict. */
export function createDistanceLimits(
  decider: Decider,
  property: Property,
  homeDistances: KnownDistances | undefined,
): (verdict: Verdict) => readonly DistanceLimit[] {
  const distances = homeDistances?.distances ?? [];
  if (distances.length === 0) return () => [];
  return (verdict) => {
    const ruleSet = ruleSetOf(decider, verdict);
    if (ruleSet === undefined) return [];
    const limits: { readonly meters: number; readonly limit: DistanceLimit }[] = [];
    for (const rule of rulesFor(ruleSet, verdict.policyType, property)) {
      for (const test of distanceTests(rule)) {
        const distance = distances.find(({ fact }) => fact === test.fact);
        if (distance !== undefined)
          limits.push({ meters: test.meters, limit: distanceLimitOf(rule, test, distance, homeDistances) });
      }
    }
    return limits
      .sort((a, b) => a.meters - b.meters)
      .slice(0, MAX_LIMITS)
      .map(({ limit }) => limit);
  };
}

function ruleSetOf({ carriers }: Decider, { carrierKey, ruleSet }: Verdict): RuleSet | undefined {
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

function distanceLimitOf(
  rule: Rule,
  test: DistanceTest,
  distance: KnownDistance,
  homeDistances: KnownDistances | undefined,
): DistanceLimit {
  const { meters: limitMeters, written } = test;
  const home = isWithinLimit(test, distance.max) ? 'nearer' : isWithinLimit(test, distance.min) ? 'either' : 'farther';
  const unit = (['feet', 'meters'] as const).find((each) => written.fact.endsWith(`_${each}`)) ?? 'miles';
  const limit = typeof written.value === 'number' ? written.value : limitMeters;
  const limitText = `${limit.toLocaleString('en-US')} ${limit === 1 ? singular[unit] : unit}`;
  const against = {
    nearer: `nearer than the limit of ${limitText}.`,
    farther: `beyond the limit of ${limitText}.`,
    either:
      `too uncertain to compare with the limit of ${limitText}. ${wayOut(distance, homeDistances?.location)}`.trim(),
  };
  return {
    ruleId: rule.id,
    outcome: rule.outcome,
    fact: written.fact,
    limit,
    unit,
    home,
    text: `${describeDistance(distance, homeDistances?.location, unit)}: ${against[home]}`,
  };
}
