import { METERS_PER_FOOT, METERS_PER_MILE } from '../number/units.ts';

const irregular: Readonly<Record<string, string>> = { feet: 'foot', 'square feet': 'square foot' };

/**
 * A unit after a number: `year` for 1, `years` for 2.
 *
 * @example
 * unitFor(1, 'feet'); // 'foot'
 */
export function unitFor(value: number, unit: string): string {
  if (value !== 1) return unit;
  return irregular[unit] ?? (unit.endsWith('s') ? unit.slice(0, -1) : unit);
}

/** Layout of a number. */
export interface QuantityOptions {
  /** Maximum number of decimals. @default 10 */
  readonly decimals?: number;
  /** The label before the number, which may contain the unit already: "claims in five years". @default none */
  readonly label?: string;
}

/**
 * A number with its unit as people write it: `$450,000`, `1,240 feet`, `15 years`, `2 %`. A year has no separator.
 *
 * @param unit undefined for a plain number
 * @example
 * writeQuantity(450000, 'dollars'); // '$450,000'
 */
export function writeQuantity(value: number, unit: string | undefined, options: QuantityOptions = {}): string {
  return writeRange(value, value, unit, options);
}

/**
 * The limits of a value, for messages: `1 to 100,000,000 dollars`, `0 to 200 years`, `1600 to 2027`.
 *
 * @param unit undefined for plain numbers
 * @example
 * writeLimits(1, 100_000_000, 'dollars'); // '1 to 100,000,000 dollars'
 */
export function writeLimits(min: number, max: number, unit?: string | undefined): string {
  const plain = unit === 'year' ? unit : undefined;
  const text = `${writeQuantity(min, plain)} to ${writeQuantity(max, plain)}`;
  return unit === undefined || unit === 'year' ? text : `${text} ${unit}`;
}

/**
 * Two numbers with their unit: `$400,000 to $450,000`, `15 to 20 years`. One number if both are written the same.
 *
 * @example
 * writeRange(15, 20, 'years'); // '15 to 20 years'
 */
export function writeRange(
  min: number,
  max: number,
  unit: string | undefined,
  { decimals = 10, label = '' }: QuantityOptions = {},
): string {
  const [from, to] = [writeNumber(min, unit, decimals), writeNumber(max, unit, decimals)];
  const text = from === to ? to : `${from} to ${to}`;
  if (unit === undefined || unit === 'dollars' || unit === 'year' || label.split(' ').includes(unit)) return text;
  return `${text} ${unit === 'percent' ? '%' : unitFor(to === '1' && from === to ? 1 : 2, unit)}`;
}

function writeNumber(value: number, unit: string | undefined, decimals: number): string {
  if (unit === 'year') return String(value);
  if (unit !== 'dollars') return formatOf(0, decimals).format(value);
  const cents = Number.isInteger(value) ? 0 : 2;
  return `${value < 0 ? '-' : ''}$${formatOf(cents, cents).format(Math.abs(value))}`;
}

const formats = new Map<string, Intl.NumberFormat>();

/** Kept, because `toLocaleString` would create a format for each number. */
function formatOf(minimumFractionDigits: number, maximumFractionDigits: number): Intl.NumberFormat {
  const key = `${minimumFractionDigits} ${maximumFractionDigits}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat('en-US', { minimumFractionDigits, maximumFractionDigits });
    formats.set(key, format);
  }
  return format;
}

/** Shorter lengths are in feet. */
const MIN_MILES = 0.19;

/**
 * A length in feet or miles, rounded: `180 feet`, `2.49 miles`.
 *
 * @example
 * writeLength(55); // '180 feet'
 */
export function writeLength(meters: number): string {
  const miles = meters / METERS_PER_MILE;
  if (miles >= MIN_MILES) return writeQuantity(miles, 'miles', { decimals: miles >= 100 ? 0 : 2 });
  return writeQuantity(Math.round(meters / METERS_PER_FOOT), 'feet');
}
