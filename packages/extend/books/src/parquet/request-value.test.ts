import type { SchemaElement, SchemaTree } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { toRequestValue } from './request-value.ts';

const node = (element: Partial<SchemaElement>, ...children: SchemaTree[]): SchemaTree => ({
  element: { name: 'x', ...element },
  children,
  count: 1,
  path: [],
});

describe('a value of Parquet as in a request', () => {
  it('is a decimal with the digits of its scale', () => {
    const decimal = node({ converted_type: 'DECIMAL', scale: 3 });
    expect(toRequestValue(1_003_858 * 10 ** -3, decimal)).toBe(1003.858);
    expect(toRequestValue([0.1 + 0.2], node({ converted_type: 'LIST' }, node({}, { ...decimal })))).toEqual([0.3]);
    expect(toRequestValue(0.1 + 0.2, node({ type: 'DOUBLE' }))).toBe(0.1 + 0.2);
  });

  it('is a number in maps and in values without a schema', () => {
    const map = node(
      { converted_type: 'MAP' },
      node({}, node({ name: 'key' }), node({ name: 'value', type: 'INT64' })),
    );
    expect(toRequestValue({ a: 1n, b: undefined }, map)).toEqual({ a: 1, b: undefined });
    expect(toRequestValue({ a: { b: [1n] } }, node({ logical_type: { type: 'VARIANT' } }))).toEqual({ a: { b: [1] } });
  });

  it('is an empty list if a repeated column has no value in a row', () => {
    const repeated = node({ name: 'y', repetition_type: 'REPEATED', type: 'INT32' });
    expect(toRequestValue(null, repeated)).toEqual([]);
    expect(toRequestValue([null, 1], repeated)).toEqual([undefined, 1]);
    expect(toRequestValue({ y: undefined }, node({}, repeated))).toEqual({ y: [] });
    expect(toRequestValue(undefined, node({ converted_type: 'LIST' }, node({}, repeated)))).toBeUndefined();
  });

  it('is a whole date in any year', () => {
    const date = node({ converted_type: 'DATE' });
    expect(toRequestValue(new Date('2026-11-27T00:00:00Z'), date)).toBe('2026-11-27');
    expect(toRequestValue(new Date('+012026-11-27T00:00:00Z'), date)).toBe('+012026-11-27');
  });
});
