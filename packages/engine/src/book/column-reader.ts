import { states } from '@leeward/places/counties';
import { type CellSet, has, intersects, isWithinSet } from '../compiled/cell-set.ts';
import { cellOfNumber, type NumberEncoder } from '../planes/encoder.ts';
import type { PlaneTable, StatePlanes } from '../planes/plane-table.ts';
import { combinePlanes, createPlaneReader, type PlaneReader, settleBits } from '../planes/read-planes.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { BookColumns } from './columns.ts';

/** FIPS codes are below this. */
const FIPS_LIMIT = 80_000;

/** Reads rows of columns through one table, without an object or a string a row. */
export interface ColumnReader {
  readonly reader: PlaneReader;
  /** Judges a row; the verdicts are in `reader.bits`. False where no carrier writes in the state. */
  read(columns: BookColumns, row: number): boolean;
}

/** What a field that is missing is bounded by: the rows laid out for it, and whose value says where. */
interface Bound {
  readonly field: number;
  readonly base: number;
}

export function createColumnReader(table: PlaneTable, vocabulary: Vocabulary, asOfMs: number): ColumnReader {
  const reader = createPlaneReader(table, vocabulary);
  const { offsets, certain, loose, looseCount, cells, bits, testCells } = reader;
  const { width, axes, place } = table;
  const byState: (StatePlanes | undefined)[] = states.map((state) => place.states.get(state.code));
  const cellByFips = new Int16Array(FIPS_LIMIT).fill(-1);
  for (const [county, cell] of place.cellByCounty) cellByFips[Number(county)] = cell;
  const bounds = axes.map((axis) => boundsOf(axis.field, axis.fromRow, axis.upToRow, vocabulary));
  const moratoria = table.moratoria.filter(({ fromMs, untilMs }) => fromMs <= asOfMs && asOfMs < untilMs);

  /** Sets the rows of the place; gives the counties it can be, as a set of cells, where it is not settled. */
  const readPlace = (columns: BookColumns, row: number, state: StatePlanes, code: string): CellSet | undefined => {
    const county = columns.county[row]!;
    if (county > 0) {
      const named = cellByFips[county]!;
      const cell = named >= 0 ? named : state.otherCell;
      cells[0] = cell;
      offsets[0] = cell * width;
      certain[0] = cell * width;
      return undefined;
    }
    // Of a name that means several counties no more is taken than that it is in the state: sound, and rare.
    cells[0] = -1;
    offsets[0] = state.unknownRow * width;
    certain[0] = (state.unknownRow + 1) * width;
    loose[0] = 0;
    return moratoria[0]?.cellsOfState.get(code);
  };

  const words = vocabulary.fields.map((field) => {
    const domain = field.domain({ effectiveYear: table.effectiveYear });
    return domain.kind === 'words' ? domain.words : undefined;
  });
  const fieldOf = (columns: BookColumns, row: number) => (field: number) => {
    const value = columns.fields[field]![row]!;
    const known = words[field];
    if (known) return known[value - 1];
    return Number.isNaN(value) ? undefined : value;
  };
  const surroundings = (columns: BookColumns, row: number) => {
    const county = columns.county[row]!;
    return {
      state: states[columns.state[row]!]!.code,
      county: county > 0 ? String(county).padStart(5, '0') : undefined,
      policyType: table.policyType,
      effectiveYear: table.effectiveYear,
    };
  };

  return {
    reader,
    read(columns, row) {
      const stateNumber = columns.state[row]!;
      const state = byState[stateNumber];
      if (state === undefined || columns.county[row] === -1) {
        bits.fill(0);
        return false;
      }
      const open = readPlace(columns, row, state, states[stateNumber]!.code);
      let count = cells[0]! < 0 ? 1 : 0;
      for (let index = 0; index < axes.length; index++) {
        const axis = axes[index]!;
        const { encoder } = axis;
        let cell: number;
        if (encoder.kind === 'test') cell = testCells[index]!(fieldOf(columns, row), surroundings(columns, row));
        else {
          const value = columns.fields[axis.field]![row]!;
          if (encoder.kind === 'word') cell = value - 1;
          else cell = Number.isNaN(value) ? -1 : cellOfNumber(encoder, value);
        }
        cells[index + 1] = cell;
        if (cell >= 0) {
          const offset = (axis.firstRow + 2 + cell) * width;
          offsets[index + 1] = offset;
          certain[index + 1] = offset;
          continue;
        }
        const missing = missingRow(axis.firstRow, bounds[index]!, encoder as NumberEncoder, columns, row);
        offsets[index + 1] = missing * width;
        certain[index + 1] = (missing + 1) * width;
        loose[count++] = index + 1;
      }
      looseCount[0] = count;
      combinePlanes(reader);
      for (const { carrier, cells: stopped } of moratoria) {
        const word = carrier >> 5;
        const bit = 1 << (carrier & 31);
        const cell = cells[0]!;
        if (cell >= 0 ? has(stopped, cell) : intersects(open!, stopped)) bits[word]! |= bit;
        if (cell >= 0 ? has(stopped, cell) : isWithinSet(open!, stopped)) bits[4 + word]! |= bit;
      }
      settleBits(reader, state);
      return true;
    },
  };
}

/** The row of a field nobody gave: bounded by a relation where the other side is known. */
function missingRow(
  firstRow: number,
  bounds: readonly Bound[],
  encoder: NumberEncoder,
  columns: BookColumns,
  row: number,
): number {
  for (let index = 0; index < bounds.length; index++) {
    const { field, base } = bounds[index]!;
    const limit = columns.fields[field]![row]!;
    if (limit >= encoder.min && limit <= encoder.max) return base + 2 * cellOfNumber(encoder, limit);
  }
  return firstRow;
}

function boundsOf(field: number, fromRow: number, upToRow: number, vocabulary: Vocabulary): readonly Bound[] {
  const placeOf = (name: string) => vocabulary.fields.findIndex((each) => each.name === name);
  return vocabulary.relations.flatMap(({ lower, higher }) => {
    if (placeOf(higher) === field && fromRow >= 0) return [{ field: placeOf(lower), base: fromRow }];
    if (placeOf(lower) === field && upToRow >= 0) return [{ field: placeOf(higher), base: upToRow }];
    return [];
  });
}
