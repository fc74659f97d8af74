import type { KernelColumn, TableInput } from '@leeward/artifact';
import type { Knowledge, Vocabulary } from '@leeward/engine';
import { createTestCell, isWithin, readComputed } from '@leeward/engine/compiled';
import { states } from '@leeward/places/counties';
import { type BookColumns, isUnknownColumn } from '../columns/book-columns.ts';
import { countiesOfRow } from '../columns/property-of-row.ts';
import { RowFacts } from '../columns/row-facts.ts';
import { type BookTables, NO_INTERVAL } from '../tables/book-tables.ts';

/** Consecutive rows of columns. */
export interface RowSlice {
  readonly columns: BookColumns;
  readonly start: number;
  readonly rows: number;
  /** By row, the index of its interval in the tables, or `NO_INTERVAL`. */
  readonly intervals: Uint16Array;
}

/** Fills the inputs of tables from columns: fields unchanged, other facts row by row. The next call reuses the buffers. */
export type InputColumns = (slice: RowSlice) => readonly (KernelColumn | undefined)[];

type InputColumn = (slice: RowSlice) => KernelColumn | undefined;
type FactReader = (facts: RowFacts, columns: BookColumns, row: number) => Knowledge;

export function createInputColumns(tables: BookTables, vocabulary: Vocabulary): InputColumns {
  /** A column of numbers that are read from the facts of each row. */
  const computed = (read: FactReader, certainty: number | undefined): InputColumn => {
    const facts = new RowFacts(vocabulary, tables, certainty);
    let lower = new Float64Array(0);
    let upper = lower;
    return ({ columns, start, rows, intervals }) => {
      if (lower.length < rows) [lower, upper] = [new Float64Array(rows), new Float64Array(rows)];
      for (let index = 0; index < rows; index++) {
        const row = start + index;
        const value = intervals[index] === NO_INTERVAL ? undefined : read(facts.setRow(columns, row), columns, row);
        if (isWithin(value) && value.kind === 'between') {
          lower[index] = value.min;
          upper[index] = value.max;
        } else lower[index] = upper[index] = typeof value === 'number' ? value : Number.NaN;
      }
      return { values: lower, upper };
    };
  };
  const columnOf = ({ source }: TableInput): InputColumn => {
    if (source.kind === 'host') return () => undefined;
    if (source.kind === 'as_of') return computed((facts) => facts.momentOf().asOfMs, undefined);
    const { certainty } = source;
    if (source.kind === 'field' && certainty === undefined) return fieldColumn(source.field);
    const own = computed(readerOf(source, vocabulary), certainty);
    // Without ranges of its certainty, the input is its base.
    return (slice) =>
      certainty === undefined || slice.columns.rangesByCertainty?.has(certainty) ? own(slice) : undefined;
  };
  const fieldColumn = (field: number): InputColumn => {
    const { name } = vocabulary.fields[field]!;
    const list = vocabulary.lists?.findIndex(({ countedBy }) => countedBy?.field === name) ?? -1;
    const ranges = computed((facts) => facts.knowledgeOf(field), undefined);
    return (slice) => {
      const { columns, start, rows } = slice;
      if (columns.ranges?.has(field) || columns.lists[list]) return ranges(slice);
      return isUnknownColumn(columns, field)
        ? undefined
        : { values: columns.fields[field]!.subarray(start, start + rows) };
    };
  };
  const inputs = tables.inputs.map(columnOf);
  return (slice) => inputs.map((column) => column(slice));
}

function readerOf(
  source: Exclude<TableInput['source'], { kind: 'host' | 'as_of' }>,
  vocabulary: Vocabulary,
): FactReader {
  if (source.kind === 'field') return (facts) => facts.knowledgeOf(source.field);
  if (source.kind === 'computed')
    return (facts) => {
      const { min, max } = readComputed(source.computed, facts);
      return { kind: 'between', min, max };
    };
  const testCell = createTestCell(source.leaf, vocabulary);
  return (facts, columns, row) => {
    const [county, other] = countiesOfRow(columns, row) ?? [];
    const cell = testCell(facts.knowledgeOf, {
      state: states[columns.state[row]!]!.code,
      county: other === undefined ? county : undefined,
      policyType: vocabulary.policyTypes[columns.policyType[row]!]!,
      effectiveYear: Number(facts.effectiveDate.slice(0, 4)),
    });
    return cell < 0 ? undefined : cell;
  };
}
