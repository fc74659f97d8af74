/**
 * The items of the list `events`: what an event is for one home at one time.
 *
 * A field of an item is known, or bounded by the known place of the home: a circle, else the possible counties, else the state. Fields are derived only if a condition tests them.
 */
import { countiesOf, states } from '@leeward/places/counties';
import { dateInZone, readInstant } from '@leeward/terms';
import { LOCATION } from '../area/area.ts';
import type { HazardEvent } from '../events/hazard-event.ts';
import {
  type CountyMiles,
  type Inclusion,
  inclusionOf,
  type Miles,
  milesToArea,
  milesToCircle,
  milesToCounty,
  milesToState,
  type Region,
  regionOfCircle,
  regionOfCounty,
} from '../events/shapes.ts';
import { between, isWithin, type Knowledge } from '../request/knowledge.ts';
import type { PropertyLocation } from '../request/property-location.ts';
import { NO, YES } from '../vocabulary/flag-field.ts';

/** A home at the time of a request, as far as events depend on it. */
export interface HomeMoment {
  /** Undefined if unknown. */
  readonly events: readonly HazardEvent[] | undefined;
  readonly location: PropertyLocation | undefined;
  /** Lower-case abbreviation. */
  readonly state: string;
  /** Possible counties; undefined for any of the state. */
  readonly counties: readonly string[] | undefined;
  readonly asOfMs: number;
  /** Days since 1970-01-01. */
  readonly quotedOn: Knowledge;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MAX_MILES = 12_500;

/** Returns a field of an item; undefined if nothing is known. */
export function readEventField(name: string, event: HazardEvent, home: HomeMoment): Knowledge {
  switch (name) {
    case 'kind':
      return event.kind;
    case 'alert':
      return event.alert;
    case 'magnitude':
      return event.magnitude;
    case 'latitude':
      return event.position?.latitude;
    case 'longitude':
      return event.position?.longitude;
    case 'miles_from_home':
      return milesFromHome(event, home);
    case 'miles_from_county':
      return milesFromCounty(event, home);
    case 'miles_from_state':
      return milesFromState(event, home);
    case 'covers_home':
      return coversHome(event, home);
    case 'ongoing':
      return home.asOfMs < timesOf(event).untilMs ? YES : NO;
    case 'hours_since_start':
      return (home.asOfMs - timesOf(event).fromMs) / HOUR_MS;
    case 'hours_since_end':
      return Math.max(0, home.asOfMs - timesOf(event).untilMs) / HOUR_MS;
    case 'days_since_start':
      return Math.max(0, dayOf(home.asOfMs, home.state) - startDayOf(event, home.state));
    default:
      return quotedBefore(event, home);
  }
}

/** Returns the sources that decide a field of an item; none if only the event can. */
export function missingForField(
  name: string,
  { position, area, states: ofStates, counties: ofCounties }: HazardEvent,
  { location, counties }: HomeMoment,
): readonly string[] {
  const county = counties?.length === 1 ? [] : ['county'];
  const hasPlace = name === 'covers_home' ? (area ?? ofStates ?? ofCounties) : (position ?? area);
  if (isPlaceField(name) && !hasPlace) return [];
  switch (name) {
    case 'miles_from_home':
    case 'covers_home':
      return location ? [LOCATION] : [LOCATION, ...county];
    case 'miles_from_county':
      return position ? county : [];
    case 'quoted_before':
      return ['quoted_on'];
    default:
      return [];
  }
}

/** Fields whose bounds come from a place that is not exactly known, so that two of them are not independent. */
export function isPlaceField(name: string): boolean {
  return name.startsWith('miles_from') || name === 'covers_home';
}

const times = new WeakMap<HazardEvent, { readonly fromMs: number; readonly untilMs: number }>();

/** Start and end, epoch milliseconds. The end is infinite while the event continues. */
export function timesOf(event: HazardEvent): { readonly fromMs: number; readonly untilMs: number } {
  let result = times.get(event);
  if (!result) {
    const untilMs = typeof event.until === 'string' ? readInstant(event.until)!.ms : Number.POSITIVE_INFINITY;
    result = { fromMs: readInstant(event.from)!.ms, untilMs };
    times.set(event, result);
  }
  return result;
}

const zones = new Map(states.map(({ code, timeZone }) => [code, timeZone]));

/** Days since 1970-01-01 in the time zone of a state. */
export function dayOf(ms: number, state: string): number {
  return Date.parse(`${dateInZone(ms, zones.get(state) ?? 'UTC')}T00:00:00Z`) / DAY_MS;
}

const startDays = new WeakMap<HazardEvent, Map<string, number>>();

function startDayOf(event: HazardEvent, state: string): number {
  return cached(startDays, event, state, () => dayOf(timesOf(event).fromMs, state));
}

function cached<T>(cache: WeakMap<HazardEvent, Map<string, T>>, event: HazardEvent, key: string, find: () => T): T {
  let values = cache.get(event);
  if (!values) {
    values = new Map();
    cache.set(event, values);
  }
  if (values.has(key)) return values.get(key)!;
  const value = find();
  values.set(key, value);
  return value;
}

function knowMiles({ min, max }: Miles): Knowledge {
  return between(Math.min(MAX_MILES, min), Math.min(MAX_MILES, max));
}

const countyMiles = new WeakMap<HazardEvent, Map<string, CountyMiles | undefined>>();
const stateMiles = new WeakMap<HazardEvent, Map<string, CountyMiles | undefined>>();

function toCounty(event: HazardEvent, fips: string): CountyMiles | undefined {
  return cached(countyMiles, event, fips, () => milesToCounty(event.position!, fips));
}

function toState(event: HazardEvent, state: string): CountyMiles | undefined {
  return cached(stateMiles, event, state, () => milesToState(event.position!, state));
}

function milesFromHome(event: HazardEvent, home: HomeMoment): Knowledge {
  const { location, counties, state } = home;
  const { position, area } = event;
  if (position) {
    if (location) return knowMiles(milesToCircle(position, location, location.radiusMeters));
    const possible = counties ? counties.map((fips) => toCounty(event, fips)) : [toState(event, state)];
    return uniteMiles(possible.map((each) => each?.any));
  }
  if (!area) return undefined;
  const inclusion = inArea(event, home);
  if (inclusion === 'inside') return 0;
  if (!location) return undefined;
  const miles = cached(areaMiles, event, `${location.latitude} ${location.longitude} ${location.radiusMeters}`, () =>
    milesToArea(location, location.radiusMeters, area),
  );
  return knowMiles(inclusion === 'outside' ? miles : { min: 0, max: miles.max });
}

const areaMiles = new WeakMap<HazardEvent, Map<string, Miles>>();

function uniteMiles(all: readonly (Miles | undefined)[]): Knowledge {
  let [min, max] = [Number.POSITIVE_INFINITY, 0];
  for (const miles of all) {
    if (!miles) return undefined;
    min = Math.min(min, miles.min);
    max = Math.max(max, miles.max);
  }
  return min <= max ? knowMiles({ min, max }) : undefined;
}

function milesFromCounty(event: HazardEvent, { counties, state }: HomeMoment): Knowledge {
  if (!event.position) return undefined;
  const possible = counties ?? countiesOf(state).map(({ fips }) => fips);
  return uniteMiles(possible.map((fips) => toCounty(event, fips)?.nearest));
}

function milesFromState(event: HazardEvent, { state }: HomeMoment): Knowledge {
  const miles = event.position && toState(event, state);
  return miles && knowMiles(miles.nearest);
}

function coversHome(event: HazardEvent, home: HomeMoment): Knowledge {
  const { area, states: ofStates, counties: ofCounties } = event;
  if (!area && !ofStates && !ofCounties) return undefined;
  if (ofStates?.includes(home.state)) return YES;
  const inCounties = ofCounties ? inListedCounties(ofCounties, home) : 'outside';
  if (inCounties === 'inside') return YES;
  const inclusion = area ? inArea(event, home) : 'outside';
  if (inclusion === 'inside') return YES;
  return inCounties === 'outside' && inclusion === 'outside' ? NO : undefined;
}

function inListedCounties(listed: readonly string[], { counties, state }: HomeMoment): Inclusion {
  const possible = counties ?? countiesOf(state).map(({ fips }) => fips);
  if (possible.length > 0 && possible.every((fips) => listed.includes(fips))) return 'inside';
  return possible.some((fips) => listed.includes(fips)) ? undefined : 'outside';
}

const inclusions = new WeakMap<HazardEvent, Map<string, Inclusion>>();
/** Maximum number of places whose inclusion in an area is cached. */
const MAX_PLACES = 4_096;

function inArea(event: HazardEvent, { location, counties, state }: HomeMoment): Inclusion {
  const find = (key: string, region: () => Region | undefined): Inclusion => {
    const places = inclusions.get(event);
    if (places && places.size > MAX_PLACES) places.clear();
    return cached(inclusions, event, key, () => {
      const shape = region();
      return shape && inclusionOf(shape, event.area!);
    });
  };
  if (location) {
    const { latitude, longitude, radiusMeters } = location;
    return find(`${latitude} ${longitude} ${radiusMeters}`, () => regionOfCircle(location, radiusMeters));
  }
  let result: Inclusion | 'none' = 'none';
  for (const fips of counties ?? countiesOf(state).map((county) => county.fips)) {
    const inclusion = find(fips, () => regionOfCounty(fips));
    if (inclusion === undefined || (result !== 'none' && inclusion !== result)) return undefined;
    result = inclusion;
  }
  return result === 'none' ? undefined : result;
}

function quotedBefore(event: HazardEvent, { quotedOn, state }: HomeMoment): Knowledge {
  if (quotedOn === undefined || typeof quotedOn === 'string') return undefined;
  const start = startDayOf(event, state);
  if (typeof quotedOn === 'number') return quotedOn < start ? YES : NO;
  if (!isWithin(quotedOn) || quotedOn.kind !== 'between') return undefined;
  return quotedOn.max < start ? YES : quotedOn.min >= start ? NO : undefined;
}
