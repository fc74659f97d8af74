import type { HostFailure } from '../reference/almanac.ts';
import type { Property } from '../request/property.ts';
import { coversState } from '../rule-set/places.ts';
import type { RuleSet } from '../rule-set/rule-set.ts';
import type { CarrierRules } from '../verdict/carrier-rules.ts';
import { ownGetters } from '../verdict/own-getters.ts';
import type { Status, Verdict } from '../verdict/verdict.ts';
import { eventList } from '../vocabulary/event-list.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { Era } from './eras.ts';
import type { Carrier } from './versions.ts';

/** Number of carriers and policy types for each status. */
export type Counts = Readonly<Record<Status, number>>;

/**
 * Verdicts of all carriers for one property. Can be spread and written as JSON like plain data. Verdicts and questions are computed on
 * first access.
 */
export interface Decision {
  readonly counts: Counts;
  /** Best first: eligible, referral, needs information, ineligible. Policy types that are not offered are only counted. */
  readonly verdicts: readonly Verdict[];
  /** Most useful questions first. */
  readonly nextQuestions: readonly NextQuestion[];
  /** Carriers and policy types that are not offered. Not enumerable: omitted from JSON and copies. */
  readonly notOffered: readonly NotOffered[];
  /** Carriers that could not be evaluated. Not enumerable. */
  readonly notEvaluated: readonly NotEvaluated[];
  /** Facts and operators of the host that failed. Carriers that depend on them need information. Not enumerable. */
  readonly hostFailures: readonly HostFailure[];
}

const noCounts: Counts = { eligible: 0, referral: 0, needs_information: 0, ineligible: 0, not_offered: 0 };

export function emptyDecision(): Decision {
  return withDetails({ counts: noCounts, verdicts: [], nextQuestions: [] }, () => noDetails);
}

export function countStatuses(statuses: Iterable<Verdict['status']>, notOffered: number): Counts {
  const counts = { ...noCounts, not_offered: notOffered };
  for (const status of statuses) counts[status]++;
  return counts;
}

/** Details of a decision, computed on access and not enumerable. */
class LazyDetails implements DecisionDetails {
  readonly #find: () => DecisionDetails;
  #details: DecisionDetails | undefined;

  constructor(find: () => DecisionDetails) {
    this.#find = find;
  }

  get notOffered(): readonly NotOffered[] {
    return this.#all().notOffered;
  }

  get notEvaluated(): readonly NotEvaluated[] {
    return this.#all().notEvaluated;
  }

  get hostFailures(): readonly HostFailure[] {
    return this.#all().hostFailures;
  }

  #all(): DecisionDetails {
    this.#details ??= this.#find();
    return this.#details;
  }
}

export function withDetails<T extends object>(decision: T, find: () => DecisionDetails): T & DecisionDetails {
  return Object.assign(new LazyDetails(find), decision);
}

/** Computes verdicts and questions on access. */
class LazyDecision extends LazyDetails implements Decision {
  declare readonly verdicts: readonly Verdict[];
  declare readonly nextQuestions: readonly NextQuestion[];
  readonly counts: Counts;
  readonly #write: () => readonly Verdict[];
  readonly #vocabulary: Vocabulary;
  #verdicts: readonly Verdict[] | undefined;
  #questions: readonly NextQuestion[] | undefined;

  static readonly #getters = ownGetters<LazyDecision>({
    verdicts: (self) => self.#written(),
    nextQuestions: (self) => {
      self.#questions ??= nextQuestions(self.#written(), self.#vocabulary);
      return self.#questions;
    },
  });

  constructor(
    counts: Counts,
    write: () => readonly Verdict[],
    vocabulary: Vocabulary,
    findSilent: () => DecisionDetails,
  ) {
    super(findSilent);
    this.counts = counts;
    this.#write = write;
    this.#vocabulary = vocabulary;
    Object.defineProperties(this, LazyDecision.#getters);
  }

  #written(): readonly Verdict[] {
    this.#verdicts ??= bestFirst(this.#write());
    return this.#verdicts;
  }
}

/** @param write returns the verdicts by name, policy type and key */
export function createLazyDecision(
  counts: Counts,
  write: () => readonly Verdict[],
  vocabulary: Vocabulary,
  silent: () => DecisionDetails,
): Decision {
  return new LazyDecision(counts, write, vocabulary, silent);
}

export function mergeDecisions(
  parts: readonly Decision[],
  vocabulary: Vocabulary,
  silent: () => DecisionDetails,
): Decision {
  const counts = { ...noCounts };
  for (const part of parts) {
    for (const [status, count] of Object.entries(part.counts) as [Status, number][]) counts[status] += count;
  }
  const { policyTypes } = vocabulary;
  const byName = () =>
    parts
      .flatMap(({ verdicts }) => verdicts)
      .sort(
        (a, b) =>
          compare(a.carrierName, b.carrierName) ||
          policyTypes.indexOf(a.policyType) - policyTypes.indexOf(b.policyType) ||
          compare(a.carrierKey, b.carrierKey),
      );
  return createLazyDecision(counts, byName, vocabulary, silent);
}

/**
 * Reason for not offering a policy type: no version in force on the effective date; no program for the type in this state; or no
 * appointment.
 */
export type NotOfferedCode = 'no_version' | 'no_program' | 'not_appointed';

/** A carrier that does not offer a policy type. */
export interface NotOffered {
  readonly carrierKey: string;
  readonly carrierName: string;
  readonly policyType: string;
  readonly code: NotOfferedCode;
}

/**
 * Reason for not evaluating a carrier: its rules need the host, which only `decide` supports; or the organization's rules for it are
 * invalid.
 */
export type NotEvaluatedCode = 'needs_host' | 'rules_refused';

/** A carrier that could not be evaluated. Its status is unknown. */
export interface NotEvaluated {
  readonly carrierKey: string;
  readonly carrierName: string;
  readonly policyType: string;
  readonly code: NotEvaluatedCode;
}

/** Details of a decision, in addition to its verdicts. */
export interface DecisionDetails {
  readonly hostFailures: readonly HostFailure[];
  readonly notOffered: readonly NotOffered[];
  readonly notEvaluated: readonly NotEvaluated[];
}

export const noDetails: DecisionDetails = { notOffered: [], notEvaluated: [], hostFailures: [] };

export function isOffered({ programs }: RuleSet, policyType: string, { state }: Property): boolean {
  return programs.some((program) => program.policyTypes.includes(policyType) && coversState(program.places, state));
}

export function findNotOffered(
  carriers: readonly Carrier[],
  versions: readonly (CarrierRules | undefined)[],
  property: Property,
  policyType: string,
  isAppointed: ((carrierKey: string, policyType: string, property: Property) => boolean) | undefined,
): NotOffered[] {
  const notOffered: NotOffered[] = [];
  carriers.forEach(({ key, name }, carrier) => {
    const ruleSet = versions[carrier]?.ruleSet;
    const add = (code: NotOffered['code']) =>
      void notOffered.push({ carrierKey: key, carrierName: ruleSet?.carrierName ?? name, policyType, code });
    if (isAppointed?.(key, policyType, property) === false) add('not_appointed');
    else if (!ruleSet) add('no_version');
    else if (!isOffered(ruleSet, policyType, property)) add('no_program');
  });
  return notOffered;
}

const byEra = new WeakMap<Era, readonly (readonly number[])[]>();

/** Carriers by name, then by key; carriers with equal names in one group. */
export function carriersByName(era: Era): readonly (readonly number[])[] {
  let order = byEra.get(era);
  if (!order) {
    const byName = new Map<string, number[]>();
    era.versions.forEach((version, carrier) => {
      if (!version) return;
      const { carrierName } = version.ruleSet;
      byName.set(carrierName, [...(byName.get(carrierName) ?? []), carrier]);
    });
    const keyOf = (carrier: number) => era.versions[carrier]!.ruleSet.carrierKey;
    order = [...byName]
      .sort(([a], [b]) => compare(a, b))
      .map(([, carriers]) => carriers.sort((a, b) => compare(keyOf(a), keyOf(b))));
    byEra.set(era, order);
  }
  return order;
}

export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const STATUS_ORDER: readonly Verdict['status'][] = ['eligible', 'referral', 'needs_information', 'ineligible'];

/** Sorts by status, best first, then by number of requirements. Stable. */
export function bestFirst(verdicts: readonly Verdict[]): Verdict[] {
  const ordered: Verdict[] = [];
  for (const status of STATUS_ORDER) {
    const from = ordered.length;
    let maxRequirements = 0;
    for (const verdict of verdicts) {
      if (verdict.status !== status) continue;
      ordered.push(verdict);
      maxRequirements = Math.max(maxRequirements, verdict.requirements.length);
    }
    if (maxRequirements === 0) continue;
    const sorted = ordered.splice(from).sort((a, b) => a.requirements.length - b.requirements.length);
    for (const verdict of sorted) ordered.push(verdict);
  }
  return ordered;
}

/** A missing field, and the number of verdicts that it settles. */
export interface NextQuestion {
  readonly field: string;
  /** Number of verdicts that need only this field, or this field and its partner. */
  readonly wouldSettle: number;
}

/** Ranks missing fields by the number of verdicts they settle, then by the number that depend on them. */
export function nextQuestions(verdicts: readonly Verdict[], vocabulary: Vocabulary): NextQuestion[] {
  const dependents = new Map<string, number>();
  const settled = new Map<string, number>();
  const raise = (counts: Map<string, number>, field: string) => counts.set(field, (counts.get(field) ?? 0) + 1);
  for (const { missingFields } of verdicts) {
    for (const field of missingFields) {
      // The applicant cannot answer for a missing feed of events.
      if (field === eventList.name) continue;
      raise(dependents, field);
      const partners = vocabulary.givenTogether.find((pair) => pair.includes(field)) ?? [field];
      if (missingFields.every((other) => (partners as readonly string[]).includes(other))) raise(settled, field);
    }
  }
  return [...dependents.keys()]
    .sort(
      (a, b) =>
        (settled.get(b) ?? 0) - (settled.get(a) ?? 0) || dependents.get(b)! - dependents.get(a)! || (a < b ? -1 : 1),
    )
    .map((field) => ({ field, wouldSettle: settled.get(field) ?? 0 }));
}
