import { isObject } from '@leeward/terms';
import { cellOf, type RawBatch } from '../source/raw-batch.ts';
import type { FieldColumn } from './column-map.ts';

/** A row as the body of an HTTP request. */
export function requestBodyOf(
  batch: RawBatch,
  row: number,
  fields: readonly FieldColumn[],
  isIgnored: (name: string) => boolean,
): unknown {
  const whole = batch.whole?.get(row);
  const isWhole = batch.whole?.has(row) === true;
  if (isWhole && !isObject(whole)) return whole;
  const entries: [string, unknown][] = [];
  const used = new Set<number>();
  const propertyOf = (name: string): unknown =>
    isWhole ? (Object.hasOwn(whole as object, name) ? (whole as Record<string, unknown>)[name] : undefined) : undefined;
  for (const column of fields) {
    const { field, place, constant, convert } = column;
    if (place < 0) {
      entries.push([field, constant]);
      continue;
    }
    used.add(place);
    const name = batch.names[place]!;
    const value = isWhole ? propertyOf(name) : cellOf(batch.columns[place], row);
    if (value === undefined) continue;
    entries.push([field, convert ? convert(value) : value]);
  }
  const rest = isWhole ? Object.keys(whole as object) : batch.names;
  rest.forEach((name, index) => {
    const place = isWhole ? batch.names.indexOf(name) : index;
    if ((place >= 0 && used.has(place)) || isIgnored(name)) return;
    // The map reads this field from another column.
    if (fields.some(({ field }) => field === name)) return;
    // An unknown field name is a fault with any value.
    const value = isWhole ? propertyOf(name) : rawCell(batch, place, row);
    if (value !== undefined) entries.push([name, value]);
  });
  // Safe for names like `__proto__`.
  return Object.fromEntries(entries);
}

function rawCell({ columns }: RawBatch, place: number, row: number): unknown {
  const column = columns[place];
  if (column?.kind === 'dictionary') {
    const code = column.codes[row]!;
    return code < 0 ? undefined : column.words[code];
  }
  return cellOf(column, row);
}
