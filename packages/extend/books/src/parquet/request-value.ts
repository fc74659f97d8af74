import type { SchemaElement } from 'hyparquet';

/** Converts a value of Parquet to its form in a JSON request. */
export function toRequestValue(value: unknown, element: SchemaElement): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) {
    const text = Number.isNaN(value.getTime()) ? String(value) : value.toISOString();
    const isDay = element.converted_type === 'DATE' || element.logical_type?.type === 'DATE';
    return isDay ? text.slice(0, 10) : text;
  }
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (Array.isArray(value)) return value.map((each) => toRequestValue(each, element));
  return value ?? undefined;
}
