import type { PlaceRequest } from '@leeward/http/distance';
import type { RequestFault } from '@leeward/http/problem';
import { describeRecognized, openTable } from '@leeward/rows';
import { recognizeColumns } from './batch-columns.ts';

/** A home of a file, or the fault of its line. */
export type BatchHome = {
  /** Line of the file where it begins. */
  readonly line: number;
  readonly cells: readonly string[];
} & (
  | { readonly request: PlaceRequest; readonly problem?: undefined }
  | { readonly request?: undefined; readonly problem: RequestFault }
);

export interface BatchHomes {
  readonly columns: readonly string[];
  readonly homes: AsyncIterable<BatchHome>;
  /** Recognized columns, one sentence each. */
  readonly recognized: () => readonly string[];
}

/** Throws like `openTable`, and a `CommandError` without location columns. */
export async function openBatchHomes(path: string, name: string): Promise<BatchHomes> {
  const table = await openTable(path, { name });
  const { columns } = table;
  const requestOf = orClose(table.close, () => recognizeColumns(columns, name));
  async function* homes(): AsyncGenerator<BatchHome> {
    for await (const { line, text, cells, fault } of table.rows) {
      if (fault) {
        const quotedText = JSON.stringify(text.slice(0, 60).toWellFormed());
        const problem = { path: '', code: fault.code, message: `${fault.message} It begins ${quotedText}.` };
        yield { line, cells: columns.map(() => ''), problem };
        continue;
      }
      const { notNumber, ...request } = requestOf(cells);
      if (notNumber === undefined) yield { line, cells, request };
      else {
        const message = `${JSON.stringify(notNumber.slice(0, 60))} is not a number: give decimal degrees.`;
        yield { line, cells, problem: { path: '', code: 'invalid_number', message } };
      }
    }
  }
  return { columns, homes: homes(), recognized: () => describeRecognized(name, table.recognized()) };
}

function orClose<Result>(close: () => void, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    close();
    throw error;
  }
}
