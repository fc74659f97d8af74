import { quoteValue } from '@leeward/terms';
import type { Decider } from '../catalog/organization-catalog.ts';
import { type Carrier, versionOn } from '../catalog/versions.ts';
import { type CompiledProgram, isCompiled } from '../compiled/compile-program.ts';
import { compiledProgram } from '../compiled/compiled-programs.ts';
import { findCompiled } from '../compiled/find-compiled.ts';
import { carrierStatus, isConservative, statusesOfCarrier, statusOfCarrier } from '../decide/carrier-verdict.ts';
import { type RuleReading, readRules } from '../decide/rule-reading.ts';
import { resolveKey, type VerdictKey } from '../explain/judge-carrier.ts';
import type { Property } from '../request/property.ts';
import { coversState } from '../rule-set/places.ts';
import type { CarrierRules } from '../verdict/carrier-rules.ts';
import { ownGetters } from '../verdict/own-getters.ts';
import type { Reason, Status } from '../verdict/verdict.ts';
import { moratoriumReason, quotedFacts, ruleReason, territoryReason, verdictOf } from '../verdict/verdict-of.ts';
import { type ChangeAim, type ChangeLayout, changeLayout, type Obstacle } from './change-layout.ts';
import { type ChangeProblem, createChangeProblem, immovableTerms, withAim } from './change-problem.ts';
import { type Counterfactual, type FoundWays, findWays, reaches } from './find-ways.ts';
import { bitsOf, isNone, type TermBits } from './term-bits.ts';

/** What is to be reached, and how much is told. */
export interface ChangeOptions {
  /** What is to be reached. Default: `eligible` and, where nothing leads there, `not_ineligible`. */
  readonly aim?: ChangeAim;
  /** Ways told at most; default 10. */
  readonly most?: number;
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
  const base = { carrierKey: carrier.key, policyType };
  const found = programOf(decider, carrier, property, policyType);
  const layout = found && 'program' in found ? changeLayout(found.program) : undefined;
  const reading = layout && readRules(layout.table, property);
  if (!found || !('program' in found) || !layout || !reading) {
    const aim = key.aim ?? 'eligible';
    if (found && 'note' in found)
      return { ...base, ways: [], blockedBy: [], status: 'needs_information', aim, outcome: 'not_known', ...found };
    const note = `${carrier.name} does not offer ${policyType} there on ${property.effectiveDate}.`;
    return { ...base, ways: [], blockedBy: [], status: 'not_offered', aim, outcome: 'none_helps', note };
  }
  const { version, program } = found;
  const present = carrierStatus(reading, 0);
  const status = statusOfCarrier(present);
  const aims: readonly ChangeAim[] = key.aim
    ? [key.aim]
    : status === 'ineligible'
      ? ['eligible', 'not_ineligible']
      : ['eligible'];
  const answer = (
    outcome: WhatWouldChange['outcome'],
    aim: ChangeAim,
    ways: readonly Counterfactual[],
    conservative: boolean,
    note?: string,
  ): WhatWouldChange => {
    const told: Answered = { ...base, ways, status, aim, outcome };
    if (conservative) told.conservative = true;
    if (note !== undefined) told.note = note;
    const isBlocked = blocking !== undefined;
    return isBlocked
      ? new Blocked(told, () => reasonsFor(blocking!, version, program, property))
      : { ...told, blockedBy: NONE };
  };
  /** Terms of the first aim that nobody can move, once it was found that no way leads there. */
  let blocking: readonly Obstacle[] | undefined;
  let conservative = false;
  let problem: ChangeProblem | undefined;
  for (const aim of aims) {
    if (reaches(statusesOfCarrier(present), aim))
      return answer('none_needed', aim, [], conservative || isConservative(reading, 0, present));
    problem = problem ? withAim(problem, aim) : createChangeProblem(reading, layout, aim);
    const stuck = immovableTerms(problem);
    const { ways, exhausted } = isNone(stuck) ? findWays(problem, aim, key.most ?? 10) : NO_WAYS;
    conservative ||= exhausted;
    if (ways.length > 0) return answer('ways', aim, ways, conservative);
    blocking ??= obstaclesOf(stuck, reading, layout);
  }
  const note = conservative ? 'The search ran out before it found a way.' : undefined;
  return answer(conservative ? 'not_known' : 'none_helps', aims.at(-1)!, [], conservative, note);
}

const NONE: readonly never[] = Object.freeze([]);

type Told = Omit<WhatWouldChange, 'blockedBy'>;
type Answered = { -readonly [Name in keyof Told]: Told[Name] };

/** An answer with something in the way, which is put into words when it is first read. */
class Blocked implements WhatWouldChange {
  declare readonly carrierKey: string;
  declare readonly policyType: string;
  declare readonly status: Status;
  declare readonly aim: ChangeAim;
  declare readonly outcome: WhatWouldChange['outcome'];
  declare readonly ways: readonly Counterfactual[];
  declare readonly blockedBy: readonly Reason[];
  readonly #find: () => readonly Reason[];
  #reasons: readonly Reason[] | undefined;

  static readonly #getters = ownGetters<Blocked>({
    blockedBy: (self) => {
      self.#reasons ??= self.#find();
      return self.#reasons;
    },
  });

  constructor(answered: Answered, find: () => readonly Reason[]) {
    Object.assign(this, answered);
    Object.defineProperties(this, Blocked.#getters);
    this.#find = find;
  }
}

const NO_WAYS: FoundWays = { ways: [], exhausted: false };

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

/** What some terms belong to, each once: away from where the carrier writes, no rule of it. */
function obstaclesOf(terms: TermBits, { possible }: RuleReading, layout: ChangeLayout): readonly Obstacle[] {
  const found = new Set<Obstacle>();
  // The territory is the first term.
  const isInside = (possible[0]! & 1) === 0;
  for (const bit of bitsOf(terms)) {
    const { obstacle } = layout.terms[bit]!;
    if (isInside || !obstacle.rule) found.add(obstacle);
  }
  return [...found];
}

/** Obstacles as a verdict names them; without any, why it is what it is. */
function reasonsFor(
  obstacles: readonly Obstacle[],
  version: CarrierRules,
  program: CompiledProgram,
  property: Property,
): readonly Reason[] {
  const { policyType, programs } = program;
  if (obstacles.length === 0) return verdictOf(findCompiled(program, property)!, version, policyType, property).reasons;
  const facts = quotedFacts(property, policyType);
  const first = programs.find((each) => coversState(each.places, property.state))!;
  return obstacles.map(({ rule, moratorium }) => {
    if (rule) return ruleReason(rule, facts, property.vocabulary);
    if (moratorium) return moratoriumReason(moratorium, facts, property.vocabulary);
    return territoryReason(first, version.ruleSet, policyType, property);
  });
}
