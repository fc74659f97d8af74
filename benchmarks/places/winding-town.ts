import type { ZipGazetteer } from '@leeward/places/zips';
import { createRandom, pick, wholeNumber } from '../../test/support/random.ts';
import { namesOfStreets, normalOf, pointAt, streetsOf, type Town, type TownHouse, type TownRange } from './town.ts';

const suffixes = ['Way', 'Cir', 'Trl', 'Rd', 'Ln', 'Pl'];

/**
 * A town that no parameter was tuned on: winding streets, and numbers by the frontage of very different lots. Ranges run
 * from the first house to the last, as counties publish them; points are in the middle of parcels. Every fourth street has a
 * new end that is missing in the file of points.
 */
export function inventWindingTown(zips: ZipGazetteer, count: number, seed: number): Town {
  const random = createRandom(seed);
  const normal = normalOf(random);
  const houses: TownHouse[] = [];
  const ranges: TownRange[] = [];
  let edge = 1;
  const nameStreet = () => {
    const before = random() < 0.2 ? pick(random, ['N ', 'S ', 'E ', 'W ']) : '';
    return `${before}${pick(random, namesOfStreets)} ${pick(random, suffixes)}`;
  };
  for (const { place, isTown, street } of streetsOf(zips, nameStreet)) {
    if (houses.length >= count) break;
    const [isInPoints, isInRanges, isGrowing] = [random() > 0.2, random() > 0.05, random() < 0.25];
    const reach = Math.min(place.errorRadiusMeters * 0.4, 8_000);
    let [x, y] = [(random() - 0.5) * 2 * reach, (random() - 0.5) * 2 * reach];
    let heading = random() * 2 * Math.PI;
    const lot = isTown ? 25 : 110;
    // House number by frontage, as counties number by tenths of a mile.
    const metersANumber = isTown ? 3 : 5.3;
    const first = 100 * wholeNumber(random, 1, 60);
    const blocks = wholeNumber(random, 1, isTown ? 6 : 4);
    let along = 0;
    for (let block = 0; block < blocks; block += 1) {
      const isNew = isGrowing && block >= blocks / 2;
      const length = isTown ? 120 + random() * 280 : 400 + random() * 1_600;
      const step = 20;
      const line = [pointAt(place, x, y, normal, 3)];
      const sides: { readonly number: number }[][] = [[], []];
      const nextLot = [random() * lot, random() * lot];
      for (let gone = 0; gone < length; gone += step) {
        heading += normal() * (isTown ? 0.1 : 0.06);
        const [px, py] = [x, y];
        x += Math.cos(heading) * step;
        y += Math.sin(heading) * step;
        if (gone % 60 === 0 || gone + step >= length) line.push(pointAt(place, x, y, normal, 3));
        for (const side of [0, 1] as const) {
          while (nextLot[side]! <= gone + step) {
            const width = lot * Math.exp(0.6 * normal());
            const middle = nextLot[side]! + width / 2;
            nextLot[side]! += width;
            const share = Math.min(1, Math.max(0, (middle - gone) / step));
            const number = first + 2 * Math.round((along + middle) / metersANumber / 2) + side;
            if (sides[side]!.some((other) => other.number === number) || middle > length) continue;
            const depth = isTown ? 32 + 8 * normal() : 80 + 50 * Math.abs(normal());
            const outward = side === 0 ? 1 : -1;
            const away = (meters: number, spread: number) =>
              pointAt(
                place,
                px + (x - px) * share - Math.sin(heading) * meters * outward,
                py + (y - py) * share + Math.cos(heading) * meters * outward,
                normal,
                spread,
              );
            const [longitude, latitude] = away(Math.max(10, depth * (0.4 + 0.4 * random())), 3);
            const recorded = away(depth / 2 + 6, isTown ? 4 : 12);
            const isInFile = isInPoints && !isNew && random() > 0.12;
            sides[side]!.push({ number });
            houses.push({ number, street, city: place.city!, zip: place.zip, latitude, longitude, isInFile, recorded });
          }
        }
      }
      along += length;
      const numbersOf = (side: 0 | 1): readonly [number, number] => {
        const numbers = sides[side]!.map(({ number }) => number);
        return [Math.min(...numbers), Math.max(...numbers)];
      };
      if (isInRanges && sides.every((side) => side.length > 0)) {
        ranges.push({ edge, street, zip: place.zip, left: numbersOf(0), right: numbersOf(1), line });
        edge += 1;
      }
    }
  }
  return { houses: houses.slice(0, count), ranges, kind: 'parcel' };
}
