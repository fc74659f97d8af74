import { METERS_PER_FOOT, METERS_PER_MILE } from '@leeward/terms';

/** `820 feet`, `1.62 miles`, `12 miles`. */
export function describeLength(meters: number): string {
  const miles = meters / METERS_PER_MILE;
  if (miles < 1) {
    const feet = meters / METERS_PER_FOOT;
    const rounded = feet < 100 ? Math.round(feet) : Math.round(feet / 10) * 10;
    return `${rounded.toLocaleString('en-US')} ${rounded === 1 ? 'foot' : 'feet'}`;
  }
  const rounded = miles < 10 ? Math.round(miles * 100) / 100 : Math.round(miles);
  return `${rounded.toLocaleString('en-US')} ${rounded === 1 ? 'mile' : 'miles'}`;
}

/** `1,900 to 2,150 feet`, `0 feet to 2.2 miles`, `about 198 miles`. */
export function describeRange(min: number, max: number): string {
  const [from, to] = [describeLength(min), describeLength(max)];
  if (from === to) return `about ${to}`;
  const [, unit] = to.split(' ');
  return `${from.endsWith(` ${unit}`) ? from.split(' ')[0] : from} to ${to}`;
}

const quarters: Readonly<Record<string, string>> = { N: 'north', E: 'east', S: 'south', W: 'west' };

/** `S` → `south`, `NE` → `northeast`, `SSE` → `south-southeast`. */
export function describeDirection(compassPoint: string): string {
  const words = [...compassPoint].map((letter) => quarters[letter] ?? letter);
  return words.length === 3 ? `${words[0]}-${words[1]}${words[2]}` : words.join('');
}
