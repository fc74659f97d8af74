import { isEmpty } from '../compiled/cell-set.ts';
import { encode } from '../compiled/encode.ts';
import { findStatuses } from '../compiled/find-compiled.ts';
import { carrierStatus, isConservative, statusesOfCarrier } from '../decide/carrier-verdict.ts';
import { readRules } from '../decide/rule-reading.ts';
import type { Knowledge } from '../request/knowledge.ts';
import { ownGetters } from '../verdict/own-getters.ts';
import type { SettledStatus, Status } from '../verdict/verdict.ts';
import { cellsAlone, isReadOff } from './change-alone.ts';
import type { ChangeAim } from './change-layout.ts';
import { type ChangeProblem, encodedAt, fieldAt } from './change-problem.ts';
import { fitTogether } from './change-together.ts';
import { changedProperty, withFields } from './changed-property.ts';
import { describeChange, type FieldChange } from './describe-change.ts';
import { type Fit, fitChange } from './fit-change.ts';
import { nearestOf } from './nearest.ts';
import { budgetFor, type Freed, searchChanges } from './search-changes.ts';
import { isNone, meets, take } from './term-bits.ts';

/** A way to another answer: these fields changed, and no other. */
export interface Counterfactual {
  /** Put into words when first read. */
  readonly changes: readonly FieldChange[];
  /** The status with each field at its `to`, found by judging it. */
  readonly becomes: Exclude<Status, 'not_offered'>;
  readonly possibleStatuses: readonly SettledStatus[];
}

export interface FoundWays {
  readonly ways: readonly Counterfactual[];
  /** Fewer changes might do: searches ran out, or what is taken as independent is not. */
  readonly exhausted: boolean;
}

/** Looks at a way more than once where tests of fact against fact hide which values do. */
const MAX_FITS = 100;

/** Finds the ways of as few fields as it takes, `most` of them at most. Each was judged. */
export function findWays(problem: ChangeProblem, aim: ChangeAim, most: number): FoundWays {
  const budget = budgetFor(problem);
  const ways: Counterfactual[] = [];
  let hidden = false;
  const add = (fields: readonly number[], isExact: boolean, fit: Fit, found: Judged): void => {
    if (ways.length < most) ways.push(new Way(problem, fields, isExact, fit, found.possible));
    if (!found.isSure) hidden = true;
  };
  const alone = (field: number): boolean | undefined => {
    const cells = cellsAlone(problem, field);
    if (isEmpty(cells)) return false;
    const fit = { cells: [nearestOf(fieldAt(problem, field), cells)], sets: [cells] };
    const found = judgeReadOff(problem, [field], fit.cells);
    if (!reaches(found.possible, aim)) return undefined;
    add([field], true, fit, found);
    return true;
  };
  const severalReadOff = (fields: readonly number[]): boolean | undefined => {
    let isFound = false;
    for (const fit of fitTogether(problem, fields, budget)) {
      const found = judgeReadOff(problem, fields, fit.cells);
      // What is unknown is not as free as it looks: the way is searched for.
      if (!reaches(found.possible, aim)) return isFound || undefined;
      isFound = true;
      add(fields, true, fit, found);
      if (ways.length >= most) break;
    }
    return isFound;
  };
  const readOff = (fields: readonly number[]): boolean | undefined => {
    if (fields.length === 0 || !isReadOff(problem, fields)) return undefined;
    return fields.length === 1 ? alone(fields[0]!) : severalReadOff(fields);
  };
  const together = (freed: Freed): boolean => {
    const fits: Fit[] = [];
    const before = ways.length;
    for (let tried = 0; tried < MAX_FITS && ways.length < most; tried++) {
      const fit = fitChange(problem, freed, fits, budget);
      if (!fit) break;
      fits.push(fit);
      const found = judge(problem, freed, fit, aim);
      if (found) add(freed.fields, freed.exact, fit, found);
      else hidden = true;
    }
    return ways.length > before || ways.length >= most;
  };
  const exhausted = searchChanges(problem, { readOff, together });
  return { ways, exhausted: exhausted || hidden || budget.nodes < 0 };
}

/** Whether the aim is met, or could be once what is missing is known. */
export function reaches(possible: readonly SettledStatus[], aim: ChangeAim): boolean {
  return possible.includes('eligible') || (aim === 'not_ineligible' && possible.includes('referral'));
}

/** A way, put into words when it is first read. */
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
      self.#changes ??= self.#told();
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

  #told(): readonly FieldChange[] {
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

/** What a way leads to. */
interface Judged {
  readonly possible: readonly SettledStatus[];
  readonly isSure: boolean;
}

/** Judges fields at the nearest values of some cells, where bits tell all but what is unknown. */
function judgeReadOff(problem: ChangeProblem, fields: readonly number[], cells: readonly number[]): Judged {
  const { reading, property } = problem;
  if (reading.loose.length === 0) return statusAt(problem, fields, cells);
  const changed = readRules(reading.table, withFields(problem, property, fields, cells))!;
  const found = carrierStatus(changed, 0);
  return { possible: statusesOfCarrier(found), isSure: !isConservative(changed, 0, found) };
}

/** The status of a complete property with some fields in other cells. */
function statusAt(
  { reading, inForce, layout }: ChangeProblem,
  fields: readonly number[],
  cells: readonly number[],
): Judged {
  const { table, rowAt } = reading;
  const { rows, axes, decline } = table;
  const bits = inForce.slice();
  for (let axis = 0; axis < rowAt.length; axis++) {
    const place = fields.findIndex((field) => layout.fields[field]!.axisNumber === axis);
    take(bits, rows, place < 0 ? rowAt[axis]! : axes[axis]!.rowOfCell[cells[place]!]!);
  }
  return meets(bits, decline) ? INELIGIBLE : isNone(bits) ? ELIGIBLE : REFERRAL;
}

const ELIGIBLE: Judged = { possible: ['eligible'], isSure: true };
const REFERRAL: Judged = { possible: ['referral'], isSure: true };
const INELIGIBLE: Judged = { possible: ['ineligible'], isSure: true };

const order: readonly SettledStatus[] = ['eligible', 'referral', 'ineligible'];

/** Judges a way; undefined where it does not lead where it was thought to. */
function judge(problem: ChangeProblem, { fields }: Freed, { cells }: Fit, aim: ChangeAim): Judged | undefined {
  const { program, property } = problem;
  const { values, given = values } = property;
  const findFrom = (known: readonly Knowledge[]): Judged | undefined => {
    const changed = changedProperty(problem, fields, cells, known);
    const found = findStatuses(program, changed, encode(program, changed, encodedAt(problem)));
    if (!found) return undefined;
    const possible = order.filter((each) => found.possible.has(each));
    return reaches(possible, aim) ? { possible, isSure: !found.conservative } : undefined;
  };
  // What follows now still follows: a newer roof does not make its house any newer.
  const isInferred = given.some((value, index) => value !== values[index]);
  if (isInferred && !findFrom(values)) return undefined;
  return findFrom(given);
}
