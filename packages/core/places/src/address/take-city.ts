import { findCounties } from '../counties/index.ts';
import { placeKey } from '../names/place-key.ts';
import type { CityLookup } from './city-lookup.ts';
import { isQuadrant } from './take-direction.ts';
import { dropLast, type Tail } from './take-end.ts';

const MAX_CITY_WORDS = 6;
const unit = /^(?:apt|apartment|unit|suite|ste|#|lot|bldg|building|floor|fl|room|rm|trlr|trailer)\b|^#/i;

/**
 * The last part between commas if it is a city, else the longest city of the state at its end, else the whole last part behind a street,
 * since no gazetteer has every name.
 */
export function takeCity(
  tail: Tail,
  state: string | undefined,
  zip: string | undefined,
  cities: CityLookup | undefined,
): { readonly tail: Tail; readonly city: string | undefined } {
  const last = tail.at(-1);
  if (last === undefined) return { tail, city: undefined };
  const whole = last.join(' ');
  const isPlace = (name: string) =>
    state !== undefined && cities !== undefined && cities.findPlaces(state, name).length > 0;
  const isCity = (name: string) =>
    state !== undefined && cities !== undefined && (cities.findCity(state, name).length > 0 || isPlace(name));
  if (isCity(whole)) return { tail: tail.slice(0, -1), city: whole };
  if (tail.length > 1 && state !== undefined && isCountyLabel(state, whole)) {
    return takeCity(tail.slice(0, -1), state, zip, cities);
  }
  for (let count = Math.min(MAX_CITY_WORDS, last.length - 1); count > 0; count -= 1) {
    const city = last.slice(-count).join(' ');
    // A street in Paris, though there is a St. Paris in Ohio.
    if (/^st\.? /i.test(city) && isCityOfZip(city.slice(city.indexOf(' ') + 1), zip, cities)) continue;
    const rest = last.slice(0, -count);
    // "Lucerne Dr S E Grand Rapids" is on Lucerne Dr SE, though there is an East Grand Rapids.
    const behindDirection = city.slice(city.indexOf(' ') + 1);
    if (/^[ns]\.?$/i.test(rest.at(-1)!) && /^[ew]\.? /i.test(city) && isCityOfZip(behindDirection, zip, cities))
      continue;
    // "N. Orange" between commas is a city.
    const isWhole = rest.length === 1 && tail.length > 1 && /^(?:[nsew]|north|south|east|west)\.?$/i.test(rest[0]!);
    if (isCityOfZip(city, zip, cities) && !isWhole) return { tail: dropLast(tail, count), city };
    if (isCity(city) && (/\d/.test(rest.join('')) || isPlace(rest.join(' '))))
      return { tail: dropLast(tail, count), city };
    const endsStreet = /^\d/.test(rest[0]!) && isStreet(rest);
    if (state === undefined && endsStreet && (cities?.placesNamed(city).length ?? 0) > 0) {
      return { tail: dropLast(tail, count), city };
    }
  }
  // "123 Main St, NW Washington" is on Main St NW.
  const [first, ...others] = last;
  const rest = others.join(' ');
  if (tail.length > 1 && rest !== '' && isQuadrant(first!)) {
    return { tail: [...tail.slice(0, -1), [first!]], city: rest };
  }
  const named = !/\d/.test(whole) && !unit.test(whole);
  const alone = tail.length === 1;
  return named && (!alone || !isStreet(last)) ? { tail: tail.slice(0, -1), city: whole } : { tail, city: undefined };
}

function isCityOfZip(name: string, zip: string | undefined, cities: CityLookup | undefined): boolean {
  const city = zip === undefined ? undefined : cities?.find(zip)?.city;
  return city !== undefined && placeKey(city) === placeKey(name);
}

function isCountyLabel(state: string, part: string): boolean {
  return /\s(?:county|parish|borough|co\.?)$/i.test(part) && findCounties(state, part).length > 0;
}

/** `Ocean Drive`: a street without a number. */
function isStreet(words: readonly string[]): boolean {
  return /^(?:st|street|ave|avenue|rd|road|dr|drive|ln|lane|blvd|boulevard|ct|court|hwy|highway|pkwy|way|cir|circle|ter|terrace|pl|place)\.?$/i.test(
    words.at(-1) ?? '',
  );
}
