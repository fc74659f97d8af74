import { join } from 'node:path';
import { type BookRange, createAddressBookGeocoder, importAddresses, openAddressBook } from '@leeward/address-book';
import type { ZipGazetteer } from '@leeward/places/zips';
import type { Row } from '../report.ts';
import { metersBetween, quantile } from './measure-town.ts';
import type { TownRange } from './town.ts';
import { writeTiger } from './write-tiger.ts';

const county = join(import.meta.dirname, '../../fixtures/tiger-addrfeat/tl_2021_30059_addrfeat.zip');

type Place = TownRange['line'][number];

/** A stretch of street whose numbers rise along its line. */
interface Stretch {
  readonly zip: string;
  readonly left: readonly [from: number, to: number] | undefined;
  readonly right: readonly [from: number, to: number] | undefined;
  readonly line: readonly Place[];
}

/** A street with some ranges of a real one, and a number whose position follows from the others. */
interface Probe {
  readonly ranges: readonly Stretch[];
  readonly number: number;
  readonly truth: Place;
}

/**
 * Accuracy of interpolation on the ranges of a real county (Meagher, Montana), because no public file has both points
 * and ranges for one. Each stretch is left out once:
 *
 * - Two adjacent stretches are merged into one range from the first number to the last. The number at which they meet
 * is interpolated, and its true position is their common end. The error is that of evenly spaced numbers.
 * - The middle one of three consecutive stretches is removed, and its middle number is looked up on the street between the
 * other two.
 */
export async function measureRealCounty(
  folder: string,
  zips: ZipGazetteer,
): Promise<{ readonly rows: readonly Row[]; readonly ratios: Readonly<Record<string, number>> }> {
  const database = join(folder, 'county.sqlite');
  await importAddresses({ database, from: county, source: 'us/mt/meagher' });
  const joined: Probe[] = [];
  const leftOut: Probe[] = [];
  {
    using book = openAddressBook(database);
    for (const street of book.sampleStreets(100_000)) {
      const stretches = [...Map.groupBy(book.ranges(street), ({ edge }) => edge).values()].flatMap(
        (sides) => stretchOf(sides, street.zip ?? '') ?? [],
      );
      for (const low of stretches) {
        for (const high of stretches.filter((other) => isNext(low, other))) {
          joined.push(...joinedProbe(low, high));
          for (const behind of stretches.filter((other) => isNext(high, other)))
            leftOut.push(...leftOutProbe(low, high, behind));
        }
      }
    }
  }
  const rows: Row[] = [];
  const ratios: Record<string, number> = {};
  for (const [name, probes] of [
    ['two ranges as one', joined],
    ['a range left out', leftOut],
  ] as const) {
    const asked = await askProbes(probes, join(folder, name.replaceAll(' ', '-')), zips);
    const what = `real county, ${name}`;
    rows.push(
      { name: `${what}: numbers`, median: probes.length, unit: '' },
      { name: `${what}: answered`, median: asked.length, unit: '' },
      {
        name: `${what}: off, median`,
        median: quantile(
          asked.map(({ off }) => off),
          0.5,
        ),
        unit: 'm',
      },
      {
        name: `${what}: off, 95 %`,
        median: quantile(
          asked.map(({ off }) => off),
          0.95,
        ),
        unit: 'm',
      },
      {
        name: `${what}: radius, median`,
        median: quantile(
          asked.map(({ radius }) => radius),
          0.5,
        ),
        unit: 'm',
      },
    );
    ratios[`${what}: held by the radius`] = asked.filter(({ off, radius }) => off <= radius).length / asked.length;
  }
  return { rows, ratios };
}

/** An edge with its two sides, oriented so that numbers rise; undefined if the direction is unknown. */
function stretchOf(sides: readonly BookRange[], zip: string): Stretch | undefined {
  const [first] = sides;
  if (first === undefined || zip === '' || sides.some((side) => side.isDirectionDoubtful || side.prefix !== '')) {
    return undefined;
  }
  const isRising = sides.every(({ from, to }) => to > from);
  if (!isRising && !sides.every(({ from, to }) => to < from)) return undefined;
  const line = first.line.map(({ longitude, latitude }): Place => [longitude, latitude]);
  const numbers = (side: BookRange['side']): Stretch['left'] => {
    const range = sides.find((one) => one.side === side);
    return range === undefined ? undefined : [Math.min(range.from, range.to), Math.max(range.from, range.to)];
  };
  return isRising
    ? { zip, left: numbers('left'), right: numbers('right'), line }
    : { zip, left: numbers('right'), right: numbers('left'), line: line.toReversed() };
}

/** True if a stretch begins where another ends and its numbers continue. */
function isNext(low: Stretch, high: Stretch): boolean {
  const [end, begin] = [low.line.at(-1)!, high.line[0]!];
  if (low === high || end[0] !== begin[0] || end[1] !== begin[1]) return false;
  return sidesOf(low, high).length > 0;
}

function sidesOf(low: Stretch, high: Stretch): readonly ('left' | 'right')[] {
  return (['left', 'right'] as const).filter((side) => {
    const [before, behind] = [low[side], high[side]];
    return (
      before !== undefined &&
      behind !== undefined &&
      behind[0] > before[1] &&
      behind[0] - before[1] <= 100 &&
      (behind[0] - before[1]) % 2 === 0
    );
  });
}

function joinedProbe(low: Stretch, high: Stretch): readonly Probe[] {
  const [side] = sidesOf(low, high);
  if (side === undefined) return [];
  const whole = { zip: low.zip, left: undefined, right: undefined, line: [...low.line, ...high.line.slice(1)] };
  const [before, behind] = [low[side]!, high[side]!];
  return [{ ranges: [{ ...whole, [side]: [before[0], behind[1]] }], number: before[1], truth: low.line.at(-1)! }];
}

function leftOutProbe(low: Stretch, middle: Stretch, high: Stretch): readonly Probe[] {
  const side = sidesOf(low, middle).find((one) => sidesOf(middle, high).includes(one));
  if (side === undefined) return [];
  const [from, to] = middle[side]!;
  return [{ ranges: [low, high], number: from + 2 * Math.round((to - from) / 4), truth: halfWay(middle.line) }];
}

function halfWay(line: readonly Place[]): Place {
  const lengths = line.slice(1).map((place, index) => metersBetween(pointOf(line[index]!), pointOf(place)));
  let left = lengths.reduce((sum, each) => sum + each, 0) / 2;
  for (const [index, length] of lengths.entries()) {
    if (left <= length) {
      const share = length === 0 ? 0 : left / length;
      const [a, b] = [line[index]!, line[index + 1]!];
      return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
    }
    left -= length;
  }
  return line.at(-1)!;
}

const pointOf = ([longitude, latitude]: Place) => ({ longitude, latitude });

/** Imports each probe as a separate street and looks up its number. */
async function askProbes(
  probes: readonly Probe[],
  stem: string,
  zips: ZipGazetteer,
): Promise<readonly { readonly off: number; readonly radius: number }[]> {
  const streetOf = (index: number) =>
    `Probe ${[...String(index)].map((digit) => 'ABCDEFGHIJ'[Number(digit)]).join('')} Rd`;
  const ranges = probes.flatMap(({ ranges: stretches }, index) =>
    stretches.map((stretch): Omit<TownRange, 'edge'> => ({ ...stretch, street: streetOf(index) })),
  );
  writeTiger(
    stem,
    ranges.map((range, index) => ({ ...range, edge: index + 1 })),
  );
  const database = `${stem}.sqlite`;
  await importAddresses({ database, from: `${stem}.shp`, source: 'us/mt/probes', state: 'mt' });
  using book = openAddressBook(database);
  const geocoder = createAddressBookGeocoder(book, zips);
  const asked: { off: number; radius: number }[] = [];
  for (const [
    index,
    {
      number,
      truth,
      ranges: [first],
    },
  ] of probes.entries()) {
    const line1 = `${number} ${streetOf(index)}`;
    const answer = await geocoder.geocode({ line1, city: undefined, state: 'mt', zip: first!.zip });
    if (answer.status !== 'found') continue;
    asked.push({ off: metersBetween(answer.geocode, pointOf(truth)), radius: answer.geocode.errorRadiusMeters });
  }
  return asked;
}
