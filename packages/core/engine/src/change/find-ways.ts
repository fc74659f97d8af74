import { isEmpty } from '../compiled/cell-set.ts';
import { encode } from '../compiled/encode.ts';
import { findStatuses } from '../compiled/find-compiled.ts';
import { singleCell } from '../compiled/settle.ts';
import { carrierStatus, isConservative, statusesOfCarrier } from '../decide/carrier-verdict.ts';
import { readRules } from '../decide/rule-reading.ts';
import type { Knowledge } from '../request/knowledge.ts';
import { ownGetters } from '../verdict/own-getters.ts';
import type { SettledStatus, Status, VerdictTier } from '../verdict/verdict.ts';
import { findCellsAlone, isBitwise } from './change-alone.ts';
import type { ChangeAim } from './change-layout.ts';
import { type ChangeProblem, encodedAt, fieldAt } from './change-problem.ts';
import { fitTogether } from './change-together.ts';
import { areRelated, changedProperty, contradictsRelation, withFields } from './changed-property.ts';
import { describeChange, type FieldChange } from './describe-change.ts';
import { type Fit, fitChange } from './fit-change.ts';
import { nearestOf } from './nearest.ts';
import { budgetFor, type Freed, searchChanges } from './search-changes.ts';
import { isNone, meets, take } from './term-bits.ts';

/** A set of field changes that leads to another status. */
export interface Counterfactual {
  readonly changes: readonly FieldChange[];
  /** Status with each field at its `to`, verified by evaluation. */
  readonly becomes: Exclude<Status, 'not_offered'>;
  readonly possibleStatuses: readonly SettledStatus[];
  /** For a carrier with tiers: a tier with this status then. */
  readonly tier?: VerdictTier;
}

export interface Ways {
  readonly ways: readonly Counterfactual[];
  /** True if fewer changes might suffice: a search was cut off, or dependent tests were treated as independent. */
  readonly exhausted: boolean;
}

/** Maximum number of tries for a set of fields, if tests between two facts hide which values work. */
const MAX_FITS = 100;

/** Finds up to `maxWays` ways with as few fields as possible, each verified by evaluation. */
export function findWays(problem: ChangeProblem, aim: ChangeAim, maxWays: number): Ways {
  const budget = budgetFor(problem);
  const ways: Counterfactual[] = [];
  let hasHidden = false;
  const add = (fields: readonly number[], isExact: boolean, fit: Fit, result: Outcome): void => {
    // The ranges of related fields are not independent: describe only the targets.
    const hasRanges = isExact && !areRelated(problem, fields);
    if (ways.length < maxWays) ways.push(new Way(problem, fields, hasRanges, fit, result.possible));
    if (!result.isSure) hasHidden = true;
  };
  const tryOne = (field: number): boolean | undefined => {
    const cells = findCellsAlone(problem, field);
    if (isEmpty(cells)) return false;
    const fit = { cells: [nearestOf(fieldAt(problem, field), cells)], sets: [cells] };
    const result = evaluateBitwise(problem, [field], fit.cells);
    if (!reaches(result.possible, aim)) return undefined;
    add([field], true, fit, result);
    return true;
  };
  const trySeveral = (fields: readonly number[]): boolean | undefined => {
    let isFound = false;
    for (const fit of fitTogether(problem, fields, budget)) {
      // Other cells of this fit may agree with the relation: use the search.
      if (contradictsRelation(problem, fields, fit.cells)) return isFound || undefined;
      const result = evaluateBitwise(problem, fields, fit.cells);
      // Unknown fields are less free than assumed: use the search instead.
      if (!reaches(result.possible, aim)) return isFound || undefined;
      isFound = true;
      add(fields, true, fit, result);
      if (ways.length >= maxWays) break;
    }
    return isFound;
  };
  const tryBitwise = (fields: readonly number[]): boolean | undefined => {
    if (fields.length === 0 || !isBitwise(problem, fields)) return undefined;
    return fields.length === 1 ? tryOne(fields[0]!) : trySeveral(fields);
  };
  const trySearch = (freed: Freed): boolean => {
    const fits: Fit[] = [];
    const before = ways.length;
    for (let tried = 0; tried < MAX_FITS && ways.length < maxWays; tried++) {
      const fit = fitChange(problem, freed, fits, budget);
      if (!fit) break;
      if (contradictsRelation(problem, freed.fields, fit.cells)) {
        fits.push({ cells: fit.cells, sets: singleCells(problem, freed.fields, fit.cells) });
        if (tried + 1 === MAX_FITS) hasHidden = true;
        continue;
      }
      fits.push(fit);
      const result = evaluateWay(problem, freed, fit, aim);
      if (result) add(freed.fields, freed.exact, fit, result);
      else hasHidden = true;
    }
    return ways.length > before || ways.length >= maxWays;
  };
  const exhausted = searchChanges(problem, { tryBitwise, trySearch });
  return { ways, exhausted: exhausted || hasHidden || budget.nodes < 0 };
}

function singleCells(problem: ChangeProblem, fields: readonly number[], cells: readonly number[]) {
  return cells.map((cell, place) => singleCell(fieldAt(problem, fields[place]!).axis.size, cell));
}

/** True if the aim is met, or can be met once missing fields are known. */
export function reaches(possible: readonly SettledStatus[], aim: ChangeAim): boolean {
  return possible.includes('eligible') || (aim === 'not_ineligible' && possible.includes('referral'));
}

/** Formats its changes on first access. */
class Way implements Counterfactual {
  declare readonly changes: readonly FieldChange[];
  declare readonly becomes: Counterfactual['becomes'];
  declare readonly possibleStatuses: readonly SettledStatus[];
  readonly #problem: ChangeProblem;
  readonly #fields: readonly number[];
  readonly #isExact: boolean;
  readonly #fit: Fit;
  #changes: readonly FieldChange[] | undefined;

  static readonly #getters = ownGetters<Way>({
    changes: (self) => {
      self.#changes ??= self.#describe();
      return self.#changes;
    },
  });

  constructor(
    problem: ChangeProblem,
    fields: readonly number[],
    isExact: boolean,
    fit: Fit,
    possible: readonly SettledStatus[],
  ) {
    Object.defineProperties(this, Way.#getters);
    this.becomes = possible.length === 1 ? possible[0]! : 'needs_information';
    this.possibleStatuses = possible;
    this.#problem = problem;
    this.#fields = fields;
    this.#isExact = isExact;
    this.#fit = fit;
  }

  #describe(): readonly FieldChange[] {
    const { cells, sets } = this.#fit;
    return this.#fields.map((field, place) =>
      describeChange(
        fieldAt(this.#problem, field),
        cells[place]!,
        this.#isExact ? sets[place] : undefined,
        this.#problem.property,
      ),
    );
  }
}

interface Outcome {
  readonly possible: readonly SettledStatus[];
  readonly isSure: boolean;
}

/** Requires `isBitwise`. */
function evaluateBitwise(problem: ChangeProblem, fields: readonly number[], cells: readonly number[]): Outcome {
  const { reading, property } = problem;
  if (reading.loose.length === 0) return statusAt(problem, fields, cells);
  const changed = readRules(reading.table, withFields(problem, property, fields, cells))!;
  const status = carrierStatus(changed, 0);
  return { possible: statusesOfCarrier(status), isSure: !isConservative(changed, 0, status) };
}

function statusAt(
  { reading, inForce, layout }: ChangeProblem,
  fields: readonly number[],
  cells: readonly number[],
): Outcome {
  const { table, rowAt } = reading;
  const { rows, axes, decline } = table;
  const bits = inForce.slice();
  for (let axis = 0; axis < rowAt.length; axis++) {
    const place = fields.findIndex((field) => layout.fields[field]!.axisNumber === axis);
    take(bits, rows, place < 0 ? rowAt[axis]! : axes[axis]!.rowOfCell[cells[place]!]!);
  }
  return meets(bits, decline) ? INELIGIBLE : isNone(bits) ? ELIGIBLE : REFERRAL;
}

const ELIGIBLE: Outcome = { possible: ['eligible'], isSure: true };
const REFERRAL: Outcome = { possible: ['referral'], isSure: true };
const INELIGIBLE: Outcome = { possible: ['ineligible'], isSure: true };

const order: readonly SettledStatus[] = ['eligible', 'referral', 'ineligible'];

/** Undefined if the way does not reach the aim. */
function evaluateWay(problem: ChangeProblem, { fields }: Freed, { cells }: Fit, aim: ChangeAim): Outcome | undefined {
  const { program, property } = problem;
  const { values, givenValues = values } = property;
  const evaluateFrom = (base: readonly Knowledge[]): Outcome | undefined => {
    const changed = changedProperty(problem, fields, cells, base);
    const result = findStatuses(program, changed, encode(program, changed, encodedAt(problem)));
    if (!result) return undefined;
    const possible = order.filter((each) => result.possible.has(each));
    return reaches(possible, aim) ? { possible, isSure: !result.conservative } : undefined;
  };
  // Inferred bounds remain: a newer roof does not make its house newer.
  const isInferred = givenValues.some((value, index) => value !== values[index]);
  if (isInferred && !evaluateFrom(values)) return undefined;
  return evaluateFrom(givenValues);
}
