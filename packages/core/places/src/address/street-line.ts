import { readHouseNumber } from './house-number.ts';
import { startsWithDirection } from './take-direction.ts';

/** Number and street of a street line. */
export interface StreetLine {
  /** As `readHouseNumber` returns it. */
  readonly number: string | undefined;
  /** Without number and unit; empty for a box at a post office or on a mail route. */
  readonly street: string;
}

const unitName =
  '(?:apartment|apt|unit|condo|suite|ste|building|bldg|bld|blg|floor|flr|lot|room|rm|space|spc|trailer|trlr|pmb|penthouse|ph|slip|dept|office|ofc|hangar|hngr|basement|bsmt|sb|apartamento|apto|unidad|oficina|edificio|edif|piso|#)';
/** "4", "12B", "B-12", "B". */
const unitValue = String.raw`(?:[a-z]?-?\d[\w-]*|[a-z])`;
/** "Apt 4", "Unit #B", "# 12", "PH-2", "Apt 13 C". A letter that can be a direction is not part of the unit. */
const unitBehind = new RegExp(
  String.raw`(?:^|[\s,]+)(?:(?:${unitName}|fl)(?:[\s.]+no)?|no|(?:(?:lock|mail) ?)?box)\.?[\s#-]*(?:${unitValue}|\d+\s[a-df-mo-rt-vx-z])\.?$`,
  'i',
);
/** "Apt 4 100 Main St". */
const unitFirst = new RegExp(String.raw`^${unitName}\.?[\s#-]*${unitValue}\s+(?=\S)`, 'i');
/** "# G Main St", between number and street. */
const unitBetween = new RegExp(
  String.raw`^(?:apartment|apt|unit|suite|ste|#)\.?[\s#-]*${unitValue}\s+(?=\S+\s+\S)`,
  'i',
);
/** Need no number. */
const placeBehind = /[\s,]+(?:basement|bsmt|penthouse|ph|uppr|lowr|frnt|lobby|mezzanine|ofc|unit|apt|#)\.?$/i;
const floorBehind =
  /[\s,]+(?:\d+(?:st|nd|rd|th)\s+(?:floor|flr|fl|level)|\d+\s+(?:floor|flr)|(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|ground|lower|upper|main|top)\s+(?:floor|flr|fl|level|lvl))\.?$/i;
/** Words for the mail carrier. */
const mailBehind =
  /[\s,]+(?:(?:attn|attention|c\/o)\b.*|(?:rr|rural route|hcr?|highway contract route)\s*#?\s*\d\w*\s+box\s*#?\s*[\w-]+)$/i;

const suffix =
  '(?:st|street|ave|avenue|blvd|boulevard|dr|drive|ln|lane|ct|court|pl|place|way|ter|terrace|cir|circle|pkwy|parkway)';
const direction = String.raw`(?:[ns]\.?\s?[ew]|[nsew]|(?:north|south)(?:east|west)?|east|west)\.?`;
/** "Main St 600", "Main St N 12B": a unit without a word. "County Street 2800", "S Avenue 12E" are names. */
const valueBehind = new RegExp(String.raw`^(.*\S\s+${suffix}\.?(?:\s+${direction})?)\s+[a-z]{0,2}-?\d[\w-]*$`, 'i');
const endsInSuffix = new RegExp(String.raw`\s(?:${suffix}|rd|road)\.?(?:\s+${direction})?$`, 'i');
const numberedName = new RegExp(
  String.raw`^(?:${direction}\s+)?(?:(?:county|co|state|township|twp|forest|private|old)\s+)?${suffix}\b`,
  'i',
);

/** "State Highway #50": its number, not a unit. */
const routeSign = new RegExp(
  String.raw`^((?:\d\S*\s+)?(?:${direction}\s+)?(?:(?:u\.?\s?s\.?|state|st|county|co)\.?\s+)?(?:highway|hghwy|hwy|route|rte|rt)\.?)\s*(?:#|no\b\.?|number)\s*(?=\d|[a-z]\b)`,
  'i',
);
/** "RR 2 Box 38", "PO Box 12": a box, no house. */
const routeBox =
  /^(?:p\.?\s?o\.?|post office|rr|r\.r\.|rural route|rfd|r\.f\.d\.|hc|hcr|hc r|(?:hc|star|(?:highway|hwy) contract)(?: route| rte)?|route|rte|rt)\.?\s*#?\s*\w*[\s,]+(?:(?:lock|mail)?box|bx)\b/i;

/** Puerto Rico: `Calle Loíza 1234`. */
const numberLast =
  /^((?:calle|c\/|avenida|ave|carretera|carr|camino|paseo|boulevard|blvd)\.?\s+.*\S)\s+#?(\d+[A-Za-z]?(?:-\d+)?)$/i;
const numberSign = /^((?:calle|avenida|ave|carretera|camino|paseo)\.?\s[^#]*?)\s*#\s*(\d+[A-Za-z]?)$/i;
const numberFirst =
  /^(\d+[A-Za-z]?(?:-(?:\d+[A-Za-z]?|[A-Za-z])|\s+-\s*\d+)?(?:[\s-]+\d[/\u2044]\d|\s*[\u00bc-\u00be\u2150-\u215e])?)\s+(\S.*)$/;
/** Wisconsin `N79 W5406 Main St`, `W5406 Main St`; Illinois `28W123 Main St`. */
const gridFirst = /^([NSEW]\d+\s?[NSEW]\d+|[NSEW]\d{3,5}|\d{1,2}[NSEW]\d{2,4})\s+(\S.*)$/i;
/** Utah: `48S 400E`. */
const gluedGrid = /^(\d+)([NSEW])\s+(\d+)\s?([NSEW])$/i;
/** `12 B South Main St`, but not `12 B St`, `12 J Smith St`. */
const letterBetween = new RegExp(String.raw`^(?!u\.?\s?s\b)([a-df-mo-rt-vx-z])[.-]?\s+(${direction}\s+\S.*)$`, 'i');

/**
 * Splits a street line into number and street; drops a unit before or behind the number.
 * @example
 * readStreetLine('1600 Ocean Dr, Apt 4'); // { number: '1600', street: 'Ocean Dr' }
 */
export function readStreetLine(line1: string): StreetLine {
  if (routeBox.test(line1)) return { number: undefined, street: '' };
  const parts = line1
    .split(',')
    .map((part) => withoutUnit(part.trim().replace(numberSign, '$1 $2').replace(routeSign, '$1 ')))
    .filter((part) => part !== '');
  const lines = parts.map(readNumberFirst);
  const at = lines.findIndex((line) => line !== undefined);
  const line = lines[at];
  if (line !== undefined) {
    // "1542, 1544 Wells St" and "30 Allen Plaza, 20 Ivan Allen Blvd" are two houses.
    if (parts.slice(0, at).some((part) => /^\d+[a-z]?$/i.test(part))) return { number: undefined, street: line.street };
    const other = lines.slice(at + 1).find((each) => each !== undefined && endsInSuffix.test(each.street));
    if (other !== undefined && (other.number !== line.number || other.street !== line.street)) {
      return { number: undefined, street: line.street };
    }
    // "75 Fifth Street, NW".
    const behind = startsWithDirection(parts[at + 1] ?? '');
    return behind === undefined ? line : { number: line.number, street: `${line.street} ${behind}` };
  }
  for (const part of parts) {
    const [, street, written] = numberLast.exec(part) ?? [];
    const number = readHouseNumber(written ?? '');
    // A kilometer of a road is not a house number.
    if (number !== undefined && street !== undefined && !/\bkm\.?$/i.test(street)) return { number, street };
  }
  return { number: undefined, street: parts[0] ?? '' };
}

function readNumberFirst(part: string): StreetLine | undefined {
  const plain = part.replace(gluedGrid, '$1 $2 $3 $4');
  const [, written = '', rest = ''] = gridFirst.exec(plain) ?? numberFirst.exec(plain) ?? [];
  const number = readHouseNumber(written);
  if (number === undefined) return undefined;
  const [, letter, behindLetter] = /^\d+$/.test(number) ? (letterBetween.exec(rest) ?? []) : [];
  if (letter !== undefined) return { number: `${number}${letter.toUpperCase()}`, street: behindLetter! };
  const street = rest.replace(unitBetween, '');
  const [, named] = numberedName.test(street) ? [] : (valueBehind.exec(street) ?? []);
  return { number, street: named ?? street };
}

function withoutUnit(part: string): string {
  let rest = part.replace(mailBehind, '');
  for (let tries = 0; tries < 3; tries += 1) {
    const next = rest.replace(unitBehind, '').replace(floorBehind, '').replace(placeBehind, '').trim();
    if (next === rest) break;
    rest = next;
  }
  const behindUnits = rest.replace(unitFirst, '').replace(unitFirst, '');
  return /^[NSEW]?\d/i.test(behindUnits) ? behindUnits : rest;
}

/** For geocoders that cannot handle a unit; undefined without a street. */
export function streetLineWithoutUnit(line1: string | undefined): string | undefined {
  const { number, street } = readStreetLine(line1 ?? '');
  if (street === '') return undefined;
  return number === undefined ? street : `${number} ${street}`;
}
