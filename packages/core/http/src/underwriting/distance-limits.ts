import {
  type Decider,
  type DistanceTest,
  distanceTests,
  isWithinLimit,
  type Property,
  type Rule,
  type RuleSet,
  type Verdict,
} from '@leeward/engine';
import { type DistanceUnit, describeDistance, singular, wayOut } from './describe-distance.ts';
import type { KnownDistance, KnownDistances } from './known-distances.ts';

/** A limit on distance in a carrier's rules, and where the home stands to it. */
export interface DistanceLimit {
  readonly ruleId: string;
  readonly outcome: string;
  /** As the rule's author wrote them. */
  readonly fact: string;
  readonly limit: number;
  readonly unit: DistanceUnit;
  /** `either`: the distance is not known well enough. */
  readonly home: 'nearer' | 'farther' | 'either';
  /** How far the home is, how sure that is, by which data, and the limit: in one sentence. */
  readonly text: string;
}

type Program = RuleSet['programs'][number];

/** More are no help to anybody. */
const MAX_LIMITS = 50;

/**
 * Tells of each verdict which limits on distance the carrier's rules have for this home, the nearest first, out of what is
 * known of its distances. No judgement: the verdict stands, and this says where the home stands to the limits.
 */
export function createDistanceLimits(
  decider: Decider,
  property: Property,
  known: KnownDistances | undefined,
): (verdict: Verdict) => readonly DistanceLimit[] {
  const distances = known?.distances ?? [];
  if (distances.length === 0) return () => [];
  return (verdict) => {
    const ruleSet = ruleSetOf(decider, verdict);
    if (ruleSet === undefined) return [];
    const found: { readonly meters: number; readonly told: DistanceLimit }[] = [];
    for (const rule of rulesFor(ruleSet, verdict.policyType, property)) {
      for (const test of distanceTests(rule)) {
        const distance = distances.find(({ fact }) => fact === test.fact);
        if (distance !== undefined)
          found.push({ meters: test.meters, told: distanceLimitOf(rule, test, distance, known) });
      }
    }
    return found
      .sort((a, b) => a.meters - b.meters)
      .slice(0, MAX_LIMITS)
      .map(({ told }) => told);
  };
}

function ruleSetOf({ carriers }: Decider, { carrierKey, ruleSet }: Verdict): RuleSet | undefined {
  return carriers
    .find(({ key }) => key === carrierKey)
    ?.versions.find(
      (version) => version.ruleSet.sha256 === ruleSet.sha256 && version.overrideSha256 === ruleSet.overrideSha256,
    )?.ruleSet;
}

/** The rules that can apply to a policy type where the home stands. */
function rulesFor(ruleSet: RuleSet, policyType: string, property: Property): readonly Rule[] {
  const programs = ruleSet.programs.filter(
    (program) => program.policyTypes.includes(policyType) && covers(program.places, property),
  );
  return [...ruleSet.rules, ...programs.flatMap(({ rules }) => rules)];
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
  known: KnownDistances | undefined,
): DistanceLimit {
  const { meters: limitMeters, written } = test;
  const home = isWithinLimit(test, distance.max) ? 'nearer' : isWithinLimit(test, distance.min) ? 'either' : 'farther';
  const unit = (['feet', 'meters'] as const).find((each) => written.fact.endsWith(`_${each}`)) ?? 'miles';
  const limit = typeof written.value === 'number' ? written.value : limitMeters;
  const limitText = `${limit.toLocaleString('en-US')} ${limit === 1 ? singular[unit] : unit}`;
  const against = {
    nearer: `nearer than the limit of ${limitText}.`,
    farther: `beyond the limit of ${limitText}.`,
    either: `not known to be on either side of the limit of ${limitText}. ${wayOut(distance, known?.location)}`.trim(),
  };
  return {
    ruleId: rule.id,
    outcome: rule.outcome,
    fact: written.fact,
    limit,
    unit,
    home,
    text: `${describeDistance(distance, known?.location, unit)}: ${against[home]}`,
  };
}
