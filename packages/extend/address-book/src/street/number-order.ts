/** The counted part of `N79W5406` is its end. */
const gridNumber = /^(\d*[NSEW](?:\d+[NSEW])?)(\d+)[A-Z]?$/;

/**
 * Sort key of a number of `readHouseNumber`: 12 for `12A`, 12.5 for `12 1/2`, 100 for the range `100-104`, 5406 for `N79W5406`. `45-18`
 * (the 18th of the block at 45th Street) is after 45.
 */
export function houseNumberOrder(number: string): number {
  const [, , counted] = gridNumber.exec(number) ?? [];
  if (counted !== undefined) return Number(counted);
  const [, first = '0', second, upper, lower] = /^(\d+)[A-Z]?(?:-(\d+)[A-Z]?)?(?: (\d)\/(\d))?$/.exec(number) ?? [];
  const start = Number(first);
  const isRange = second !== undefined && second.length === first.length && Number(second) > start;
  const inBlock = second === undefined || isRange ? 0 : Math.min(Number(second), 9_999) / 10_000;
  const fraction = upper === undefined ? 0 : Number(upper) / Math.max(1, Number(lower));
  return start + inBlock + fraction;
}

/** A number, split as ranges count it. */
export interface CountedNumber {
  readonly prefix: string;
  readonly value: number;
}

/** 12 for `12A` and `12 1/2`, 100 for `100-104`, 12 with the prefix `85-` for `85-12`, 5406 with the prefix `N79W` for `N79W5406`. */
export function countedNumber(number: string): CountedNumber {
  const [, grid, counted] = gridNumber.exec(number) ?? [];
  if (grid !== undefined) return { prefix: grid, value: Number(counted) };
  const [, first = '0', second] = /^(\d+)[A-Z]?(?:-(\d+))?/.exec(number) ?? [];
  const isRange = second !== undefined && second.length === first.length && Number(second) > Number(first);
  return second === undefined || isRange
    ? { prefix: '', value: Number(first) }
    : { prefix: `${first}-`, value: Number(second) };
}
