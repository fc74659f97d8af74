import { homeVocabulary, type Property, type Vocabulary } from '@leeward/engine';
import { distanceNames, fromMeters } from '@leeward/engine/compiled';
import { own } from '@leeward/terms';
import type { DecisionRecord } from '../replay/decision-record.ts';
import { recordHome } from '../replay/recorded-home.ts';
import { readRecordedHome } from '../replay/replay-decision.ts';
import { onlyCounty } from '../replay/request-of-record.ts';
import { answerOfVerdict, type SavedAnswer, type SavedAnswers } from '../replay/saved-answer.ts';

/** An entry of `cases.json` that expects the answer of a decision. */
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
  /** Descriptions of fields that a case cannot represent exactly. */
  readonly simplified: readonly string[];
}

/**
 * Creates a case from a saved decision: its home, its dates and the answer of the carrier.
 *
 * @returns Undefined if the decision did not include the policy type of the carrier.
 * @throws {ReplayError} If the record is invalid.
 * @example
 * const made = caseOfDecision(record, answers, { carrierKey: 'bayou', policyType: 'ho3', note: 'Saved 2026-11-20' });
 */
export function caseOfDecision(
  source: unknown,
  answers: SavedAnswers,
  { carrierKey, policyType, note }: { readonly carrierKey: string; readonly policyType: string; readonly note: string },
  vocabulary: Vocabulary = homeVocabulary,
): CaseOfDecision | undefined {
  const { record } = readRecordedHome(source, vocabulary);
  const ruleSet = record.rule_sets.find((each) => each.carrier_key === carrierKey);
  if (!ruleSet?.policy_types.includes(policyType)) return undefined;
  const { home, simplified } = homeOfRecord(record);
  const ofCarrier = own(answers, carrierKey) as SavedAnswers[string] | undefined;
  const expect = (own(ofCarrier, policyType) as SavedAnswer | undefined) ?? answerOfVerdict(undefined);
  const { as_of, effective_date } = record;
  return { entry: { note, as_of, effective_date, home, policy_type: policyType, expect }, simplified };
}

/**
 * Creates a request from a property, with its distances instead of an address or point.
 *
 * @example
 * parseRequest(requestOfProperty(property), { now });
 */
export function requestOfProperty(property: Property): Readonly<Record<string, unknown>> {
  const record = recordHome(property);
  const { policyType } = property;
  return {
    ...homeOfRecord(record).home,
    ...(policyType === undefined ? {} : { policy_type: policyType }),
    as_of: record.as_of,
    effective_date: record.effective_date,
  };
}

/** Without its policy type. */
function homeOfRecord({
  home: recordedHome,
  counties,
  known: knowledge,
}: Pick<DecisionRecord, 'home' | 'counties' | 'known'>) {
  const { policy_type: _, ...home } = recordedHome;
  const simplified: string[] = [];
  if (home['county'] === undefined && counties !== null) {
    const name = onlyCounty(counties);
    if (name !== undefined) home['county'] = name;
    else simplified.push('county: left out, because it was one of several');
  }
  for (const [field, value] of Object.entries(knowledge)) {
    const name = distanceNames.find(([, meters]) => meters === field)?.[0];
    if (name === undefined) simplified.push(`${field}: left out, because a request cannot contain its value`);
    else if (typeof value === 'number') home[name] = fromMeters(value, 'miles');
    else if (typeof value === 'object' && 'min' in value) {
      const [min, max] = [value.min, value.max].map((meters) => Number(fromMeters(meters, 'miles').toPrecision(6)));
      home[name] = Number(((min! + max!) / 2).toPrecision(6));
      simplified.push(`${name}: ${home[name]}, the middle of ${min} to ${max}`);
    }
  }
  return { home, simplified };
}
