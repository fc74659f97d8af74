import type { Readable } from 'node:stream';
import { describeRecognized, openTable } from '@leeward/rows';
import type { AddressInput, InputFormat, InputRow } from './address-input.ts';
import { type ColumnChoices, type ColumnRole, findColumns, isNational } from './columns.ts';
import type { InputOptions } from './input-options.ts';
import { isNothing, readHouse } from './read-house.ts';

/** Opens a CSV of OpenAddresses' older format, the National Address Database, or any table with a column map. */
export async function openTableInput(
  source: string | Readable,
  name: string,
  options: InputOptions,
): Promise<AddressInput> {
  const { signal, columns: map } = options;
  const table = await openTable(source, { name, ...(signal ? { signal } : {}) });
  try {
    const format = formatOf(table.columns, map !== undefined);
    const columns = findColumns(table.columns, format, map, name);
    return {
      format,
      endsWithinLine: () => false,
      bytesRead: table.bytesRead,
      recognized: () => describeRecognized(name, table.recognized()),
      close: table.close,
      rows: (async function* (): AsyncGenerator<InputRow> {
        for await (const { line: row, cells, fault } of table.rows) {
          const nothing = { file: name, row, houses: [], ranges: [], rejected: [], doubtful: [] };
          if (cells === undefined) {
            yield { ...nothing, rejected: [{ code: fault.code, message: fault.message }] };
            continue;
          }
          const read = readHouse((role) => cellOf(cells, columns, role), options);
          yield 'code' in read ? { ...nothing, rejected: [read] } : { ...nothing, houses: [read] };
        }
      })(),
    };
  } catch (error) {
    table.close();
    throw error;
  }
}

function formatOf(header: readonly string[], isMapped: boolean): InputFormat {
  if (isMapped) return 'table';
  if (isNational(header)) return 'national_address_database';
  const names = new Set(header.map((name) => name.toLowerCase()));
  return names.has('lon') && names.has('number') && names.has('hash') ? 'open_addresses' : 'table';
}

function cellOf(cells: readonly string[], columns: ColumnChoices, role: ColumnRole): string {
  for (const group of columns[role] ?? []) {
    const text = group
      .map((index) => (cells[index] ?? '').trim())
      .filter((part) => part !== '')
      .join(' ');
    // "Unknown" as a placement differs from a missing placement.
    if (!isNothing(text) || (text !== '' && role === 'kind')) return text;
  }
  return '';
}
