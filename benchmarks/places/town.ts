import type { ZipGazetteer, ZipPoint } from '@leeward/places/zips';
import { createRandom, pick, wholeNumber } from '../../test/support/random.ts';

/** A house of the town at its true position. */
export interface TownHouse {
  readonly number: number;
  readonly street: string;
  readonly city: string;
  readonly zip: string;
  readonly latitude: number;
  readonly longitude: number;
  /** True if the file of points contains it. */
  readonly isInFile: boolean;
  /** Its position in that file, if it differs from the true one. */
  readonly recorded?: readonly [longitude: number, latitude: number];
}

/** One block as in TIGER/Line: the possible numbers of its sides. Houses use some of them. */
export interface TownRange {
  readonly edge: number;
  readonly street: string;
  readonly zip: string;
  readonly left: readonly [from: number, to: number] | undefined;
  readonly right: readonly [from: number, to: number] | undefined;
  readonly line: readonly (readonly [longitude: number, latitude: number])[];
}

export interface Town {
  readonly houses: readonly TownHouse[];
  readonly ranges: readonly TownRange[];
  /** The kind of its points, as recorded in the file. */
  readonly kind: 'rooftop' | 'parcel';
}

export const namesOfStreets =
  'Ocean Oceans Main Maine Palm Palms Lake Lakes Oak Oakes Elm Pine Cedar Mill Hill Church Park Bay River Ridge Sunset Maple Walnut Spring Highland'.split(
    ' ',
  );
const suffixes = ['St', 'Ave', 'Dr', 'Rd', 'Ln', 'Ct'];
const befores = ['', '', '', 'N ', 'S ', 'E ', 'W '];
const METERS_PER_DEGREE = 111_195;

/**
 * Invented streets at real ZIP codes of Florida, half of them in towns. Names recur with other suffixes and directions and
 * in the next ZIP code. Houses use the first part of blocks of a hundred numbers. There are curves, gaps, houses set back
 * and points that are a few meters off. One street in five is missing in the file of points, one in twenty in the file of
 * ranges.
 */
export function inventTown(zips: ZipGazetteer, count: number, seed: number): Town {
  const random = createRandom(seed);
  const normal = normalOf(random);
  const houses: TownHouse[] = [];
  const ranges: TownRange[] = [];
  let edge = 1;
  const nameStreet = () => `${pick(random, befores)}${pick(random, namesOfStreets)} ${pick(random, suffixes)}`;
  for (const { place, isTown, street } of streetsOf(zips, nameStreet)) {
    if (houses.length >= count) break;
    const [isInPoints, isInRanges] = [random() > 0.2, random() > 0.05];
    const reach = Math.min(place.errorRadiusMeters * 0.4, 8_000);
    let [x, y] = [(random() - 0.5) * 2 * reach, (random() - 0.5) * 2 * reach];
    let heading = random() * 2 * Math.PI;
    const bend = normal() * (isTown ? 0.03 : 0.08);
    const blocks = wholeNumber(random, 2, isTown ? 10 : 6);
    const firstBlock = wholeNumber(random, 1, 40);
    let gap = 0;
    for (let block = firstBlock; block < firstBlock + blocks; block += 1) {
      const length = isTown ? 90 + random() * 110 : 300 + random() * 900;
      const lot = isTown ? 16 + random() * 12 : 60 + random() * 120;
      const pieces = 6;
      const line = [pointAt(place, x, y, normal, 3)];
      const path: (readonly [number, number, number])[] = [[x, y, heading]];
      for (let piece = 0; piece < pieces; piece += 1) {
        x += (Math.cos(heading) * length) / pieces;
        y += (Math.sin(heading) * length) / pieces;
        heading += bend;
        path.push([x, y, heading]);
        line.push(pointAt(place, x, y, normal, 3));
      }
      const lots = Math.min(49, Math.floor(length / lot));
      const step = isTown ? 4 : 2 * Math.max(1, Math.floor(50 / (lots + 1)));
      for (let index = 0; index < lots; index += 1) {
        const along = ((index + 0.5) / lots) * pieces;
        const [px, py, angle] = path[Math.floor(along)]!;
        const [nx, ny] = path[Math.min(pieces, Math.floor(along) + 1)]!;
        const share = along % 1;
        for (const side of [0, 1]) {
          const number = block * 100 + Math.min(98, index * step) + (side === 0 ? 1 : 0);
          if (gap === 0 && random() < 0.03) gap = 1 + Math.floor(random() * 8);
          else if (gap > 0) gap -= 1;
          const back = (isTown ? 14 + 5 * Math.abs(normal()) : 25 + 45 * Math.abs(normal())) * (side === 0 ? 1 : -1);
          const [hx, hy] = [
            px + (nx - px) * share - Math.sin(angle) * back,
            py + (ny - py) * share + Math.cos(angle) * back,
          ];
          const [longitude, latitude] = pointAt(place, hx, hy, normal, 2);
          houses.push({
            number,
            street,
            city: place.city!,
            zip: place.zip,
            latitude,
            longitude,
            isInFile: isInPoints && gap === 0 && random() > 0.15,
          });
        }
      }
      if (isInRanges) {
        const [odd, even] = [
          [block * 100 + 1, block * 100 + 99],
          [block * 100, block * 100 + 98],
        ] as const;
        ranges.push({ edge, street, zip: place.zip, left: odd, right: even, line });
        edge += 1;
      }
    }
  }
  return { houses: houses.slice(0, count), ranges, kind: 'rooftop' };
}

/** Standard normal distribution. */
export function normalOf(random: () => number): () => number {
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** An endless list of streets by ZIP code. A name occurs once per ZIP code, because addresses are unique. */
export function* streetsOf(zips: ZipGazetteer, nameStreet: () => string) {
  const places = placesOfTown(zips);
  const used = new Set<string>();
  for (let turn = 0; ; turn += 1) {
    const place = places[turn % places.length]!;
    const street = nameStreet();
    if (used.has(`${street} ${place.zip}`)) continue;
    used.add(`${street} ${place.zip}`);
    yield { place, street, isTown: place.errorRadiusMeters <= 6_000 };
  }
}

function placesOfTown(zips: ZipGazetteer): readonly ZipPoint[] {
  return [
    { latitude: 25.8, longitude: -80.25 },
    { latitude: 30.5, longitude: -83.2 },
  ]
    .flatMap((point) => zips.nearest(point, 40).map(({ zipPoint }) => zipPoint))
    .filter(({ city, positionFrom, state }) => city !== undefined && positionFrom === 'census' && state === 'fl');
}

/** A random point about this many meters east and north of a ZIP point. */
export function pointAt(
  { latitude, longitude }: ZipPoint,
  x: number,
  y: number,
  normal: () => number,
  noise: number,
): readonly [number, number] {
  const eastward = METERS_PER_DEGREE * Math.cos((latitude * Math.PI) / 180);
  return [longitude + (x + noise * normal()) / eastward, latitude + (y + noise * normal()) / METERS_PER_DEGREE];
}
