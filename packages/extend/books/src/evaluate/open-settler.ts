import type { Vocabulary } from '@leeward/engine';
import {
  add,
  between,
  type CellSet,
  emptySet,
  openStatusTerms,
  PLACE,
  placeTerm,
  possibleStatuses,
} from '@leeward/engine/compiled';
import { states } from '@leeward/places/counties';
import type { BookColumns } from '../columns/book-columns.ts';
import type { RowFacts } from '../columns/row-facts.ts';
import { cellsOfKnowledge, createCoverCheck, type StateCheck } from '../planes/cover-check.ts';
import type { EncodedRows } from '../planes/encoded-rows.ts';
import type { PlaneTable } from '../planes/plane-table.ts';
import type { FieldAxis } from '../planes/row-layout.ts';
import type { StatusBoxes } from '../planes/status-boxes.ts';

/** Settles open statuses that several terms decide together, by the search of single decisions. */
export interface OpenSettler {
  /** The carriers settled in the last row: ineligible low and high, referral, eligible. */
  readonly settled: Int32Array;
  /**
   * Settles open carriers of a row of the block. Returns false if all remain open.
   *
   * @param declinesLow With `declinesHigh`, the carriers that possibly decline.
   */
  settle(
    columns: BookColumns,
    row: number,
    index: number,
    openLow: number,
    openHigh: number,
    declinesLow: number,
    declinesHigh: number,
  ): boolean;
}

export interface OpenSettlerOptions {
  readonly table: PlaneTable;
  readonly boxes: StatusBoxes;
  readonly vocabulary: Vocabulary;
  readonly facts: RowFacts;
  readonly asOfMs: number;
  readonly block: EncodedRows;
  readonly widthOf: (axis: number) => number;
}

export function createOpenSettler({
  table,
  boxes,
  vocabulary,
  facts,
  asOfMs,
  block,
  widthOf,
}: OpenSettlerOptions): OpenSettler {
  const { axes, place } = table;
  const axisCount = axes.length + 1;
  const check = createCoverCheck(table, boxes, { vocabulary, widthOf, asOfMs });
  const checks: (StateCheck | undefined)[] = [];
  const stops = boxes.carriers.map((_, carrier) =>
    table.moratoria
      .filter((each) => each.carrier === carrier && each.fromMs <= asOfMs && asOfMs < each.untilMs)
      .map(({ cells }) => placeTerm(cells)),
  );
  const searched = new Int32Array(2);
  const settled = new Int32Array(6);
  const cells = new Int32Array(axisCount);
  const sets: (CellSet | undefined)[] = new Array(axisCount).fill(undefined);

  const placesOf = ({ county, state, ambiguous }: BookColumns, row: number): CellSet => {
    const { code } = states[state[row]!]!;
    const inState = boxes.cellsOfState.get(code)!;
    if (county[row]! > -2) return inState;
    const { otherCell } = place.states.get(code)!;
    const countyCells = emptySet(32 * inState.length);
    for (const fips of ambiguous[-2 - county[row]!]!) {
      const cell = place.cellByCounty.get(fips) ?? otherCell;
      if (cell >= 0) add(countyCells, cell);
    }
    return countyCells;
  };
  const knowledgeOf = ({ field, computed }: FieldAxis) => {
    if (!computed) return field < 0 ? undefined : facts.knowledgeOf(field);
    const { min, max } = facts.read(computed.fact);
    return between(min, max);
  };
  const readRow = (columns: BookColumns, row: number, index: number) => {
    const start = index * axisCount;
    for (let axis = 0; axis < axisCount; axis++) {
      const firstCell = axis === PLACE ? 0 : axes[axis - 1]!.firstRow + 2;
      cells[axis] = block.offsets[start + axis]! / widthOf(axis) - firstCell;
      sets[axis] = undefined;
    }
    facts.setRow(columns, row);
    for (let each = start; each < start + block.looseCount[index]!; each++) {
      const axis = block.loose[each]!;
      cells[axis] = -1;
      if (axis === PLACE) sets[axis] = placesOf(columns, row);
      else {
        const field = axes[axis - 1]!;
        sets[axis] = cellsOfKnowledge(field, knowledgeOf(field));
      }
    }
  };

  return {
    settled,
    settle(columns, row, index, openLow, openHigh, declinesLow, declinesHigh) {
      const number = columns.state[row]!;
      checks[number] ??= check.ofState(states[number]!.code);
      const state = checks[number];
      const any = columns.lists.some((list) => list) ? state.anyWithLists : state.any;
      if (columns.county[row]! < -1) searched.fill(-1);
      else if (((openLow & any[0]!) | (openHigh & any[1]!)) === 0) return false;
      else check.find(state, block, index, declinesLow, declinesHigh, searched);
      const low = openLow & searched[0]!;
      const high = openHigh & searched[1]!;
      if ((low | high) === 0) return false;
      settled.fill(0);
      readRow(columns, row, index);
      const knowledge = { cells, sets };
      for (let word = 0; word < 2; word++) {
        for (let bits = word === 0 ? low : high; bits !== 0; bits &= bits - 1) {
          const bit = bits & -bits;
          const carrier = 32 * word + 31 - Math.clz32(bit);
          const open = openStatusTerms(boxes.carriers[carrier]!, stops[carrier]!, knowledge);
          const { possible } = possibleStatuses(open, sets);
          if (possible.size > 1) continue;
          const outcome = possible.has('ineligible') ? 0 : possible.has('referral') ? 2 : 4;
          settled[outcome + word]! |= bit;
        }
      }
      return settled.some((bits) => bits !== 0);
    },
  };
}
