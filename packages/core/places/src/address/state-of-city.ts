import type { PlaceName } from '../names/place-names.ts';
import { type AddressNote, quote } from './address-problem.ts';
import type { CityLookup } from './city-lookup.ts';

/** A city this many times as populous as all its namesakes is recognized without its state. */
const DOMINANCE = 20;
/** A population that is unknown is smaller. */
const UNKNOWN_POPULATION = 500;

/**
 * The state of a city that is written without one: the home's, or that of the only place of the name, or of one that is far more populous than its
 * namesakes; undefined if there is no such place.
 */
export function stateOfCity(
  city: string,
  cities: CityLookup | undefined,
  homeState: string | undefined,
): { readonly state: string; readonly note: AddressNote | undefined } | undefined {
  if (homeState !== undefined) return { state: homeState, note: undefined };
  const [first, ...others] = cities?.placesNamed(city) ?? [];
  if (first === undefined) return undefined;
  const elsewhere = others.filter(({ state }) => state !== first.state);
  if (elsewhere.length === 0) return { state: first.state, note: undefined };
  const inhabitants = elsewhere.reduce((sum, each) => sum + Math.max(each.population, UNKNOWN_POPULATION), 0);
  if ([first, ...elsewhere].some(({ kind }) => kind === 'area') || first.population < DOMINANCE * inhabitants) {
    return undefined;
  }
  const message = `The address lacks a state: ${quote(city)} is read as ${formatName(first)}. A place of that name is also in ${listStates(elsewhere)}: add the state if you mean another.`;
  return { state: first.state, note: { code: 'state_assumed', message } };
}

/** A sentence with a leading space, or the empty string. */
export function hintOfState(name: string, cities: CityLookup): string {
  const places = cities.placesNamed(name);
  if (places.length > 0) return ` A city of that name is in ${listStates(places)}: add the state.`;
  return didYouMeanPlace(cities.suggestPlaces(name));
}

/** A sentence with a leading space, or the empty string. */
export function didYouMeanPlace(names: readonly PlaceName[]): string {
  if (names.length === 0) return '';
  const list = names.map(formatName);
  const last = list.at(-1)!;
  return ` Did you mean ${list.length === 1 ? last : `${list.slice(0, -1).join('; ')} or ${last}`}?`;
}

function formatName({ name, state }: PlaceName): string {
  return `${name}, ${state.toUpperCase()}`;
}

function listStates(places: readonly PlaceName[]): string {
  return [...new Set(places.map(({ state }) => state.toUpperCase()))].join(', ');
}
