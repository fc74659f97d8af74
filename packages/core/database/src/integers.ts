/**
 * An integer of either engine: a number if exact, otherwise a bigint. Use `BigInt(value)` for columns that may exceed 2^53, such as
 * cents.
 */
export type StoredInteger = number | bigint;

const MIN_EXACT = BigInt(Number.MIN_SAFE_INTEGER);
const MAX_EXACT = BigInt(Number.MAX_SAFE_INTEGER);

export function readInteger(value: bigint): StoredInteger {
  return value >= MIN_EXACT && value <= MAX_EXACT ? Number(value) : value;
}
