/**
 * What an integer column gives, on both engines: a number where a number is exact, else a bigint. Never rounded.
 * A column that may pass 2^53 (money in cents, say) is read with `BigInt(value)`; instants in milliseconds never do.
 */
export type StoredInteger = number | bigint;

const MIN_EXACT = BigInt(Number.MIN_SAFE_INTEGER);
const MAX_EXACT = BigInt(Number.MAX_SAFE_INTEGER);

export function readInteger(value: bigint): StoredInteger {
  return value >= MIN_EXACT && value <= MAX_EXACT ? Number(value) : value;
}
