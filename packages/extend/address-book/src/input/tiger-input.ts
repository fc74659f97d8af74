import { AddressBookError } from '../address-book-error.ts';
import type { AddressInput, InputRow } from './address-input.ts';
import type { InputOptions } from './input-options.ts';
import { rangeColumns, readRanges, stateOfFileName } from './read-ranges.ts';
import { openShapefile, type ShapefileParts } from './shapefile.ts';

/** Opens a shapefile of TIGER/Line's address ranges (ADDRFEAT). */
export async function openTigerInput(
  parts: ShapefileParts,
  name: string,
  options: InputOptions,
): Promise<AddressInput> {
  const { columns, count, records } = await openShapefile(parts, name);
  const missing = rangeColumns.filter((column) => !columns.includes(column));
  if (missing.length > 0) {
    throw new AddressBookError(
      `${name} has no column ${missing.join(', ')}: an ADDRFEAT file of TIGER/Line was expected. Its columns are: ${columns.slice(0, 20).join(', ')}.`,
    );
  }
  const fileState = stateOfFileName(name);
  const bytes = parts.shp.length + (parts.dbf?.length ?? 0);
  let read = 0;
  return {
    format: 'tiger',
    endsWithinLine: () => false,
    bytesRead: () => (count === 0 ? bytes : Math.round((bytes * read) / count)),
    recognized: () => [],
    close() {},
    rows: (async function* (): AsyncGenerator<InputRow> {
      for await (const record of records) {
        options.signal?.throwIfAborted();
        read = record.row;
        yield { file: name, row: record.row, houses: [], ...readRanges(record, { ...options, fileState }) };
      }
    })(),
  };
}
