import {
  type CompiledProgram,
  PLACE,
  type TableAxes,
  type Term,
  widestTerms,
  withoutWholePlace,
  writtenPlaces,
} from '@leeward/engine/compiled';
import { assignPlanes, type PlaneTerm } from './assign-planes.ts';
import { shareLanes } from './lanes.ts';
import { sharedWords } from './plane-table.ts';
import { accumulate, type RowLayout } from './row-layout.ts';

/** First words of the row of a place: carriers whose territory excludes it (low, high), then those that include it. */
export const OUTSIDE = 0;
export const INSIDE = 2;
/** The word of the first code's front. */
export const FIRST_CODE = 4;

/**
 * The reasons why carriers decline, as bit planes with the rows of a `PlaneTable`. Each reason code has a front (terms of one axis) and
 * planes (all other terms). Only certain declines are counted.
 */
export interface ReasonTable {
  readonly codes: readonly string[];
  /** Number of words of a row. */
  readonly width: number;
  /** A row has the front of code c at word `FIRST_CODE + 2 × c`, then the planes, two words each. */
  readonly rows: Int32Array;
  /** See `Lanes`. */
  readonly folds: Int32Array;
  /** By code, low and high: carriers with a term that always holds. */
  readonly always: Int32Array;
  /** The axes with a front for code c: `frontAxes[frontStart[c]] … frontAxes[frontStart[c + 1] − 1]`. */
  readonly frontStart: Int32Array;
  readonly frontAxes: Int32Array;
  /** The planes of code c: from `firstPlane[c]` to `firstPlane[c + 1]`. */
  readonly firstPlane: Int32Array;
  /** As in `PlaneTable`. */
  readonly present: Int32Array;
  readonly planeStart: Int32Array;
  readonly planeAxes: Int32Array;
}

interface CodeTerm {
  readonly carrier: number;
  readonly term: Term;
}

export function buildReasonTable(
  programs: readonly CompiledProgram[],
  axes: TableAxes,
  layout: RowLayout,
): ReasonTable {
  const terms = termsByCode(programs);
  const codes = [...terms.keys()].sort();
  const termCounts = programs.map(() => 0);
  for (const ofCode of terms.values()) for (const { carrier } of ofCode) termCounts[carrier]!++;
  const lanes = shareLanes(termCounts);
  const planes = codes.map((code) =>
    assignPlanes(
      terms
        .get(code)!
        .filter(({ term }) => term.length > 1)
        .map(
          (each): PlaneTerm<CodeTerm> => ({
            carrier: each.carrier,
            axes: each.term.map((part) => axes.numberOf(part.axis, programs[each.carrier]!)),
            term: each,
          }),
        ),
      (carrier) => lanes.ofCarrier[carrier]!,
    ),
  );
  const allPlanes = planes.flat();
  const firstPlaneWord = FIRST_CODE + 2 * codes.length;
  const width = firstPlaneWord + 2 * allPlanes.length;
  const rows = sharedWords(layout.rowCount * width).fill(-1);
  for (let row = 0; row < layout.rowCount; row++) rows.fill(0, row * width, row * width + firstPlaneWord);

  const bitOf = (lane: number) => 1 << (lane & 31);
  const mark = (term: CodeTerm, word: number) => {
    const at = word + (term.carrier >> 5);
    layout.eachRow(term.term[0]!, programs[term.carrier]!, (row, passes) => {
      if (passes) rows[row * width + at]! |= bitOf(term.carrier);
    });
  };
  programs.forEach((program, carrier) => {
    const place = (cells: Term[number]['cells']): Term => [{ axis: PLACE, cells, leaves: [] }];
    mark({ carrier, term: place(program.territory) }, OUTSIDE);
    mark({ carrier, term: place(writtenPlaces(program)) }, INSIDE);
  });
  const always = new Int32Array(2 * codes.length);
  const fronts = codes.map((code, index) => {
    const axesOfCode = new Set<number>();
    for (const each of terms.get(code)!) {
      if (each.term.length === 0) always[2 * index + (each.carrier >> 5)]! |= bitOf(each.carrier);
      if (each.term.length !== 1) continue;
      axesOfCode.add(axes.numberOf(each.term[0]!.axis, programs[each.carrier]!));
      mark(each, FIRST_CODE + 2 * index);
    }
    return [...axesOfCode];
  });
  const present = new Int32Array(2 * allPlanes.length);
  allPlanes.forEach((plane, index) => {
    for (const { term: each, lane } of plane.terms) {
      const at = firstPlaneWord + 2 * index + (lane >> 5);
      present[2 * index + (lane >> 5)]! |= bitOf(lane);
      for (const part of each.term) {
        layout.eachRow(part, programs[each.carrier]!, (row, passes) => {
          if (!passes) rows[row * width + at]! &= ~bitOf(lane);
        });
      }
    }
  });
  for (const axis of layout.axes) accumulate(axis, rows, width);
  return {
    codes,
    width,
    rows,
    folds: lanes.folds,
    always,
    frontStart: starts(fronts),
    frontAxes: Int32Array.from(fronts.flat()),
    firstPlane: starts(planes),
    present,
    planeStart: starts(allPlanes.map((plane) => plane.axes)),
    planeAxes: Int32Array.from(allPlanes.flatMap((plane) => plane.axes)),
  };
}

/** The declining terms of all carriers by code. Terms inside another of the same carrier and code are left out. */
function termsByCode(programs: readonly CompiledProgram[]): ReadonlyMap<string, CodeTerm[]> {
  const byCode = new Map<string, CodeTerm[]>();
  programs.forEach((program, carrier) => {
    const written = writtenPlaces(program);
    const own = new Map<string, Term[]>();
    for (const { rule, terms } of program.rules) {
      if (rule.outcome !== 'decline') continue;
      const termsOfCode = own.get(rule.code) ?? [];
      for (const term of terms) termsOfCode.push(withoutWholePlace(term, written));
      own.set(rule.code, termsOfCode);
    }
    for (const [code, terms] of own) {
      const all = byCode.get(code) ?? [];
      for (const term of widestTerms(terms)) all.push({ carrier, term });
      byCode.set(code, all);
    }
  });
  return byCode;
}

/** The index of each list's first element if the lists are concatenated, then the total length. */
function starts(lists: readonly (readonly unknown[])[]): Int32Array {
  const indexes = new Int32Array(lists.length + 1);
  lists.forEach((list, index) => {
    indexes[index + 1] = indexes[index]! + list.length;
  });
  return indexes;
}
