/**
 * A time as people write it, to the minute: `2026-08-29 12:00 UTC`. Seconds appear if they are not zero.
 *
 * @param instant epoch milliseconds, or text that `Date` reads. Other text is returned unchanged.
 * @example
 * writeTime('2026-08-29T12:00:00.000000Z'); // '2026-08-29 12:00 UTC'
 */
export function writeTime(instant: number | string): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return String(instant);
  const [day, time = ''] = date.toISOString().split('T');
  return `${day} ${time.slice(6, 8) === '00' ? time.slice(0, 5) : time.slice(0, 8)} UTC`;
}
