/**
 * Accuracy of the side of the shore at places that other sources call land, within 25 km of the tidal shore. `wrong` are called water,
 * `unknown` neither (`isOnLand`).
 *
 *     node --conditions=@leeward/source data-recipes/coastline-us/measure/on-land.ts [places] [file for the wrong ones]
 */
import { writeFileSync } from 'node:fs';
import { type GeographicPoint, isOnLand } from '@leeward/coast';
import { protoCoast } from '../zz-proto.ts';
import { LAND_DOUBT_METERS, landPlaces, zipPlaces } from './land-places.ts';

/** Alaska's fjords are in neither outline. */
const WHERE = [
  { name: '', holds: () => true },
  { name: ', without Alaska', holds: ({ latitude }: GeographicPoint) => latitude < 51 },
] as const;

const [countText = '100000', file] = process.argv.slice(2);
const coast = protoCoast();
const wrong: string[] = [];

for (const [source, places] of [
  ['inside the outlines of Census and Natural Earth', landPlaces(coast, Number(countText), 4)],
  ['ZIP points', await zipPlaces(coast)],
] as const) {
  const rows = places.map((place) => {
    const answer = coast.nearest(place);
    return { ...place, answer, isLand: isOnLand(answer) };
  });
  for (const [doubt, where] of LAND_DOUBT_METERS.flatMap((doubt) => WHERE.map((where) => [doubt, where] as const))) {
    const some = rows.filter((row) => row.outlineMeters >= doubt && where.holds(row));
    const farthest = some.reduce(
      (most, { answer, isLand }) => (isLand === false ? Math.max(most, answer.distanceMeters) : most),
      0,
    );
    const share = (told: boolean | null): string => {
      const count = some.filter(({ isLand }) => isLand === told).length;
      return `${count} (${((100 * count) / some.length).toFixed(3)} %)`;
    };
    console.log(
      `${source}, ${doubt} m or more inside${where.name}: ${some.length}; wrong ${share(false)}, the farthest ${farthest.toFixed(0)} m from its shore; unknown ${share(null)}`,
    );
  }
  for (const { latitude, longitude, outlineMeters, answer, isLand } of rows) {
    if (isLand === true) continue;
    const sources = answer.sources
      .map(({ dataset, distanceMeters }) => `${dataset} ${distanceMeters.toFixed(0)}`)
      .join(' ');
    wrong.push(
      `${isLand === null ? `unknown, ${answer.side}` : 'water'}\t${latitude.toFixed(4)}\t${longitude.toFixed(4)}\t${outlineMeters.toFixed(0)}\t${answer.distanceMeters.toFixed(0)}\t${sources}\t${source}`,
    );
  }
}
if (file !== undefined) writeFileSync(file, `${wrong.join('\n')}\n`);
