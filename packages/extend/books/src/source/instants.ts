/**
 * Milliseconds of an instant in a finer unit, rounded down. A moment after midnight must not become midnight, which is read as a date.
 *
 * @param unitsPerMs 1000n for microseconds.
 */
export function msOf(value: bigint, unitsPerMs: bigint): number {
  const fraction = ((value % unitsPerMs) + unitsPerMs) % unitsPerMs;
  const ms = Number((value - fraction) / unitsPerMs);
  return fraction > 0n && ms % 1000 === 0 ? ms + 1 : ms;
}

/** The date of an instant in UTC. Years outside 0 to 9999 have a sign and six digits. */
export function dayOf(isoText: string): string {
  return isoText.slice(0, isoText.indexOf('T'));
}
