import { type Point, sphericalDistanceMeters } from '../point/point.ts';
import type { NamedArea, Nickname } from './areas.ts';
import type { NamedPlace } from './named-table.ts';
import { placeKey, placeKeys } from './place-key.ts';
import { createSuggester } from './suggest-names.ts';

/** A name of a place, and about how many people live there. */
export interface PlaceName {
  readonly name: string;
  /** Lower case. */
  readonly state: string;
  /** Within a tenth; 0 if unknown, which is fewer than 500 in the states. */
  readonly population: number;
  /** `city`: ZIP codes are named after it. */
  readonly kind: 'city' | NamedPlace['kind'];
}

/** Places by name. */
export interface PlaceNames {
  /** Towns without ZIP codes of their name, neighborhoods, islands. */
  findPlaces(state: string, name: string): readonly NamedPlace[];
  /** In every state, most populous first. */
  placesNamed(name: string): readonly PlaceName[];
  /** Similar names, most populous first. */
  suggestPlaces(name: string, state?: string): readonly PlaceName[];
  /** The city that a nickname stands for. */
  cityOfNickname(key: string): Nickname | undefined;
}

interface Entry extends PlaceName {
  readonly place: NamedPlace | undefined;
}

/** For the order of lists: as a town of this size. */
const AREA_POPULATION = 50_000;
const weight = ({ kind, population }: PlaceName) => (kind === 'area' ? AREA_POPULATION : population);
export const byPopulation = (a: PlaceName, b: PlaceName) => weight(b) - weight(a) || (a.state < b.state ? -1 : 1);

/** @param cities ZIP cities with their keys. */
export function createPlaceNames(
  cities: Iterable<{
    readonly key: string;
    readonly name: string;
    readonly state: string;
    readonly population: number;
  }>,
  towns: readonly NamedPlace[],
  areas: readonly NamedArea[],
  nicknames: readonly Nickname[],
): PlaceNames {
  const entries = new Map<string, Entry[]>();
  const add = (key: string, entry: Entry) => {
    const present = entries.get(key);
    if (present === undefined) entries.set(key, [entry]);
    else present.push(entry);
  };
  for (const { key, name, state, population } of cities) {
    add(key, { name, state, population, kind: 'city', place: undefined });
  }
  for (const area of areas) {
    for (const name of [area.name, ...area.otherNames]) add(placeKey(name), { ...area, place: area });
  }
  for (const place of towns) {
    const key = placeKey(place.name);
    // The circle of the area holds it.
    const isInArea = entries.get(key)?.some(({ kind, state, place: area }) => {
      return kind === 'area' && state === place.state && isWithin(area!, place);
    });
    if (isInArea !== true) add(key, { ...place, place });
  }
  const nicknameOf = new Map(nicknames.map((each) => [placeKey(each.nickname), each]));
  const suggest = createSuggester(entries, byPopulation);
  const entriesOf = (name: string) =>
    placeKeys(name)
      .map((key) => entries.get(key) ?? [])
      .find(({ length }) => length > 0) ?? [];

  const placesNamed = (name: string): readonly PlaceName[] => {
    const nickname = nicknameOf.get(placeKey(name));
    const named =
      nickname === undefined ? [] : placesNamed(nickname.city).filter(({ state }) => state === nickname.state);
    return [...named, ...entriesOf(name)].sort(byPopulation);
  };
  return {
    findPlaces: (state, name) =>
      entriesOf(name).flatMap((entry) => (entry.state === state && entry.place !== undefined ? [entry.place] : [])),
    placesNamed,
    suggestPlaces: (name, state) => suggest(placeKey(name), state),
    cityOfNickname: (key) => nicknameOf.get(key),
  };
}

function isWithin(area: NamedPlace, point: Point): boolean {
  return sphericalDistanceMeters(area, point) <= area.errorRadiusMeters;
}
