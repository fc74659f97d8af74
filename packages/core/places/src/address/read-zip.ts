/** ZIP codes here begin with one zero, or two; spreadsheets drop them. */
const leadingZeros: Readonly<Record<string, 1 | 2>> = {
  ct: 1,
  ma: 1,
  me: 1,
  nh: 1,
  nj: 1,
  ny: 1,
  pr: 2,
  ri: 1,
  vi: 2,
  vt: 1,
};

/**
 * Reads the five digits of a ZIP code or ZIP+4. Restores zeros that a spreadsheet dropped (`2139`, `2139.0`); with `state`, only where
 * ZIP codes begin with zeros. @param state Two letters, lower case. @returns undefined for other text.
 * @example
 * readZip('2139.0', 'ma'); // '02139'
 */
export function readZip(text: string, state?: string): string | undefined {
  const [, digits] = /^(\d{3,5})(?:[- ]\d{4})?(?:\.0+)?$|^$/.exec(text.trim()) ?? [];
  const glued = /^(\d{3,5}?)(\d{4})$/.exec(text.trim());
  const zip = digits ?? (glued !== null && text.trim().length >= 7 ? glued[1] : undefined);
  if (zip === undefined) return undefined;
  const lost = 5 - zip.length;
  if (lost === 0) return zip;
  const maxLost = state === undefined ? 2 : (leadingZeros[state] ?? 0);
  return lost <= maxLost ? zip.padStart(5, '0') : undefined;
}
