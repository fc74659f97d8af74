/**
 * What an integer column gives, on both engines: a number where a number is exact, else a bigint. Never rounded.
 * A column that may pass 2^53 (money in cents, say) is read with `BigInt(value)`; instants in milliseconds never do.
 */
export type StoredInteger = number | bigint;

const smallest = BigInt(Number.MIN_SAFE_INTEGER);
const largest = BigInt(Number.MAX_SAFE_INTEGER);

export function readInteger(value: bigint): StoredInteger {
  return value >= smallest && value <= largest ? Number(value) : value;
}
