/** Numbers of a grid: `N79W5406` and `W5406` in Wisconsin, `28W123` in Illinois. */
const gridNumber = /^\d{0,2}[NSEW][1-9]\d*(?:[NSEW][1-9]\d*)?[A-Z]?$/;

/**
 * Normalizes a house number for comparison: upper case, no leading zeros, no blanks except before a fraction. @returns `1600`, `12B`
 * (also for `12 b` and `12-B`), `45-18`, `12 1/2` (also for `12½`), `N79W5406` (also for `N79 W5406`); undefined for 0 and other text.
 * @example
 * readHouseNumber('012-b'); // '12B'
 */
export function readHouseNumber(text: string): string | undefined {
  const number = text
    .trim()
    .normalize('NFKD')
    .toUpperCase()
    .replace('\u2044', '/')
    .replace(/\.0+$/, '')
    .replace(/^0+(?=\d)/, '')
    .replace(/^(\d+)[ -]([A-Z])$/, '$1$2')
    .replace(/^(\d+)\s*[ -]\s*(\d\/\d)$/, '$1 $2')
    .replace(/^(\d+?)\s*(\d\/\d)$/, text.includes('/') ? '$&' : '$1 $2')
    .replace(/\s*-\s*/, '-')
    .replace(/^([NSEW]\d+) (?=[NSEW]\d)/, '$1');
  if (gridNumber.test(number)) return number;
  return /^[1-9]\d*[A-Z]?(?:-\d+[A-Z]?)?(?: \d\/\d)?$/.test(number) ? number : undefined;
}
