import { placeKey } from './place-key.ts';
import type { ZipGazetteer, ZipPoint } from './zip-gazetteer.ts';

/** What a city's name means in a state. */
export interface CityReading {
  readonly zips: readonly ZipPoint[];
  /** Names of the same place, as `placeKey` gives them. */
  readonly keys: ReadonlySet<string>;
  /** The name is of more than one city: a borough, a county. */
  readonly isWider: boolean;
}

/** The ZIP codes of a city as people name it. */
export function cityReading(zips: ZipGazetteer, state: string, city: string): CityReading {
  const points = zips.findCity(state, city);
  const own = placeKey(city);
  const keys = new Set([own, ...points.flatMap((point) => (point.city === undefined ? [] : placeKey(point.city)))]);
  return { zips: points, keys, isWider: keys.size > 2 };
}
