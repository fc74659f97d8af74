import type { Fault, Property, Vocabulary, Warning } from '@leeward/engine';
import { labelOf } from '@leeward/engine/vocabulary';
import { capitalized, isGiven, isObject, own, quoteValue, writeLimits } from '@leeward/terms';
import { type ReadBatch, readAggregateCell } from '../columns/book-reader.ts';
import type { AggregateColumn, ColumnMap } from '../columns/column-map.ts';
import { evidenceNames } from '../columns/evidence-names.ts';
import { requestBodyOf } from '../columns/request-body.ts';
import { cellOf, type RawBatch } from '../source/raw-batch.ts';

/** A row that was read as a request, or its faults. */
export type ReadRowResult =
  | { readonly ok: true; readonly property: Property; readonly warnings: readonly Warning[] }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/**
 * Port: reads a row as the body of an HTTP request, with the place and distances that HTTP would find. `readHome` of `@leeward/http`
 * implements it; a host without places can use `parseRequest`. It throws only to stop the whole book.
 *
 * @param certainties Those of the rule sets: measured distances have a range for each.
 */
export type ReadRow = (body: unknown, certainties: readonly number[]) => Promise<ReadRowResult>;

/** A row that was not evaluated. */
export interface RejectedRow {
  /** Row number in the book, from 1. */
  readonly row: number;
  /** Line of a text file, from 1. */
  readonly line: number | undefined;
  /** All faults that HTTP would report. */
  readonly faults: readonly Fault[];
  /** The text of a row of a text file, else the request. */
  readonly input: unknown;
}

const typeRequired: Fault = {
  path: '/policy_type',
  code: 'required',
  message: 'A policy of a book has a policy_type; give one.',
};

/** Explains the fault of a column of evidence whose value has the same part. */
function givenTwice(fault: Fault, vocabulary: Vocabulary): Fault {
  const column = fault.path.slice(1);
  const evidence = evidenceNames(vocabulary).get(column);
  if (!evidence) return fault;
  const message = `${evidence.of} has ${evidence.part}, and so has the column ${column}; give one of them.`;
  return { path: fault.path, code: 'evidence_given_twice', message };
}

/** Values that lack the one that they are given with, by name, with its name. Empty if the row has other faults. */
function loneValues(faults: readonly Fault[], { givenTogether }: Vocabulary): ReadonlyMap<string, string> {
  const lone = new Map<string, string>();
  for (const { path, code } of faults) {
    const absent = path.slice(1);
    const pair = code === 'required_with' ? givenTogether.find((names) => names.includes(absent)) : undefined;
    if (!pair) return new Map();
    lone.set(pair[0] === absent ? pair[1] : pair[0], absent);
  }
  return lone;
}

function aggregateFault(cell: unknown, { column, min, max, integer }: AggregateColumn): Fault {
  const kind = integer ? 'a whole number' : 'a number';
  const message = `${column} is ${quoteValue(cell)}; give ${kind} from ${writeLimits(min, max)}, or nothing if it is unknown.`;
  return { path: `/${column}`, code: typeof cell === 'number' ? 'out_of_range' : 'invalid_type', message };
}

/**
 * A rejected row as a line of NDJSON, without a line break.
 *
 * @example
 * for (const row of batch.rejected.values()) file.write(`${writeReject(row)}\n`);
 */
export function writeReject({ row, line, faults, input }: RejectedRow): string {
  return JSON.stringify({ row, ...(line === undefined ? {} : { line }), faults, given: input });
}

export type SingleRow =
  | { readonly row: number; readonly property: Property; readonly warnings: readonly Warning[] }
  | { readonly row: number; readonly rejected: RejectedRow };

export interface SingleRowOptions {
  readonly readRow: ReadRow;
  /** Decision time of rows without `as_of`. */
  readonly asOf: Date;
  /** Effective date of all rows. Without it, the row's. */
  readonly effectiveDate: string | undefined;
  /** Number of rows in the book's files before this one. */
  readonly rowOffset: number;
  readonly allowsEveryType: boolean;
  readonly vocabulary: Vocabulary;
  readonly map: ColumnMap;
  /** Certainties of the rule sets. @default none */
  readonly certainties?: readonly number[];
}

export class SingleRowReader {
  readonly #options: SingleRowOptions;

  constructor(options: SingleRowOptions) {
    this.#options = options;
  }

  /** Reads rows concurrently. Results are in the order of `rows`. */
  async read(batch: RawBatch, read: ReadBatch, rows: readonly number[]): Promise<SingleRow[]> {
    const unread = new Map(batch.unread.map((each) => [each.row, each]));
    return Promise.all(
      rows.map(async (row): Promise<SingleRow> => {
        const fault = unread.get(row);
        if (fault) return this.#reject(batch, row, [{ path: '', code: fault.code, message: fault.message }], undefined);
        const body = this.bodyOf(batch, read, row);
        const result = await this.readBody(body);
        if (!result.ok) {
          const faults = result.faults.map((each) => givenTwice(each, this.#options.vocabulary));
          return this.#reject(batch, row, faults, body);
        }
        const { warnings } = result;
        const property = this.withAggregates(batch, row, result.property);
        if (Array.isArray(property)) return this.#reject(batch, row, property, body);
        if (property.policyType === undefined && !this.#options.allowsEveryType)
          return this.#reject(batch, row, [typeRequired], body);
        return { row, property, warnings };
      }),
    );
  }

  /**
   * Reads a request. Books often have the type of a roof without its age, which a request must not have: such a value counts as unknown,
   * with a warning.
   */
  async readBody(body: unknown): Promise<ReadRowResult> {
    const { readRow, certainties = [], vocabulary } = this.#options;
    const result = await readRow(body, certainties);
    if (result.ok || !isObject(body)) return result;
    const lone = loneValues(result.faults, vocabulary);
    if (lone.size === 0) return result;
    const others = Object.fromEntries(Object.entries(body).filter(([name]) => !lone.has(name)));
    const again = await readRow(others, certainties);
    if (!again.ok) return result;
    const warnings = [...lone].map(([name, absent]): Warning => {
      const [value, missing] = [name, absent].map((each) => labelOf(each, vocabulary));
      const message = `${capitalized(value!)} counts as unknown, because there is no ${missing}.`;
      return { path: `/${name}`, code: 'given_alone', message };
    });
    return { ...again, warnings: [...again.warnings, ...warnings] };
  }

  /** A row as a request. A date for the whole book replaces the row's date; an instant only fills a gap. */
  bodyOf(batch: RawBatch, read: ReadBatch, row: number): unknown {
    const body = requestBodyOf(batch, row, read.fields, read.isIgnored, this.#options.vocabulary);
    if (!isObject(body)) return body;
    const { asOf, effectiveDate } = this.#options;
    return {
      ...body,
      ...(effectiveDate === undefined ? {} : { effective_date: effectiveDate }),
      as_of: isGiven(body['as_of']) ? body['as_of'] : asOf.toISOString(),
    };
  }

  /** Adds the aggregates of a row. Returns the faults of columns with other values. */
  withAggregates(batch: RawBatch, row: number, property: Property): Property | Fault[] {
    const { aggregates = [], number } = this.#options.map;
    if (aggregates.length === 0) return property;
    const faults: Fault[] = [];
    const numbers = new Map<string, number>();
    for (const aggregate of aggregates) {
      const { column, name } = aggregate;
      const whole = batch.whole?.get(row);
      const cell = isObject(whole) ? own(whole, column) : cellOf(batch.columns[batch.names.indexOf(column)], row);
      const value = readAggregateCell(cell, aggregate, number);
      if (value === undefined) faults.push(aggregateFault(cell, aggregate));
      else if (!Number.isNaN(value)) numbers.set(name, value);
    }
    if (faults.length > 0) return faults;
    return numbers.size === 0 ? property : { ...property, aggregates: numbers };
  }

  #reject(batch: RawBatch, row: number, faults: readonly Fault[], body: unknown): SingleRow {
    const source = batch.lineOf?.(row);
    const number = this.#options.rowOffset + batch.firstRow + row + 1;
    return { row, rejected: { row: number, line: source?.line, faults, input: source ? source.text : body } };
  }
}
