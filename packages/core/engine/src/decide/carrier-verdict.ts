import type { CompiledProgram } from '../compiled/compile-program.ts';
import { findCompiled } from '../compiled/find-compiled.ts';
import type { CarrierRules } from '../verdict/carrier-rules.ts';
import type { Findings } from '../verdict/findings.ts';
import { type RuleWords, wordsOf } from '../verdict/rule-words.ts';
import type { Reason, Requirement, SettledStatus, Verdict } from '../verdict/verdict.ts';
import {
  fieldsToAskFor,
  moratoriumReason,
  type QuotedFacts,
  ruleReason,
  ruleRequirement,
  territoryReason,
  verdictOf,
} from '../verdict/verdict-of.ts';
import { WrittenVerdict } from '../verdict/written-verdict.ts';
import { areRelated } from '../vocabulary/layout.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import {
  createOpenTerms,
  ELIGIBLE,
  findOpenTerms,
  hangingWhenFree,
  INELIGIBLE,
  isFree,
  possibleWhenFree,
  REFERRAL,
  settledStatus,
} from './carrier-status.ts';
import { readTruths } from './carrier-truths.ts';
import type { MissingFields, RuleReading } from './rule-reading.ts';
import type { Decider } from './rule-table.ts';
import { haveSameRules } from './same-rules.ts';

const open = createOpenTerms();

/** What one carrier can come to: a set of statuses, or what a search found of it. */
export type CarrierStatus = number | Findings;

/** The statuses that a carrier of a reading can come to. */
export function carrierStatus(reading: RuleReading, carrier: number): CarrierStatus {
  return foundStatus(reading, carrier) ?? search(reading, carrier);
}

/** Words of a carrier's terms from which a search to put its answer into words may take long. */
const MANY_WORDS = 8;

/** Like `carrierStatus`, but undefined if it, or putting the answer into words, takes a long search. */
export function carrierStatusAtOnce(reading: RuleReading, carrier: number): CarrierStatus | undefined {
  const { firstWord } = reading.table;
  return firstWord[carrier + 1]! - firstWord[carrier]! < MANY_WORDS ? foundStatus(reading, carrier) : undefined;
}

/** The statuses after all searches that a verdict needs: `writeVerdict` then makes none for a carrier of many terms. */
export function carrierStatusForWords(reading: RuleReading, carrier: number): CarrierStatus {
  const statuses = foundStatus(reading, carrier);
  const { firstWord } = reading.table;
  if (statuses === undefined) return search(reading, carrier);
  if (firstWord[carrier + 1]! - firstWord[carrier]! < MANY_WORDS) return statuses;
  const settled = SETTLED[statuses];
  if (settled === undefined && !missingFields(reading, carrier)) return search(reading, carrier);
  return readTruths(reading, carrier, settled) ? statuses : search(reading, carrier, settled);
}

/** The statuses, where it takes no search to find them. */
function foundStatus(reading: RuleReading, carrier: number): number | undefined {
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
    searchedBefore(reading, program, status) ??
    keep(reading, program, status, findCompiled(program, reading.property, status)!)
  );
}

/** Searches of one reading that are kept for carriers with the same rules, and for the words of the same carrier. */
const MAX_KEPT = 8;

function searchedBefore(
  { searched }: RuleReading,
  program: CompiledProgram,
  status: SettledStatus | undefined,
): Findings | undefined {
  return searched.find((each) => each.status === status && haveSameRules(each.program, program))?.findings;
}

function keep(
  { searched }: RuleReading,
  program: CompiledProgram,
  status: SettledStatus | undefined,
  findings: Findings,
): Findings {
  if (searched.length < MAX_KEPT) searched.push({ program, status, findings });
  return findings;
}

/** The status alone. */
export function statusOfCarrier(status: CarrierStatus): Verdict['status'] {
  return SETTLED[setOf(status)] ?? 'needs_information';
}

/** All that it can come to, best first. */
export function statusesOfCarrier(status: CarrierStatus): readonly SettledStatus[] {
  return STATUSES[setOf(status)]!;
}

/** Whether an open status hangs on what is taken as independent and is not, or its search ran out. */
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

/** The whole verdict of a carrier whose status was found before. */
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
    missing,
  );
}

function wordsOfDecider(decider: Decider, vocabulary: Vocabulary): RuleWords {
  decider.words ??= wordsOf(decider.rule!, vocabulary);
  return decider.words;
}

const hanging: number[] = [];
/** So many axes have bits of their own in a number that is told apart from every other. */
const MAX_AXES_IN_A_SET = 52;

/** What an open status hangs on; undefined where only a search can tell. Found once for all that hang on the same. */
function missingFields(reading: RuleReading, carrier: number): MissingFields | undefined {
  findOpenTerms(reading, carrier, open);
  const count = hangingWhenFree(reading, open, hanging);
  if (count < 0) return undefined;
  if (reading.loose.length > MAX_AXES_IN_A_SET) return missingOn(reading, hanging.slice(0, count));
  let which = 0;
  for (let index = 0; index < count; index++) which += 2 ** hanging[index]!;
  let missing = reading.missing.get(which);
  if (!missing) {
    missing = missingOn(reading, hanging.slice(0, count));
    reading.missing.set(which, missing);
  }
  return missing;
}

function missingOn({ loose, property }: RuleReading, axes: readonly number[]): MissingFields {
  const names: string[] = [];
  const fields: number[] = [];
  let conservative = false;
  for (const index of axes) {
    const { axis } = loose[index]!;
    for (const name of axis.missingNames) names.push(name);
    if (axis.testCell) conservative = true;
    else if (axis.field >= 0) fields.push(axis.field);
  }
  return {
    names: fieldsToAskFor(names, property),
    conservative: conservative || areRelated(fields, property.vocabulary),
  };
}
