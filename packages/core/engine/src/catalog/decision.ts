import type { HostFailure } from '../reference/almanac.ts';
import type { Property } from '../request/property.ts';
import { coversState } from '../rule-set/places.ts';
import type { RuleSet } from '../rule-set/rule-set.ts';
import { ownGetters } from '../verdict/own-getters.ts';
import type { Status, Verdict } from '../verdict/verdict.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { Era } from './eras.ts';

/** How many carriers and policy types stand at each status. */
export type Counts = Readonly<Record<Status, number>>;

/**
 * What all carriers of a catalog say of one property. Plain data to whoever reads it, spreads it or writes it as
 * JSON; verdicts are put into words, and questions counted, when they are first read.
 */
export interface Decision {
  readonly counts: Counts;
  /** Best first: eligible, referral, needs information, ineligible; not offered is only counted. */
  readonly verdicts: readonly Verdict[];
  /** What to ask next, most useful first. */
  readonly nextQuestions: readonly NextQuestion[];
  /**
   * Carriers that offer a policy type not at all, each with why. Found when read, and no part of the decision as JSON,
   * nor of what is spread.
   */
  readonly notOffered: readonly NotOffered[];
  /** Carriers that were asked and could not be judged: nothing is known of them. Likewise. */
  readonly notJudged: readonly NotJudged[];
  /**
   * Facts and operators of the host that failed. The facts are unknown here: carriers whose status depends on them need
   * information. Likewise no part of the decision as JSON.
   */
  readonly hostFailures: readonly HostFailure[];
}

const noCounts: Counts = { eligible: 0, referral: 0, needs_information: 0, ineligible: 0, not_offered: 0 };

export function emptyDecision(): Decision {
  return silently({ counts: noCounts, verdicts: [], nextQuestions: [] }, () => nobodySilent);
}

/** Counts answers by status. */
export function countStatuses(statuses: Iterable<Verdict['status']>, notOffered: number): Counts {
  const counts = { ...noCounts, not_offered: notOffered };
  for (const status of statuses) counts[status]++;
  return counts;
}

/** Who is silent: found when read, and not enumerated, so that a decision as JSON is what it always was. */
class Silent implements SilentCarriers {
  readonly #find: () => SilentCarriers;
  #found: SilentCarriers | undefined;

  constructor(find: () => SilentCarriers) {
    this.#find = find;
  }

  get notOffered(): readonly NotOffered[] {
    return this.#all().notOffered;
  }

  get notJudged(): readonly NotJudged[] {
    return this.#all().notJudged;
  }

  get hostFailures(): readonly HostFailure[] {
    return this.#all().hostFailures;
  }

  #all(): SilentCarriers {
    this.#found ??= this.#find();
    return this.#found;
  }
}

/** Adds who is silent to what is told. */
export function silently<T extends object>(told: T, find: () => SilentCarriers): T & SilentCarriers {
  return Object.assign(new Silent(find), told);
}

/** A decision whose verdicts and questions are found when they are read. */
class LazyDecision extends Silent implements Decision {
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
    findSilent: () => SilentCarriers,
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

/** A decision whose verdicts are written when they are read: `write` gives them by name, policy type and key. */
export function lazyDecision(
  counts: Counts,
  write: () => readonly Verdict[],
  vocabulary: Vocabulary,
  silent: () => SilentCarriers,
): Decision {
  return new LazyDecision(counts, write, vocabulary, silent);
}

/** One decision of several parts, which ask different carriers. */
export function mergeDecisions(
  parts: readonly Decision[],
  vocabulary: Vocabulary,
  silent: () => SilentCarriers,
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
  return lazyDecision(counts, byName, vocabulary, silent);
}

/**
 * Why a carrier offers nothing: no version of its rules is in force on the effective date, no program of it is for the
 * policy type in this state, or it is not appointed (which is not counted: whoever is not appointed is not asked).
 */
export type NotOfferedCode = 'no_version' | 'no_program' | 'not_appointed';

/** A carrier that offers a policy type not at all. */
export interface NotOffered {
  readonly carrierKey: string;
  readonly carrierName: string;
  readonly policyType: string;
  readonly code: NotOfferedCode;
}

/**
 * Why nothing is known of a carrier: its rules ask the host, which only `decide` waits for, or what an organization
 * entered for it was refused.
 */
export type NotJudgedCode = 'needs_host' | 'rules_refused';

/** A carrier that was asked and not judged: it may say yes, and it may say no. */
export interface NotJudged {
  readonly carrierKey: string;
  readonly carrierName: string;
  readonly policyType: string;
  readonly code: NotJudgedCode;
}

/** Further results of a decision beside its verdicts. */
export interface SilentCarriers {
  readonly hostFailures: readonly HostFailure[];
  readonly notOffered: readonly NotOffered[];
  readonly notJudged: readonly NotJudged[];
}

export const nobodySilent: SilentCarriers = { notOffered: [], notJudged: [], hostFailures: [] };

/** Whether some program of a rule set is for a policy type in the property's state. */
export function isOffered({ programs }: RuleSet, policyType: string, { state }: Property): boolean {
  return programs.some((program) => program.policyTypes.includes(policyType) && coversState(program.places, state));
}

const byEra = new WeakMap<Era, readonly (readonly number[])[]>();

/** Carriers of an era by name, then by key; those of one name together. */
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

/** Best first, and of those the ones with the fewest requirements; otherwise as they come. */
export function bestFirst(verdicts: readonly Verdict[]): Verdict[] {
  const ordered: Verdict[] = [];
  for (const status of STATUS_ORDER) {
    const from = ordered.length;
    let most = 0;
    for (const verdict of verdicts) {
      if (verdict.status !== status) continue;
      ordered.push(verdict);
      most = Math.max(most, verdict.requirements.length);
    }
    if (most === 0) continue;
    const sorted = ordered.splice(from).sort((a, b) => a.requirements.length - b.requirements.length);
    for (const verdict of sorted) ordered.push(verdict);
  }
  return ordered;
}

/** A field worth asking for, by request name. */
export interface NextQuestion {
  readonly field: string;
  /** Verdicts that hang on this field alone (or with the field it is always given with). */
  readonly wouldSettle: number;
}

/** Ranks the missing fields by how many verdicts each would settle, then by how many hang on it at all. */
export function nextQuestions(verdicts: readonly Verdict[], vocabulary: Vocabulary): NextQuestion[] {
  const hanging = new Map<string, number>();
  const settling = new Map<string, number>();
  const raise = (counts: Map<string, number>, field: string) => counts.set(field, (counts.get(field) ?? 0) + 1);
  for (const { missingFields } of verdicts) {
    for (const field of missingFields) {
      raise(hanging, field);
      const together = vocabulary.givenTogether.find((pair) => pair.includes(field)) ?? [field];
      if (missingFields.every((other) => (together as readonly string[]).includes(other))) raise(settling, field);
    }
  }
  return [...hanging.keys()]
    .sort(
      (a, b) =>
        (settling.get(b) ?? 0) - (settling.get(a) ?? 0) || hanging.get(b)! - hanging.get(a)! || (a < b ? -1 : 1),
    )
    .map((field) => ({ field, wouldSettle: settling.get(field) ?? 0 }));
}
