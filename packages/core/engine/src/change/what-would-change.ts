import { quoteValue } from '@leeward/terms';
import type { Decider } from '../catalog/organization-catalog.ts';
import { type Carrier, versionOn } from '../catalog/versions.ts';
import { type CompiledProgram, isCompiled } from '../compiled/compile-program.ts';
import { compiledProgram } from '../compiled/compiled-programs.ts';
import { findCompiled } from '../compiled/find-compiled.ts';
import { findLadderStatuses } from '../compiled/find-ladder.ts';
import { type CompiledLadder, type CompiledTier, isLadder } from '../compiled/ladder.ts';
import { atCertainty } from '../condition/at-certainty.ts';
import { carrierStatus, isConservative, statusesOfCarrier, statusOfCarrier } from '../decide/carrier-verdict.ts';
import { type RuleReading, readRules } from '../decide/rule-reading.ts';
import { resolveKey, type VerdictKey } from '../explain/evaluate-carrier.ts';
import type { Property } from '../request/property.ts';
import { coversState } from '../rule-set/places.ts';
import type { CarrierRules } from '../verdict/carrier-rules.ts';
import { ownGetters } from '../verdict/own-getters.ts';
import type { Reason, Status, VerdictTier } from '../verdict/verdict.ts';
import {
  moratoriumReason,
  quotedFacts,
  ruleReason,
  territoryReason,
  verdictOf,
  verdictTier,
} from '../verdict/verdict-of.ts';
import { type ChangeAim, type ChangeLayout, changeLayout, type Obstacle } from './change-layout.ts';
import { type ChangeProblem, createChangeProblem, immovableTerms, withAim } from './change-problem.ts';
import { type Counterfactual, findWays, reaches, type Ways } from './find-ways.ts';
import { bitsOf, isNone, type TermBits } from './term-bits.ts';

/** Options of {@link whatWouldChange}. */
export interface ChangeOptions {
  /** Status to reach. @default `eligible`, and if nothing reaches it, `not_ineligible` */
  readonly aim?: ChangeAim;
  /** Maximum number of ways. @default 10 */
  readonly maxWays?: number;
  /** Program id of a tier: finds the ways into this tier. @default the ways into any tier */
  readonly tier?: string;
}

/** Changes that lead to another answer of one carrier. Plain JSON. */
export interface WhatWouldChange {
  readonly carrierKey: string;
  readonly policyType: string;
  /** Present if a tier was requested: the answer is about this tier alone. */
  readonly tier?: VerdictTier;
  readonly status: Status;
  /** Status that the ways reach. */
  readonly aim: ChangeAim;
  /**
   * `none_needed`: the aim is met, or missing fields can still lead there. `ways`: changes of as few fields as possible. `none_helps`:
   * no possible change reaches the aim. `not_known`: see `note`.
   */
  readonly outcome: 'none_needed' | 'ways' | 'none_helps' | 'not_known';
  readonly ways: readonly Counterfactual[];
  /** Reasons against `eligible` that no change removes. */
  readonly blockedBy: readonly Reason[];
  readonly note?: string;
  /** Present if a search was cut off, or tests between two facts hide values: fewer changes might suffice. */
  readonly conservative?: true;
}

/**
 * Finds the changes that a person could make to get another answer: the fewest fields, each moved to the nearest allowed value that
 * works. Every way is verified by evaluation. Missing fields stay missing; a way then makes `eligible` possible.
 *
 * @throws RangeError for an unknown carrier or policy type, and for invalid options
 * @example
 *  const answer = whatWouldChange(catalog, property, { carrierKey: 'pine_ridge', policyType: 'ho3' });
 *  for (const way of answer.ways) console.log(way.changes.map((each) => each.text), way.becomes);
 */
export function whatWouldChange(decider: Decider, home: Property, key: VerdictKey & ChangeOptions): WhatWouldChange {
  const { carrier, policyType } = resolveKey(decider, home, key);
  const property = atCertainty(home, versionOn(carrier, home.effectiveDate)?.ruleSet.certainty);
  checkOptions(key);
  const base = { carrierKey: carrier.key, policyType };
  const match = programOf(decider, carrier, property, policyType);
  if (match && 'note' in match) {
    const aim = key.aim ?? 'eligible';
    return { ...base, ways: [], blockedBy: [], status: 'needs_information', aim, outcome: 'not_known', ...match };
  }
  const answer =
    match && ('ladder' in match ? changeLadder(base, match, property, key) : changeProgram(base, match, property, key));
  if (answer) return answer;
  const note = `${carrier.name} does not offer ${policyType} at this location on ${property.effectiveDate}.`;
  const aim = key.aim ?? 'eligible';
  return { ...base, ways: [], blockedBy: [], status: 'not_offered', aim, outcome: 'none_helps', note };
}

type Base = Pick<WhatWouldChange, 'carrierKey' | 'policyType' | 'tier'>;

/** Undefined if the program is not offered in the state. */
function changeProgram(
  base: Base,
  { version, program }: { readonly version: CarrierRules; readonly program: CompiledProgram },
  property: Property,
  { aim: onlyAim, maxWays = MAX_WAYS }: ChangeOptions,
): WhatWouldChange | undefined {
  const layout = changeLayout(program);
  const reading = readRules(layout.table, property);
  if (!reading) return undefined;
  const present = carrierStatus(reading, 0);
  const status = statusOfCarrier(present);
  const answer = (
    outcome: WhatWouldChange['outcome'],
    aim: ChangeAim,
    ways: readonly Counterfactual[],
    conservative: boolean,
    note?: string,
  ): WhatWouldChange => {
    const result: Answered = { ...base, ways, status, aim, outcome };
    if (conservative) result.conservative = true;
    if (note !== undefined) result.note = note;
    const isBlocked = blocking !== undefined;
    return isBlocked
      ? new Blocked(result, () => reasonsFor(blocking!, version, program, property))
      : { ...result, blockedBy: NONE };
  };
  /** Terms of the first aim that no change removes. */
  let blocking: readonly Obstacle[] | undefined;
  let conservative = false;
  let problem: ChangeProblem | undefined;
  const aims = aimsFor(status, onlyAim);
  for (const aim of aims) {
    if (reaches(statusesOfCarrier(present), aim))
      return answer('none_needed', aim, [], conservative || isConservative(reading, 0, present));
    problem = problem ? withAim(problem, aim) : createChangeProblem(reading, layout, aim);
    const stuck = immovableTerms(problem);
    const { ways, exhausted } = isNone(stuck) ? findWays(problem, aim, maxWays) : NO_WAYS;
    conservative ||= exhausted;
    if (ways.length > 0) return answer('ways', aim, ways, conservative);
    blocking ??= obstaclesOf(stuck, reading, layout);
  }
  const note = conservative ? CUT_OFF : undefined;
  return answer(conservative ? 'not_known' : 'none_helps', aims.at(-1)!, [], conservative, note);
}

/** The ways into one tier, or into any: a carrier takes a home if one of its tiers does. Undefined if no tier is offered in the state. */
function changeLadder(
  base: Base,
  { version, ladder }: { readonly version: CarrierRules; readonly ladder: CompiledLadder },
  property: Property,
  key: ChangeOptions,
): WhatWouldChange | undefined {
  const { maxWays = MAX_WAYS } = key;
  const change = ({ compiled, tier }: CompiledTier, options: ChangeOptions) => {
    const named = tier && verdictTier(tier);
    const answer = changeProgram(base, { version, program: compiled }, property, options);
    return answer && { answer, named };
  };
  if (key.tier !== undefined) {
    const part = ladder.tiers.find(({ tier }) => tier?.id === key.tier);
    if (!part) {
      const ids = ladder.tiers.flatMap(({ tier }) => (tier ? [tier.id] : [])).join(', ');
      throw new RangeError(`tier is ${quoteValue(key.tier)}; give the program id of a tier: ${ids}.`);
    }
    return changeProgram(
      { ...base, tier: verdictTier(part.tier!) },
      { version, program: part.compiled },
      property,
      key,
    );
  }
  const statuses = findLadderStatuses(ladder, property);
  if (!statuses) return undefined;
  const [only] = statuses.possible;
  const status: Status = statuses.possible.size === 1 ? only! : 'needs_information';
  const aims = aimsFor(status, key.aim);
  let conservative = false;
  let blockedBy: readonly Reason[] = NONE;
  for (const aim of aims) {
    const answers = ladder.tiers.flatMap((part) => change(part, { aim, maxWays }) ?? []);
    if (answers.some(({ answer }) => answer.outcome === 'none_needed'))
      return { ...base, status, aim, outcome: 'none_needed', ways: [], blockedBy: NONE };
    conservative ||= answers.some(({ answer }) => answer.conservative);
    const ways = answers
      .flatMap(({ answer, named }) => answer.ways.map((way) => ({ ...way, ...(named ? { tier: named } : {}) })))
      .sort((a, b) => a.changes.length - b.changes.length)
      .slice(0, maxWays);
    const shared = { ...base, status, aim, ...(conservative ? { conservative } : {}) };
    if (ways.length > 0) return { ...shared, outcome: 'ways', ways, blockedBy };
    if (blockedBy.length === 0) blockedBy = answers.at(-1)?.answer.blockedBy ?? NONE;
    if (aim !== aims.at(-1)) continue;
    return {
      ...shared,
      outcome: conservative ? 'not_known' : 'none_helps',
      ways: [],
      blockedBy,
      ...(conservative ? { note: CUT_OFF } : {}),
    };
  }
  return undefined;
}

function aimsFor(status: Status, onlyAim: ChangeAim | undefined): readonly ChangeAim[] {
  if (onlyAim) return [onlyAim];
  return status === 'ineligible' ? ['eligible', 'not_ineligible'] : ['eligible'];
}

const MAX_WAYS = 10;
const CUT_OFF = 'The search was cut off before it found a way.';
const NONE: readonly never[] = Object.freeze([]);

type AnswerWithoutBlocks = Omit<WhatWouldChange, 'blockedBy'>;
type Answered = { -readonly [Name in keyof AnswerWithoutBlocks]: AnswerWithoutBlocks[Name] };

/** Formats its blocking reasons on first access. */
class Blocked implements WhatWouldChange {
  declare readonly carrierKey: string;
  declare readonly policyType: string;
  declare readonly tier?: VerdictTier;
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

const NO_WAYS: Ways = { ways: [], exhausted: false };

function checkOptions({ aim, maxWays }: ChangeOptions): void {
  if (aim !== undefined && aim !== 'eligible' && aim !== 'not_ineligible') {
    throw new RangeError(`aim is ${quoteValue(aim)}; give eligible or not_ineligible.`);
  }
  if (maxWays !== undefined && !(Number.isInteger(maxWays) && maxWays >= 1)) {
    throw new RangeError(`maxWays is ${quoteValue(maxWays)}; give a whole number from 1.`);
  }
}

function programOf(
  decider: Decider,
  carrier: Carrier,
  property: Property,
  policyType: string,
):
  | { version: CarrierRules; program: CompiledProgram }
  | { version: CarrierRules; ladder: CompiledLadder }
  | { note: string }
  | undefined {
  const version = versionOn(carrier, property.effectiveDate);
  const program = version && compiledProgram(version.ruleSet, policyType, property.effectiveYear, decider.vocabulary);
  const offered =
    property.counties?.length !== 0 &&
    version?.ruleSet.programs.some(
      (each) => each.policyTypes.includes(policyType) && coversState(each.places, property.state),
    );
  if (!version || !program || !offered) return undefined;
  if (isLadder(program)) return { version, ladder: program };
  if (!isCompiled(program)) return { note: `Its rules are evaluated by json-rules-engine: ${program.reason}.` };
  return { version, program };
}

/** Outside the territory, the carrier's rules do not count. */
function obstaclesOf(terms: TermBits, { possible }: RuleReading, layout: ChangeLayout): readonly Obstacle[] {
  const result = new Set<Obstacle>();
  // The territory is the first term.
  const isInside = (possible[0]! & 1) === 0;
  for (const bit of bitsOf(terms)) {
    const { obstacle } = layout.terms[bit]!;
    if (isInside || !obstacle.rule) result.add(obstacle);
  }
  return [...result];
}

/** Without obstacles, the reasons of the present status. */
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
