import type { Point } from '../../point/point.ts';
import type { ZipGazetteer } from '../../zips/zip-gazetteer.ts';
import type { StreetOfRecord } from '../record.ts';

/** ZIP points that must agree on a state before a position tells it. */
const agreeing = 5;

/** The state that a position tells: that of the nearest ZIP points, if they agree. */
export function stateByPosition(zips: ZipGazetteer, point: Point): string | undefined {
  const near = zips.nearest(point, agreeing).map(({ zipPoint }) => zipPoint.state);
  return near.length > 0 && near.every((state) => state === near[0]) ? near[0] : undefined;
}

/** The ZIP code of a record: its own, else that of the nearest ZIP point of the state. */
export function zipOf(
  zips: ZipGazetteer,
  written: string,
  state: string,
  point: Point,
): Pick<StreetOfRecord, 'zip' | 'isZipFromPosition'> {
  const own = readZip(written, state);
  if (own !== undefined) return { zip: own, isZipFromPosition: false };
  const near = zips.nearest(point, agreeing).find(({ zipPoint }) => zipPoint.state === state);
  return near === undefined
    ? { zip: '', isZipFromPosition: false }
    : { zip: near.zipPoint.zip, isZipFromPosition: true };
}

/** Five digits of a ZIP code or ZIP+4; spreadsheets drop leading zeros. `00000` and `99999` are none. */
function readZip(text: string, state: string): string | undefined {
  const [, digits] = /^(\d{3,5})(?:[- ]?\d{4})?(?:\.0+)?$/.exec(text.trim()) ?? [];
  if (digits === undefined) return undefined;
  if (digits.length < 5 && !statesWithZeros.has(state)) return undefined;
  const zip = digits.padStart(5, '0');
  return zip === '00000' || zip === '99999' ? undefined : zip;
}

/** States whose ZIP codes begin with zero. */
const statesWithZeros: ReadonlySet<string> = new Set(['ct', 'ma', 'me', 'nh', 'nj', 'ny', 'pr', 'ri', 'vi', 'vt']);
