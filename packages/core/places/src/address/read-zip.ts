/** States whose ZIP codes begin with a zero, which spreadsheets drop; those of Puerto Rico and the Virgin Islands with two. */
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
 * The five digits of a ZIP code or ZIP+4, also of one that lost its zeros in a spreadsheet, or became a number there (`2139.0`); undefined
 * for what is none. With the state, only where that state's ZIP codes begin with zeros.
 */
export function readZip(text: string, state?: string): string | undefined {
  const [, digits] = /^(\d{3,5})(?:[- ]\d{4})?(?:\.0+)?$|^$/.exec(text.trim()) ?? [];
  const glued = /^(\d{3,5}?)(\d{4})$/.exec(text.trim());
  const zip = digits ?? (glued !== null && text.trim().length >= 7 ? glued[1] : undefined);
  if (zip === undefined) return undefined;
  const lost = 5 - zip.length;
  if (lost === 0) return zip;
  const most = state === undefined ? 2 : (leadingZeros[state] ?? 0);
  return lost <= most ? zip.padStart(5, '0') : undefined;
}
