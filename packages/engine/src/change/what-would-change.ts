import { quoteValue } from '@leeward/terms';
import type { Decider } from '../catalog/organization-catalog.ts';
import { type Carrier, versionOn } from '../catalog/versions.ts';
import { type CompiledProgram, isCompiled } from '../compiled/compile-program.ts';
import { compiledProgram } from '../compiled/compiled-programs.ts';
import { encode } from '../compiled/encode.ts';
import { findCompiled, findStatuses } from '../compiled/find-compiled.ts';
import { resolveKey, type VerdictKey } from '../explain/judge-carrier.ts';
import type { Knowledge } from '../request/knowledge.ts';
import type { Property } from '../request/property.ts';
import { coversState } from '../rule-set/places.ts';
import type { Reason, SettledStatus, Status } from '../verdict/verdict.ts';
import {
  type CarrierRules,
  moratoriumReason,
  ruleReason,
  territoryReason,
  toldFacts,
  verdictOf,
} from '../verdict/verdict-of.ts';
import type { ChangeAim, Obstacle } from './change-layout.ts';
import { type ChangeProblem, createChangeProblem, immovable } from './change-problem.ts';
import { changedProperty } from './changed-property.ts';
import { type Fit, fitChange } from './fit-change.ts';
import { budgetFor, type Freed, searchChanges } from './search-changes.ts';
import { type FieldChange, tellChange } from './tell-change.ts';

/** What is to be reached, and how much is told. */
export interface ChangeOptions {
  /** What is to be reached. Default: `eligible` and, where nothing leads there, `not_ineligible`. */
  readonly aim?: ChangeAim;
  /** Ways told at most; default 10. */
  readonly most?: number;
}

/** A way to another answer: these fields changed, and no other. */
export interface Counterfactual {
  readonly changes: readonly FieldChange[];
  /** The status with each field at its `to`, found by judging it. */
  readonly becomes: Exclude<Status, 'not_offered'>;
  readonly possibleStatuses: readonly SettledStatus[];
}

/** What would change one carrier's answer. Plain JSON. */
export interface WhatWouldChange {
  readonly carrierKey: string;
  readonly policyType: string;
  readonly status: Status;
  /** What the ways reach. */
  readonly aim: ChangeAim;
  /**
   * `none_needed`: it is there already, or what is missing can lead there. `ways`: those given, of as few
   * fields as it takes. `none_helps`: nothing that a person can change does. `not_known`: see `note`.
   */
  readonly outcome: 'none_needed' | 'ways' | 'none_helps' | 'not_known';
  readonly ways: readonly Counterfactual[];
  /** What stands in the way of eligible and cannot be changed. */
  readonly blockedBy: readonly Reason[];
  readonly note?: string;
  /** Present where a search ran out, or tests of fact against fact hide more: fewer changes might do. */
  readonly conservative?: true;
}

/** Looks at a way more than once where tests of fact against fact hide which values do. */
const MOST_FITS = 100;

/**
 * What a person could change for another answer: the fewest fields, each to the nearest value that does,
 * within what the vocabulary says that it may change to. Each way was judged. Fields that were not given
 * stay so: a way then leads to `eligible` as far as is known. Throws a `RangeError` for a carrier or policy
 * type that is not there, and for options that mean nothing.
 */
export function whatWouldChange(
  decider: Decider,
  property: Property,
  key: VerdictKey & ChangeOptions,
): WhatWouldChange {
  const { carrier, policyType } = resolveKey(decider, property, key);
  checkOptions(key);
  const base = { carrierKey: carrier.key, policyType, ways: [], blockedBy: [] };
  const found = programOf(decider, carrier, property, policyType);
  if (!found) {
    const note = `${carrier.name} does not offer ${policyType} there on ${property.effectiveDate}.`;
    return { ...base, status: 'not_offered', aim: key.aim ?? 'eligible', outcome: 'none_helps', note };
  }
  if ('note' in found)
    return { ...base, status: 'needs_information', aim: key.aim ?? 'eligible', outcome: 'not_known', ...found };
  const { version, program } = found;
  const encoded = encode(program, property);
  const findings = findStatuses(program, property, encoded)!;
  const status = statusOf(findings.possible);
  const question = { program, property, most: key.most ?? 10 };
  const aims: readonly ChangeAim[] = key.aim
    ? [key.aim]
    : status === 'ineligible'
      ? ['eligible', 'not_ineligible']
      : ['eligible'];
  let blockedBy: readonly Reason[] | undefined;
  let conservative = false;
  for (const aim of aims) {
    const at = { ...base, status, aim, ...(conservative ? { conservative: true as const } : {}) };
    if (reaches(findings.possible, aim)) {
      const isUnsure = conservative || findings.conservative;
      return {
        ...at,
        outcome: 'none_needed',
        blockedBy: blockedBy ?? [],
        ...(isUnsure ? { conservative: true as const } : {}),
      };
    }
    const problem = createChangeProblem(program, property, aim, encoded);
    const { ways, exhausted } = findWays(problem, aim, question.most);
    conservative ||= exhausted;
    if (ways.length === 0) {
      const stands = reasonsOf(immovable(problem), version, program, property);
      blockedBy ??=
        stands.length > 0 ? stands : verdictOf(findCompiled(program, property)!, version, policyType, property).reasons;
      continue;
    }
    return {
      ...at,
      outcome: 'ways',
      ways,
      blockedBy: blockedBy ?? [],
      ...(conservative ? { conservative: true } : {}),
    };
  }
  const aim = aims.at(-1)!;
  return {
    ...base,
    status,
    aim,
    outcome: conservative ? 'not_known' : 'none_helps',
    blockedBy: blockedBy ?? [],
    ...(conservative ? { conservative: true, note: 'The search ran out before it found a way.' } : {}),
  };
}

function checkOptions({ aim, most }: ChangeOptions): void {
  if (aim !== undefined && aim !== 'eligible' && aim !== 'not_ineligible') {
    throw new RangeError(`aim is ${quoteValue(aim)}; give eligible or not_ineligible.`);
  }
  if (most !== undefined && !(Number.isInteger(most) && most >= 1)) {
    throw new RangeError(`most is ${quoteValue(most)}; give a whole number from 1.`);
  }
}

function programOf(
  decider: Decider,
  carrier: Carrier,
  property: Property,
  policyType: string,
): { version: CarrierRules; program: CompiledProgram } | { note: string } | undefined {
  const version = versionOn(carrier, property.effectiveDate);
  const program = version && compiledProgram(version.ruleSet, policyType, property.effectiveYear, decider.vocabulary);
  const offered =
    property.counties?.length !== 0 &&
    version?.ruleSet.programs.some(
      (each) => each.policyTypes.includes(policyType) && coversState(each.places, property.state),
    );
  if (!version || !program || !offered) return undefined;
  if (!isCompiled(program)) return { note: `Its rules are judged by the reference: ${program.reason}.` };
  return { version, program };
}

/** Obstacles as a verdict names them. */
function reasonsOf(
  obstacles: Iterable<Obstacle>,
  { ruleSet }: CarrierRules,
  { policyType, programs }: CompiledProgram,
  property: Property,
): Reason[] {
  const facts = toldFacts(property, policyType);
  const first = programs.find((each) => coversState(each.places, property.state))!;
  return [...obstacles].map(({ rule, moratorium }) => {
    if (rule) return ruleReason(rule, facts, property.vocabulary);
    if (moratorium) return moratoriumReason(moratorium, facts, property.vocabulary);
    return territoryReason(first, ruleSet, policyType, property);
  });
}

function statusOf(possible: ReadonlySet<SettledStatus>): Counterfactual['becomes'] {
  const [only, ...more] = possible;
  return more.length === 0 && only ? only : 'needs_information';
}

/** Whether the aim is met, or could be once what is missing is known. */
function reaches(possible: ReadonlySet<SettledStatus>, aim: ChangeAim): boolean {
  return aim === 'eligible' ? possible.has('eligible') : possible.has('eligible') || possible.has('referral');
}

function findWays(
  problem: ChangeProblem,
  aim: ChangeAim,
  most: number,
): { ways: Counterfactual[]; exhausted: boolean } {
  const budget = budgetFor(problem);
  const ways: Counterfactual[] = [];
  let hidden = false;
  const accept = (freed: Freed): boolean => {
    const fits: Fit[] = [];
    const before = ways.length;
    for (let tried = 0; tried < MOST_FITS && ways.length < most; tried++) {
      const fit = fitChange(problem, freed, fits, budget);
      if (!fit) break;
      fits.push(fit);
      const way = judge(problem, freed, fit, aim);
      if (way) ways.push(way.told);
      if (!way?.isSure) hidden = true;
    }
    return ways.length > before || ways.length >= most;
  };
  const { exhausted } = searchChanges(problem, accept);
  return { ways, exhausted: exhausted || hidden || budget.nodes < 0 };
}

/** Judges a way; undefined where it does not lead where it was thought to. */
function judge(
  problem: ChangeProblem,
  { fields, exact }: Freed,
  { cells, sets }: Fit,
  aim: ChangeAim,
): { readonly told: Counterfactual; readonly isSure: boolean } | undefined {
  const { program, property } = problem;
  const { values, given = values } = property;
  const findFrom = (known: readonly Knowledge[]) => {
    const changed = changedProperty(problem, fields, cells, known);
    return findStatuses(program, changed, encode(program, changed, problem.at));
  };
  // What follows now still follows: a newer roof does not make its house any newer.
  const isInferred = given.some((value, index) => value !== values[index]);
  if (isInferred && !reaches(findFrom(values)?.possible ?? new Set(), aim)) return undefined;
  const found = findFrom(given);
  if (!found || !reaches(found.possible, aim)) return undefined;
  const { possible, conservative } = found;
  const told = {
    changes: fields.map((field, place) =>
      tellChange(problem.fieldAt(field), cells[place]!, exact ? sets[place] : undefined, property),
    ),
    becomes: statusOf(possible),
    possibleStatuses: (['eligible', 'referral', 'ineligible'] as const).filter((each) => possible.has(each)),
  };
  return { told, isSure: !conservative };
}
