import { openRows, type Row, type RowFault, type RowFile, tellRecognized } from '@leeward/rows';
import { CommandError } from '../command-error.ts';

/** One row of a file of homes: a request body, or what is wrong with the row. */
export type HomeRow = { readonly line: number; readonly text: string } & (
  | { readonly body: unknown; readonly fault?: undefined }
  | { readonly fault: RowFault }
);

export interface HomeRows {
  readonly rows: AsyncIterable<HomeRow>;
  readonly bytesRead: () => number;
  /** What was recognized of the file so far, a sentence each. */
  readonly recognized: () => readonly string[];
}

/**
 * Opens homes as requests have them: NDJSON, or CSV whose first line names fields. An empty cell is a field that nobody gave.
 * `name` is the file as its user wrote it. Throws what `openRows` throws, and a `CommandError` where two columns are one field.
 */
export async function openHomeRows(path: string, name: string): Promise<HomeRows> {
  const file = await openRows(path, { name });
  return {
    rows: homesOf(file, file.format === 'csv' ? fieldNames(file, name) : []),
    bytesRead: file.bytesRead,
    recognized: () => tellRecognized(name, file.recognized()),
  };
}

function fieldNames(file: RowFile & { readonly format: 'csv' }, name: string): readonly string[] {
  const names = file.columns.map((column) => column.toLowerCase());
  const twice = names.find((each, index) => each !== '' && names.indexOf(each) < index);
  if (twice === undefined) return names;
  file.close();
  throw new CommandError(`${name} has two columns ${JSON.stringify(twice)}: remove one of them.`);
}

async function* homesOf(
  { rows }: { readonly rows: AsyncIterable<Row> },
  names: readonly string[],
): AsyncGenerator<HomeRow> {
  for await (const { line, text, cells, value, fault } of rows) {
    if (fault) yield { line, text, fault };
    else if (cells) yield { line, text, body: bodyOf(cells, names) };
    else yield { line, text, body: value };
  }
}

function bodyOf(cells: readonly string[], names: readonly string[]): Record<string, unknown> {
  // Names are the file's, and one of them may be that of a prototype.
  return Object.fromEntries(
    names.flatMap((name, index) => (cells[index] === '' ? [] : [[name, numeric(name, cells[index]!)]])),
  );
}

/** A cell is text; coordinates are numbers in a request, and every other number may be text. */
function numeric(name: string, cell: string): unknown {
  return (name === 'lat' || name === 'lng') && !Number.isNaN(Number(cell)) ? Number(cell) : cell;
}
