import { isEmpty } from '../compiled/cell-set.ts';
import { encode } from '../compiled/encode.ts';
import { findStatuses } from '../compiled/find-compiled.ts';
import { carrierStatus, isConservative, statusesOfCarrier } from '../decide/carrier-verdict.ts';
import { readRules } from '../decide/rule-reading.ts';
import type { Knowledge } from '../request/knowledge.ts';
import type { SettledStatus, Status } from '../verdict/verdict.ts';
import { cellsAlone, statusAlone } from './change-alone.ts';
import type { ChangeAim } from './change-layout.ts';
import type { ChangeProblem } from './change-problem.ts';
import { changedProperty, withField } from './changed-property.ts';
import { type Fit, fitChange } from './fit-change.ts';
import { nearestOf } from './nearest.ts';
import { budgetFor, type Freed, searchChanges } from './search-changes.ts';
import { type FieldChange, targetOf, tellChange } from './tell-change.ts';

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
const MOST_FITS = 100;

/** Finds the ways of as few fields as it takes, `most` of them at most. Each was judged. */
export function findWays(problem: ChangeProblem, aim: ChangeAim, most: number): FoundWays {
  const budget = budgetFor(problem);
  const ways: Counterfactual[] = [];
  let hidden = false;
  const take = (fields: Freed['fields'], isExact: boolean, fit: Fit, found: Judged): void => {
    ways.push(wayOf(problem, fields, isExact, fit, found.possible));
  };
  const alone = (field: number): boolean | undefined => {
    const cells = cellsAlone(problem, field);
    if (!cells || isEmpty(cells)) return cells && false;
    const fit = { cells: [nearestOf(problem.fieldAt(field), cells)], sets: [cells] };
    const found = judgeAlone(problem, field, fit.cells[0]!);
    if (!reaches(found.possible, aim)) return undefined;
    if (ways.length < most) take([field], true, fit, found);
    if (!found.isSure) hidden = true;
    return true;
  };
  const together = (freed: Freed): boolean => {
    const fits: Fit[] = [];
    const before = ways.length;
    for (let tried = 0; tried < MOST_FITS && ways.length < most; tried++) {
      const fit = fitChange(problem, freed, fits, budget);
      if (!fit) break;
      fits.push(fit);
      const found = judge(problem, freed, fit, aim);
      if (found) take(freed.fields, freed.exact, fit, found);
      if (!found?.isSure) hidden = true;
    }
    return ways.length > before || ways.length >= most;
  };
  const exhausted = searchChanges(problem, { alone, together });
  return { ways, exhausted: exhausted || hidden || budget.nodes < 0 };
}

/** Whether the aim is met, or could be once what is missing is known. */
export function reaches(possible: readonly SettledStatus[], aim: ChangeAim): boolean {
  return possible.includes('eligible') || (aim === 'not_ineligible' && possible.includes('referral'));
}

/** A way, put into words when it is first read. */
function wayOf(
  problem: ChangeProblem,
  fields: readonly number[],
  isExact: boolean,
  { cells, sets }: Fit,
  possible: readonly SettledStatus[],
): Counterfactual {
  let changes: readonly FieldChange[] | undefined;
  return {
    get changes() {
      changes ??= fields.map((field, place) =>
        tellChange(problem.fieldAt(field), cells[place]!, isExact ? sets[place] : undefined, problem.property),
      );
      return changes;
    },
    becomes: possible.length === 1 ? possible[0]! : 'needs_information',
    possibleStatuses: possible,
  };
}

/** What a way leads to. */
interface Judged {
  readonly possible: readonly SettledStatus[];
  readonly isSure: boolean;
}

/** Judges one field at the nearest value of a cell. */
function judgeAlone(problem: ChangeProblem, place: number, cell: number): Judged {
  const { reading, property } = problem;
  if (reading.loose.length === 0) return { possible: statusAlone(problem, place, cell), isSure: true };
  const field = problem.fieldAt(place);
  const changed = readRules(reading.table, withField(property, field.index, targetOf(field, cell)))!;
  const found = carrierStatus(changed, 0);
  return { possible: statusesOfCarrier(found), isSure: !isConservative(changed, 0, found) };
}

const order: readonly SettledStatus[] = ['eligible', 'referral', 'ineligible'];

/** Judges a way; undefined where it does not lead where it was thought to. */
function judge(problem: ChangeProblem, { fields }: Freed, { cells }: Fit, aim: ChangeAim): Judged | undefined {
  const { program, property } = problem;
  const { values, given = values } = property;
  const findFrom = (known: readonly Knowledge[]): Judged | undefined => {
    const changed = changedProperty(problem, fields, cells, known);
    const found = findStatuses(program, changed, encode(program, changed, problem.at()));
    if (!found) return undefined;
    const possible = order.filter((each) => found.possible.has(each));
    return reaches(possible, aim) ? { possible, isSure: !found.conservative } : undefined;
  };
  // What follows now still follows: a newer roof does not make its house any newer.
  const isInferred = given.some((value, index) => value !== values[index]);
  if (isInferred && !findFrom(values)) return undefined;
  return findFrom(given);
}
