import type { PlaceRequest, RequestFault } from '@leeward/http';
import { CommandError } from '../command-error.ts';
import { recognizeColumns } from './batch-columns.ts';
import { readCsvRecords } from './csv-records.ts';

/** A home of a file: what it asks, or what is wrong with its line. */
export type BatchHome = {
  /** Line of the file where it begins. */
  readonly line: number;
  /** One for each column. */
  readonly cells: readonly string[];
} & (
  | { readonly request: PlaceRequest; readonly problem?: undefined }
  | { readonly request?: undefined; readonly problem: RequestFault }
);

export interface BatchHomes {
  readonly columns: readonly string[];
  readonly homes: AsyncIterable<BatchHome>;
}

/** Opens a CSV file of homes. Throws a `CommandError` where its first line names no column that says where a home is. */
export async function readBatchHomes(path: string, name: string): Promise<BatchHomes> {
  const records = readCsvRecords(path);
  const first = await records.next();
  if (first.done) throw new CommandError(`${name} is empty: its first line names the columns, address for one.`);
  const columns = first.value.cells;
  if (columns === undefined) {
    throw new CommandError(`${name}: the first line, which names the columns, holds a quotation mark too many.`);
  }
  const requestOf = recognizeColumns(columns, name);
  const { length: width } = columns;
  async function* homes(): AsyncGenerator<BatchHome> {
    for await (const { line, text, cells: read } of records) {
      // An address alone on its line may hold commas without being quoted.
      const cells = width === 1 && (read?.length ?? 0) > 1 ? [text.trim()] : read;
      const fitted = columns?.map((_, index) => cells?.[index] ?? '') ?? [];
      const fault = (code: string, message: string) => ({ line, cells: fitted, problem: { path: '', code, message } });
      if (cells === undefined) {
        const shown = JSON.stringify(text.slice(0, 60).toWellFormed());
        yield fault('malformed_row', `Line ${line} cannot be read, a quotation mark is not closed: ${shown}.`);
      } else if (cells.length !== width) {
        const message = `Line ${line} has ${cells.length} cells and the header ${width}: put cells that hold commas in quotation marks.`;
        yield fault('malformed_row', message);
      } else {
        const { notNumber, ...request } = requestOf(fitted);
        if (notNumber === undefined) yield { line, cells: fitted, request };
        else
          yield fault(
            'invalid_number',
            `${JSON.stringify(notNumber.slice(0, 60))} is no number: give decimal degrees.`,
          );
      }
    }
  }
  return { columns, homes: homes() };
}
