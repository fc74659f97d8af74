import type { CompiledProgram } from '../compiled/compile-program.ts';
import { areIndependent, namesOfReading } from '../compiled/computed-axes.ts';
import { findCompiled } from '../compiled/find-compiled.ts';
import { findOffers } from '../compiled/find-offers.ts';
import type { CarrierRules } from '../verdict/carrier-rules.ts';
import type { Findings } from '../verdict/findings.ts';
import { combineDemands, noOffers, type OfferFindings } from '../verdict/offers.ts';
import { type RuleWords, wordsOf } from '../verdict/rule-words.ts';
import type { Reason, Requirement, SettledStatus, Verdict } from '../verdict/verdict.ts';
import {
  fieldsToAskFor,
  moratoriumReason,
  type QuotedFacts,
  ruleReason,
  ruleRequirement,
  termsOf,
  territoryReason,
  verdictOf,
} from '../verdict/verdict-of.ts';
import { WrittenVerdict } from '../verdict/written-verdict.ts';
import { areRelated } from '../vocabulary/layout.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import {
  createOpenTerms,
  decisiveWhenFree,
  ELIGIBLE,
  findOpenTerms,
  INELIGIBLE,
  isFree,
  possibleWhenFree,
  REFERRAL,
  settledStatus,
} from './carrier-status.ts';
import { readTruths } from './carrier-truths.ts';
import type { MissingFields, RuleReading } from './rule-reading.ts';
import type { Decider } from './rule-table.ts';

const open = createOpenTerms();

/** A set of bits, or the result of a search. */
export type CarrierStatus = number | Findings;

export function carrierStatus(reading: RuleReading, carrier: number): CarrierStatus {
  return statusWithoutSearch(reading, carrier) ?? search(reading, carrier);
}

/** Carriers with at least this many words of terms may need a long search. */
const MANY_WORDS = 8;

/** Undefined if the status or the verdict may need a long search. */
export function carrierStatusAtOnce(reading: RuleReading, carrier: number): CarrierStatus | undefined {
  const { firstWord } = reading.table;
  if (hasOffers(reading, carrier) && !closedOffers(reading, carrier)) return undefined;
  return firstWord[carrier + 1]! - firstWord[carrier]! < MANY_WORDS ? statusWithoutSearch(reading, carrier) : undefined;
}

/** Also runs the searches that `writeVerdict` needs for a carrier with many terms. */
export function carrierStatusForWords(reading: RuleReading, carrier: number): CarrierStatus {
  const statuses = statusWithoutSearch(reading, carrier);
  const { firstWord } = reading.table;
  if (hasOffers(reading, carrier)) offersOf(reading, carrier);
  if (statuses === undefined) return search(reading, carrier);
  if (firstWord[carrier + 1]! - firstWord[carrier]! < MANY_WORDS) return statuses;
  const settled = SETTLED[statuses];
  if (settled === undefined && !missingFields(reading, carrier)) return search(reading, carrier);
  return readTruths(reading, carrier, settled) ? statuses : search(reading, carrier, settled);
}

function hasOffers({ table }: RuleReading, carrier: number): boolean {
  return table.firstOfferBits[carrier] !== undefined;
}

/** Cached: a long search runs once. */
function offersOf(reading: RuleReading, carrier: number): OfferFindings {
  if (!hasOffers(reading, carrier)) return noOffers;
  let offers = reading.offers.get(carrier);
  if (!offers) {
    const { program } = reading.table.carriers[carrier]!;
    offers = closedOffers(reading, carrier) ?? findOffers(program, reading.property);
    reading.offers.set(carrier, offers);
  }
  return offers;
}

/** Maximum number of cached offers of one program, and of its demands. */
const MAX_CACHED_OFFERS = 256;
const MAX_DEMANDS_IN_A_SET = 52;
const cachedOffers = new WeakMap<CompiledProgram, Map<number, OfferFindings>>();

/** The offers of a carrier if every demand certainly applies or certainly does not; else undefined. Cached by the set of demands. */
function closedOffers(reading: RuleReading, carrier: number): OfferFindings | undefined {
  const { possible, certain, table } = reading;
  const { program } = table.carriers[carrier]!;
  const firstBits = table.firstOfferBits[carrier]!;
  const { demands } = program;
  if (demands.length > MAX_DEMANDS_IN_A_SET) return undefined;
  let applying = 0;
  for (let demand = 0; demand < demands.length; demand++) {
    let applies = false;
    let isOpen = false;
    const end = firstBits[demand]! + demands[demand]!.terms.length;
    for (let bit = firstBits[demand]!; bit < end && !applies; bit++) {
      const word = bit >>> 5;
      applies = ((certain[word]! >>> (bit & 31)) & 1) !== 0;
      if (((possible[word]! >>> (bit & 31)) & 1) !== 0) isOpen = true;
    }
    if (isOpen && !applies) return undefined;
    if (applies) applying += 2 ** demand;
  }
  let cached = cachedOffers.get(program);
  if (!cached) {
    cached = new Map();
    cachedOffers.set(program, cached);
  }
  let offers = cached.get(applying);
  if (!offers) {
    const applyingDemands = new Set(demands.filter((_, demand) => Math.floor(applying / 2 ** demand) % 2 === 1));
    offers = combineDemands(demands, {
      truthOf: (some) => ({ truth: some.some((each) => applyingDemands.has(each)) ? 'true' : 'false', isExact: true }),
      missingOf: () => NOTHING,
    });
    if (cached.size >= MAX_CACHED_OFFERS) cached.clear();
    cached.set(applying, offers);
  }
  return offers;
}

/** Undefined if the status needs a search. */
function statusWithoutSearch(reading: RuleReading, carrier: number): number | undefined {
  const settled = settledStatus(reading, carrier);
  if (settled !== 0) return settled;
  findOpenTerms(reading, carrier, open);
  if (!isFree(reading, carrier, open)) return undefined;
  const possible = possibleWhenFree(reading, open);
  return possible >= 0 ? possible : undefined;
}

function search(reading: RuleReading, carrier: number, status?: SettledStatus): Findings {
  const { program } = reading.table.carriers[carrier]!;
  return (
    findSearched(reading, program, status) ??
    remember(reading, program, status, findCompiled(program, reading.property, status)!)
  );
}

/** Maximum number of cached searches of one reading: for carriers with the same rules, and for the carrier's verdict. */
const MAX_CACHED_SEARCHES = 8;

function findSearched(
  { searched }: RuleReading,
  program: CompiledProgram,
  status: SettledStatus | undefined,
): Findings | undefined {
  return searched.find((each) => each.status === status && haveSameRules(each.program, program))?.findings;
}

function remember(
  { searched }: RuleReading,
  program: CompiledProgram,
  status: SettledStatus | undefined,
  findings: Findings,
): Findings {
  if (searched.length < MAX_CACHED_SEARCHES) searched.push({ program, status, findings });
  return findings;
}

export function statusOfCarrier(status: CarrierStatus): Verdict['status'] {
  return SETTLED[setOf(status)] ?? 'needs_information';
}

/** Returns the possible statuses, best first. */
export function statusesOfCarrier(status: CarrierStatus): readonly SettledStatus[] {
  return STATUSES[setOf(status)]!;
}

/** True if an open status depends on dependent tests that were treated as independent, or on an incomplete search. */
export function isConservative(reading: RuleReading, carrier: number, status: CarrierStatus): boolean {
  if (typeof status !== 'number') return status.conservative;
  if (SETTLED[status] || (reading.tests.length === 0 && reading.related.length === 0)) return false;
  return (missingFields(reading, carrier) ?? search(reading, carrier)).conservative;
}

function setOf(status: CarrierStatus): number {
  if (typeof status === 'number') return status;
  const { possible } = status;
  return (
    (possible.has('eligible') ? ELIGIBLE : 0) |
    (possible.has('referral') ? REFERRAL : 0) |
    (possible.has('ineligible') ? INELIGIBLE : 0)
  );
}

const SETTLED: readonly (SettledStatus | undefined)[] = [undefined, 'eligible', 'referral', undefined, 'ineligible'];
/** By set of statuses. */
const STATUSES: readonly (readonly SettledStatus[])[] = Array.from({ length: 8 }, (_, set) => {
  const all: readonly [number, SettledStatus][] = [
    [ELIGIBLE, 'eligible'],
    [REFERRAL, 'referral'],
    [INELIGIBLE, 'ineligible'],
  ];
  return Object.freeze(all.filter(([bit]) => (set & bit) !== 0).map(([, status]) => status));
});
const NOTHING: readonly never[] = Object.freeze([]);
const COMPLETE: MissingFields = { names: NOTHING, conservative: false };

export function writeVerdict(
  reading: RuleReading,
  carrier: number,
  status: CarrierStatus,
  rules: CarrierRules,
  facts: QuotedFacts,
): Verdict {
  const { table, property } = reading;
  const { policyType } = table;
  if (typeof status !== 'number') return verdictOf(status, rules, policyType, property, facts);
  const settled = SETTLED[status];
  const missing = settled ? COMPLETE : missingFields(reading, carrier);
  const truths = missing && readTruths(reading, carrier, settled);
  if (!truths) return verdictOf(search(reading, carrier, settled), rules, policyType, property, facts);
  const { vocabulary } = property;
  const offers = offersOf(reading, carrier);
  const requirements = (deciders: readonly Decider[]): readonly Requirement[] => {
    if (deciders.length === 0) return NOTHING;
    return deciders.map((each) => ruleRequirement(each.rule!, facts, vocabulary, wordsOfDecider(each, vocabulary)));
  };
  const reasonOf = (each: Decider): Reason => {
    const { rule, moratorium } = each;
    if (rule) return ruleReason(rule, facts, vocabulary, wordsOfDecider(each, vocabulary));
    if (moratorium) return moratoriumReason(moratorium, facts, vocabulary);
    return territoryReason(reading.state.programs[carrier]!, rules.ruleSet, policyType, property);
  };
  return new WrittenVerdict(
    rules,
    policyType,
    STATUSES[status]!,
    truths.deciding.length === 0 ? NOTHING : truths.deciding.map(reasonOf),
    requirements(truths.required),
    requirements(truths.possiblyRequired),
    requirements(truths.noted),
    offers.isUnsure ? { ...missing, conservative: true } : missing,
    termsOf(offers, facts, property),
  );
}

function wordsOfDecider(decider: Decider, vocabulary: Vocabulary): RuleWords {
  decider.words ??= wordsOf(decider.rule!, vocabulary);
  return decider.words;
}

const decisiveAxes: number[] = [];
const MAX_AXES_IN_A_SET = 52;

/** The fields that an open status depends on; undefined if that needs a search. Cached by the set of axes. */
function missingFields(reading: RuleReading, carrier: number): MissingFields | undefined {
  findOpenTerms(reading, carrier, open);
  const count = decisiveWhenFree(reading, open, decisiveAxes);
  if (count < 0) return undefined;
  const axes = decisiveAxes.slice(0, count);
  // The exactness of computed facts depends on the carrier.
  if (reading.loose.length > MAX_AXES_IN_A_SET || axes.some((index) => reading.loose[index]!.computed)) {
    return missingOn(reading, axes, carrier);
  }
  let which = 0;
  for (let index = 0; index < count; index++) which += 2 ** decisiveAxes[index]!;
  let missing = reading.missing.get(which);
  if (!missing) {
    missing = missingOn(reading, axes, carrier);
    reading.missing.set(which, missing);
  }
  return missing;
}

function missingOn({ loose, property, table }: RuleReading, axes: readonly number[], carrier: number): MissingFields {
  const names: string[] = [];
  const fields: number[] = [];
  let conservative = false;
  for (const index of axes) {
    const { axis, computed } = loose[index]!;
    const { missingNames } = axis;
    for (const name of computed ? namesOfReading(computed, property) : missingNames) names.push(name);
    if (axis.testCell) conservative = true;
    else if (axis.field >= 0) fields.push(axis.field);
  }
  const open = axes.map((index) => {
    const { axis, computed } = loose[index]!;
    const isPlace = axis === table.axes[0];
    return { name: axis.computed?.axis.name ?? '', field: axis.field, reading: computed, isPlace };
  });
  return {
    names: fieldsToAskFor(names, property),
    conservative:
      conservative ||
      areRelated(fields, property.vocabulary) ||
      !areIndependent(table.carriers[carrier]!.program, open),
  };
}

const comparisons = new WeakMap<CompiledProgram, WeakMap<CompiledProgram, boolean>>();

/**
 * True if two programs of one policy type and year have identical rules, as carriers of a group often do: they can share a search.
 * Cached.
 */
function haveSameRules(one: CompiledProgram, other: CompiledProgram): boolean {
  if (one === other) return true;
  const ofOne = comparisons.get(one) ?? new WeakMap<CompiledProgram, boolean>();
  comparisons.set(one, ofOne);
  let same = ofOne.get(other);
  if (same === undefined) {
    same =
      one.rules.length === other.rules.length &&
      isSame(comparedParts(one), comparedParts(other), { left: MAX_COMPARED });
    ofOne.set(other, same);
  }
  return same;
}

const comparedParts = ({ ruleSet, programs }: CompiledProgram) => [ruleSet.rules, programs, ruleSet.moratoria];

/** Maximum number of comparisons before programs count as different: shared conditions can expand to very many. */
const MAX_COMPARED = 50_000;

function isSame(one: unknown, other: unknown, budget: { left: number }): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (--budget.left < 0) return false;
  if (one instanceof Set) {
    return other instanceof Set && one.size === other.size && [...one].every((each) => other.has(each));
  }
  const [left, right] = [entriesOf(one), entriesOf(other)];
  return left.size === right.size && [...left].every(([key, value]) => isSame(value, right.get(key), budget));
}

function entriesOf(value: object): ReadonlyMap<unknown, unknown> {
  return value instanceof Map ? value : new Map(Object.entries(value));
}
