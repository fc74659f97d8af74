/**
 * Normalizes a house number for comparison: upper case, no leading zeros, no blanks except before a fraction. @returns `1600`, `12B`
 * (also for `12 b` and `12-B`), `45-18`, `12 1/2` (also for `12½`); undefined for 0 and other text.
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
    .replace(/\s*-\s*/, '-');
  return /^[1-9]\d*[A-Z]?(?:-\d+[A-Z]?)?(?: \d\/\d)?$/.test(number) ? number : undefined;
}
