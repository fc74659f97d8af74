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
import { accumulate, type RowLayout } from './row-layout.ts';
import { sharedWords } from './shared-words.ts';

/** Words before the fronts of the codes, in rows of places: carriers that do not write there, and that do. */
export const OUTSIDE = 0;
export const INSIDE = 2;
export const FIRST_CODE = 4;

/**
 * Why carriers decline, as bit planes like those of a `PlaneTable`, with the same rows: of each code of
 * declining rules the terms of one axis (its front) and the others (its planes). What is possible is left out:
 * reasons are counted where they are certain.
 */
export interface ReasonTable {
  readonly codes: readonly string[];
  /** A row is so many times as long as one of the plane table. */
  readonly scale: number;
  /** The front of code c at word `FIRST_CODE + 2 × c` of a row; then the planes, two words each. */
  readonly rows: Int32Array;
  /** As in `PlaneTable`. */
  readonly folds: Int32Array;
  /** By code, low and high: carriers with a term that always holds. */
  readonly always: Int32Array;
  /** Axes with a front for code c: `frontAxes[frontStart[c]] … frontAxes[frontStart[c + 1] − 1]`. */
  readonly frontStart: Int32Array;
  readonly frontAxes: Int32Array;
  /** Planes of code c: from `firstPlane[c]` to `firstPlane[c + 1]`. */
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

/** Builds the reasons of a table whose rows are `tableWidth` words long. */
export function buildReasonTable(
  programs: readonly CompiledProgram[],
  axes: TableAxes,
  layout: RowLayout,
  tableWidth: number,
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
  const scale = Math.ceil((firstPlaneWord + 2 * allPlanes.length) / tableWidth);
  const width = scale * tableWidth;
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
    const found = new Set<number>();
    for (const each of terms.get(code)!) {
      if (each.term.length === 0) always[2 * index + (each.carrier >> 5)]! |= bitOf(each.carrier);
      if (each.term.length !== 1) continue;
      found.add(axes.numberOf(each.term[0]!.axis, programs[each.carrier]!));
      mark(each, FIRST_CODE + 2 * index);
    }
    return [...found];
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
    scale,
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

/** The declining terms of all carriers by code, without those inside another of the same carrier and code. */
function termsByCode(programs: readonly CompiledProgram[]): ReadonlyMap<string, CodeTerm[]> {
  const byCode = new Map<string, CodeTerm[]>();
  programs.forEach((program, carrier) => {
    const written = writtenPlaces(program);
    const own = new Map<string, Term[]>();
    for (const { rule, terms } of program.rules) {
      if (rule.outcome !== 'decline') continue;
      const known = own.get(rule.code) ?? [];
      for (const term of terms) known.push(withoutWholePlace(term, written));
      own.set(rule.code, known);
    }
    for (const [code, terms] of own) {
      const all = byCode.get(code) ?? [];
      for (const term of widestTerms(terms)) all.push({ carrier, term });
      byCode.set(code, all);
    }
  });
  return byCode;
}

/** Where each list begins when they stand one behind the other, and where the last ends. */
function starts(lists: readonly (readonly unknown[])[]): Int32Array {
  const found = new Int32Array(lists.length + 1);
  lists.forEach((list, index) => {
    found[index + 1] = found[index]! + list.length;
  });
  return found;
}
