import { readHouseNumber } from './house-number.ts';

/** Number and street of a street line. */
export interface StreetLine {
  /** As `readHouseNumber` returns it. */
  readonly number: string | undefined;
  /** Without number and unit. */
  readonly street: string;
}

const unitWord =
  '(?:apartment|apt|unit|suite|ste|building|bldg|floor|fl|lot|room|rm|space|spc|trailer|trlr|penthouse|ph|slip|dept|office|ofc|hangar|hngr|apartamento|apto|unidad|oficina|edificio|edif|piso|no|#)';
/** "Apt 4", "Unit #B", "# 12", "PH-2". */
const unitBehind = new RegExp(String.raw`(?:^|[\s,]+)${unitWord}\.?[\s#-]*(?:[a-z]?-?\d[\w-]*|[a-z])$`, 'i');
/** Need no number. */
const placeBehind = /[\s,]+(?:basement|bsmt|penthouse|ph|uppr|lowr|frnt|ofc)\.?$/i;
/** Puerto Rico: `Calle Loíza 1234`. */
const numberLast =
  /^((?:calle|c\/|avenida|ave|carretera|carr|camino|paseo|boulevard|blvd)\.?\s+.*\S)\s+#?(\d+[A-Za-z]?(?:-\d+)?)$/i;
const numberSign = /^((?:calle|avenida|ave|carretera|camino|paseo)\.?\s[^#]*?)\s*#\s*(\d+[A-Za-z]?)$/i;
const floorBehind = /[\s,]+\d+(?:st|nd|rd|th)\s+(?:floor|fl)\.?$/i;
const numberFirst =
  /^(\d+[A-Za-z]?(?:-(?:\d+[A-Za-z]?|[A-Za-z]))?(?:[\s-]+\d[/\u2044]\d|\s*[\u00bc-\u00be\u2150-\u215e])?)\s+(\S.*)$/;

/**
 * Splits a street line into number and street; drops a unit before or behind the number.
 * @example
 * readStreetLine('1600 Ocean Dr, Apt 4'); // { number: '1600', street: 'Ocean Dr' }
 */
export function readStreetLine(line1: string): StreetLine {
  const parts = line1
    .split(',')
    .map((part) => withoutUnit(part.trim().replace(numberSign, '$1 $2')))
    .filter((part) => part !== '');
  for (const part of parts) {
    const [, written, street] = numberFirst.exec(part) ?? [];
    const number = readHouseNumber(written ?? '');
    if (number !== undefined && street !== undefined) return { number, street };
  }
  for (const part of parts) {
    const [, street, written] = numberLast.exec(part) ?? [];
    const number = readHouseNumber(written ?? '');
    // A kilometer of a road is not a house number.
    if (number !== undefined && street !== undefined && !/\bkm\.?$/i.test(street)) return { number, street };
  }
  return { number: undefined, street: parts[0] ?? '' };
}

function withoutUnit(part: string): string {
  let rest = part;
  for (let tries = 0; tries < 3; tries += 1) {
    const next = rest.replace(unitBehind, '').replace(floorBehind, '').replace(placeBehind, '').trim();
    if (next === rest) break;
    rest = next;
  }
  return rest;
}

/** For geocoders that cannot handle a unit. */
export function streetLineWithoutUnit(line1: string): string {
  const { number, street } = readStreetLine(line1);
  return number === undefined ? street : `${number} ${street}`;
}
