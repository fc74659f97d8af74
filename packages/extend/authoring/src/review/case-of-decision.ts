import { distanceNames, homeVocabulary, type Property, type Vocabulary } from '@leeward/engine';
import { fromMeters } from '@leeward/engine/compiled';
import { countyByFips } from '@leeward/places/counties';
import { own } from '@leeward/terms';
import type { DecisionRecord } from '../replay/decision-record.ts';
import { recordHome } from '../replay/recorded-home.ts';
import { readRecordedHome } from '../replay/replay-decision.ts';
import { answerOfVerdict, type SavedAnswer, type SavedAnswers } from '../replay/saved-answer.ts';

/** An entry of `cases.json`: what was answered is what is expected. */
export interface CaseEntry {
  readonly note: string;
  readonly as_of: string;
  readonly effective_date: string;
  readonly home: Readonly<Record<string, unknown>>;
  readonly policy_type: string;
  readonly expect: SavedAnswer;
}

/** A saved decision as a case of one carrier. */
export interface CaseOfDecision {
  readonly entry: CaseEntry;
  /** Fields that a case can say less exactly than was known, each with what became of it. */
  readonly simplified: readonly string[];
}

/**
 * Makes a case of a saved decision: the home as it was judged, the dates, and what the carrier answered. Undefined where it was
 * not asked for the policy type. Throws a `ReplayError` for what is no decision record.
 */
export function caseOfDecision(
  source: unknown,
  answers: SavedAnswers,
  { carrierKey, policyType, note }: { readonly carrierKey: string; readonly policyType: string; readonly note: string },
  vocabulary: Vocabulary = homeVocabulary,
): CaseOfDecision | undefined {
  const { record } = readRecordedHome(source, vocabulary);
  const asked = record.rule_sets.find((each) => each.carrier_key === carrierKey);
  if (!asked?.policy_types.includes(policyType)) return undefined;
  const { home, simplified } = homeOfRecord(record);
  const ofCarrier = own(answers, carrierKey) as SavedAnswers[string] | undefined;
  const expect = (own(ofCarrier, policyType) as SavedAnswer | undefined) ?? answerOfVerdict(undefined);
  const { as_of, effective_date } = record;
  return { entry: { note, as_of, effective_date, home, policy_type: policyType, expect }, simplified };
}

/** A property as a request of its own: without an address or a point, its distances given. */
export function requestOfProperty(property: Property): Readonly<Record<string, unknown>> {
  const recorded = recordHome(property);
  const { policyType } = property;
  return {
    ...homeOfRecord(recorded).home,
    ...(policyType === undefined ? {} : { policy_type: policyType }),
    as_of: recorded.as_of,
    effective_date: recorded.effective_date,
  };
}

/** The home as a request has it, without its policy type. */
function homeOfRecord({ home: recorded, counties, known }: Pick<DecisionRecord, 'home' | 'counties' | 'known'>) {
  const { policy_type: _, ...home } = recorded;
  const simplified: string[] = [];
  if (home['county'] === undefined && counties !== null) {
    const names = new Set(counties.map((fips) => countyByFips(fips)?.name));
    const [name] = names;
    if (names.size === 1 && name !== undefined) home['county'] = name;
    else simplified.push('county: left out, it was one of several');
  }
  for (const [field, value] of Object.entries(known)) {
    const name = distanceNames.find(([, meters]) => meters === field)?.[0];
    if (name === undefined) simplified.push(`${field}: left out, a request cannot say what was known of it`);
    else if (typeof value === 'number') home[name] = fromMeters(value, 'miles');
    else if (typeof value === 'object' && 'min' in value) {
      const [min, max] = [value.min, value.max].map((meters) => Number(fromMeters(meters, 'miles').toPrecision(6)));
      home[name] = Number(((min! + max!) / 2).toPrecision(6));
      simplified.push(`${name}: ${home[name]}, the middle of ${min} to ${max}`);
    }
  }
  return { home, simplified };
}
