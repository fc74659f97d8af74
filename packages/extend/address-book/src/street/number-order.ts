/**
 * Where a number of `readHouseNumber` stands in the order of its street: `12A` at 12, `12 1/2` at 12.5, the range `100-104` at
 * 100, `45-18` (the 18th of the block at 45th Street) behind 45.
 */
export function houseNumberOrder(number: string): number {
  const [, first = '0', second, upper, lower] = /^(\d+)[A-Z]?(?:-(\d+)[A-Z]?)?(?: (\d)\/(\d))?$/.exec(number) ?? [];
  const start = Number(first);
  const isRange = second !== undefined && second.length === first.length && Number(second) > start;
  const inBlock = second === undefined || isRange ? 0 : Math.min(Number(second), 9_999) / 10_000;
  const fraction = upper === undefined ? 0 : Number(upper) / Math.max(1, Number(lower));
  return start + inBlock + fraction;
}

/** A number as ranges of numbers count it: what stands before the part that counts, and that part. */
export interface CountedNumber {
  /** `85-` of `85-12`; mostly empty. */
  readonly prefix: string;
  readonly value: number;
}

/** A number of `readHouseNumber` as ranges count it: `12A` and `12 1/2` as 12, `100-104` as 100, `85-12` as 12 of block `85-`. */
export function countedNumber(number: string): CountedNumber {
  const [, first = '0', second] = /^(\d+)[A-Z]?(?:-(\d+))?/.exec(number) ?? [];
  const isRange = second !== undefined && second.length === first.length && Number(second) > Number(first);
  return second === undefined || isRange
    ? { prefix: '', value: Number(first) }
    : { prefix: `${first}-`, value: Number(second) };
}
