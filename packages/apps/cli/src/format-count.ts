/** A number as people write it: `12,450`. */
export function formatCount(number: number): string {
  return number.toLocaleString('en-US');
}
