import type { Vocabulary } from '@leeward/engine';
import type { Leaf, Tree } from '@leeward/engine/compiled';
import { type DmnTest, type Interval, literalOf, testOf } from './feel.ts';

/** Maximum number of rows of a rule. */
const MAX_ROWS = 200;

/** One row of a decision table, without its place: the cell of each column. Columns without a cell have any value. */
export type Row = ReadonlyMap<string, DmnTest>;

/** Returns the rows of a condition, or the reason for their absence. */
export function rowsOf(condition: Tree, vocabulary: Vocabulary): readonly Row[] | string {
  const conjunctions = conjunctionsOf(condition, false);
  if (!conjunctions) return `It needs more than ${MAX_ROWS} rows.`;
  const rows: Row[] = [];
  for (const literals of conjunctions) {
    const tests: DmnTest[] = [];
    let isPossible = true;
    for (const { leaf, isNegated } of literals) {
      const test = testOf(leaf, isNegated, vocabulary);
      if (test === undefined) return `FEEL has no test for ${leaf.written.operator} here.`;
      if (test === false) isPossible = false;
      else if (test !== true) tests.push(test);
    }
    if (isPossible) rows.push(rowOf(tests));
  }
  return rows;
}

interface Literal {
  readonly leaf: Leaf;
  readonly isNegated: boolean;
}

/** Returns the disjunctive normal form: one list of tests for each row. */
function conjunctionsOf(tree: Tree, isNegated: boolean): readonly (readonly Literal[])[] | undefined {
  if (tree.kind === 'leaf') return [[{ leaf: tree, isNegated }]];
  if (tree.kind === 'not') return conjunctionsOf(tree.of, !isNegated);
  // An empty list of either kind is true.
  if (tree.of.length === 0) return isNegated ? [] : [[]];
  const isProduct = (tree.kind === 'all') !== isNegated;
  let result: readonly (readonly Literal[])[] = isProduct ? [[]] : [];
  for (const child of tree.of) {
    const of = conjunctionsOf(child, isNegated);
    if (!of || (isProduct ? result.length * of.length : result.length + of.length) > MAX_ROWS) return undefined;
    result = isProduct ? result.flatMap((left) => of.map((right) => [...left, ...right])) : [...result, ...of];
  }
  return result;
}

/** Joins the tests of one input into intervals. Others get a further column of the same input. */
function rowOf(tests: readonly DmnTest[]): Row {
  const row = new Map<string, DmnTest>();
  for (const test of tests) {
    for (let copy = 0; ; copy++) {
      const key = copy === 0 ? test.input : `${test.input}\n${copy}`;
      const present = row.get(key);
      const joined = present ? join(present, test) : test;
      if (!joined) continue;
      row.set(key, joined);
      break;
    }
  }
  return row;
}

function join(a: DmnTest, b: DmnTest): DmnTest | undefined {
  if (a.cell === b.cell) return a;
  if (!a.interval || !b.interval) return undefined;
  if ((a.interval.min && b.interval.min) || (a.interval.max && b.interval.max)) return undefined;
  const interval: Interval = { ...a.interval, ...b.interval };
  const { min, max } = interval;
  // The notation has no empty interval.
  if (!min || !max || min.value >= max.value) return undefined;
  const cell = `${min.isIncluded ? '[' : '('}${literalOf(min.value)}..${literalOf(max.value)}${max.isIncluded ? ']' : ')'}`;
  return { ...a, cell, interval };
}
