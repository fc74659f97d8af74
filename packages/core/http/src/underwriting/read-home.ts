import { CoastError } from '@leeward/coast';
import {
  createProperty,
  type Decider,
  type Fault,
  type Knowledge,
  type Property,
  parseRequest,
  type UnderwritingRequest,
  type Vocabulary,
  type Warning,
} from '@leeward/engine';
import { distanceNames, usesLocation } from '@leeward/engine/compiled';
import { isAsFineAs, readAddressFields, splitAddress } from '@leeward/places';
import { countyByFips } from '@leeward/places/counties';
import { compareCounty, countyOfZip } from '@leeward/places/zips';
import { addressesVersion, coastlineVersion, type PlaceVersions } from '../answer/answer-versions.ts';
import { oddsOfPlace } from '../distance/distance-odds.ts';
import type { DistancePorts } from '../distance/distance-ports.ts';
import { tidalRiverPossible } from '../distance/distance-warnings.ts';
import { findPlace } from '../distance/find-place.ts';
import type { FoundPlace } from '../distance/found-place.ts';
import { hasMeanHighWater, MEAN_HIGH_WATER_LAYER } from '../distance/mean-high-water.ts';
import { nearestOfPlace } from '../distance/place-footprint.ts';
import type { RequestContext } from '../operation/request-context.ts';
import { Problem } from '../problem/problem.ts';
import { printLength, unitOfDistance } from './describe-distance.ts';
import {
  type DistanceDefinition,
  distanceDefinitions,
  distancesOf,
  type KnownDistance,
  type KnownDistances,
  rangesByCertainty,
} from './known-distances.ts';
import { asksForHazards, lookUpHazards } from './look-up-hazards.ts';

/** Default dates, line of business and lookups. */
export interface ReadHomeOptions {
  /** Default of `as_of`. */
  readonly now: Date;
  /** The line of business. @default homeVocabulary */
  readonly vocabulary?: Vocabulary;
  /**
   * Measures distances of homes with a place; a function is called for the first one. If omitted, distances stay unknown, with a
   * warning.
   */
  readonly distance?: DistancePorts | (() => Promise<DistancePorts>) | undefined;
  /** Its signal ends geocoding. If omitted, nothing does. */
  readonly caller?: { readonly signal: AbortSignal };
  /** True if rules test areas: then an address is located for every line, not only for those with distances. @default false */
  readonly usesLocation?: (() => boolean) | undefined;
  /** Certainties of rule sets, from `certaintiesOf`: measured distances have a range for each. @default none */
  readonly certainties?: (() => readonly number[]) | undefined;
}

/** A home with its distances, or all faults of its request. */
export type ReadHome =
  | { readonly ok: true; readonly request: UnderwritingRequest; readonly distances: KnownDistances | undefined }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/**
 * Reads a request: validates, normalizes, finds the place, measures distances. HTTP, books and the command line use it, so a home always
 * gets the same answer.
 *
 * @example
 * const read = await readHome({ state: 'tx', roof_age: 12 }, { now: new Date() });
 * if (read.ok) await catalog.decide(read.request.property);
 */
export async function readHome(body: unknown, options: ReadHomeOptions): Promise<ReadHome> {
  const { now, vocabulary, distance, caller } = options;
  const parsed = parseRequest(body, vocabulary ? { now, vocabulary } : { now });
  if (!parsed.ok) return parsed;
  const { request } = parsed;
  const hasPlace = [request.address, request.point, request.footprint].some((each) => each !== undefined);
  const ports = typeof distance === 'function' ? (hasPlace ? await distance() : undefined) : distance;
  return { ok: true, ...(await lookUpDistances(request, ports, { ...caller, ...options })) };
}

/** True if rules of a catalog test the location of homes. */
export function hasAreas({ carriers }: Pick<Decider, 'carriers'>): boolean {
  return carriers.some(({ versions }) => versions.some(({ ruleSet }) => usesLocation(ruleSet)));
}

/**
 * Intervals combine the errors of place and shore. A distance of the request takes precedence. Without a place, distances stay unknown,
 * with a warning.
 */
export async function lookUpDistances(
  original: UnderwritingRequest,
  ports: DistancePorts | undefined,
  context?: Partial<Pick<RequestContext, 'signal'>> & Pick<ReadHomeOptions, 'usesLocation' | 'certainties'>,
): Promise<{ readonly request: UnderwritingRequest; readonly distances: KnownDistances | undefined }> {
  const request = withCountyOfZip(original, ports);
  const { address, point, footprint } = request;
  const requestDistances = givenDistances(request);
  const onlyGiven = requestDistances.length === 0 ? undefined : { location: undefined, distances: requestDistances };
  if (address === undefined && point === undefined && footprint === undefined) return { request, distances: onlyGiven };
  const definitions = distancesOf(request.property.vocabulary);
  const hazards = ports?.hazards && asksForHazards(request.property.vocabulary) ? ports.hazards : undefined;
  // No field depends on the place, and no area needs it.
  const isLocatable = address !== undefined && ports?.geocoder !== undefined;
  if (definitions.length === 0 && !hazards && !(isLocatable && context?.usesLocation?.()))
    return { request, distances: undefined };
  const path = address !== undefined ? '/address' : footprint !== undefined ? '/footprint' : '/lat';
  const withWarnings = (warnings: readonly Warning[]): UnderwritingRequest => ({
    ...request,
    warnings: [...request.warnings, ...warnings],
  });
  if (!ports) {
    const message =
      'Distances are not looked up here, so missing ones stay unknown; give distance_to_tidal_water_feet, distance_to_ocean_feet or distance_to_mean_high_water_feet (or …_miles).';
    return { request: withWarnings([{ code: 'distance_not_looked_up', path, message }]), distances: onlyGiven };
  }
  let place: FoundPlace;
  try {
    place = await findPlace(
      { address, footprint, ...point, state: request.property.state },
      ports,
      address === undefined ? undefined : context?.signal,
    );
  } catch (error) {
    return { request: withWarnings([warningOf(error, path)]), distances: onlyGiven };
  }
  const warnings: Warning[] = [...place.warnings];
  const distances: KnownDistance[] = [];
  for (const definition of definitions) {
    const givenDistance = requestDistances.find(({ fact }) => fact === definition[1]);
    const measured = measure(place, definition, ports, path, warnings);
    const distance = givenDistance ?? measured;
    if (distance) distances.push(distance);
    if (givenDistance && measured) warnings.push(...differenceWarnings(givenDistance, measured));
  }
  warnings.push(...countyWarnings(request, place, ports));
  const isLocated = isAsFineAs(place.precision, 'interpolated');
  const measured = withPlace(request.property, place, distances, isLocated, context?.certainties?.() ?? []);
  const exposed =
    hazards && (await lookUpHazards(measured, place, hazards, { path, warnings, signal: context?.signal }));
  return {
    request: { ...withWarnings(warnings), property: exposed?.property ?? measured },
    distances: {
      location: place,
      distances,
      versions: placeVersions(place, distances, ports),
      ...(exposed?.knownHazards ? { hazards: exposed.knownHazards } : {}),
    },
  };
}

function placeVersions(
  { method, source, dataVersion = source }: FoundPlace,
  distances: readonly KnownDistance[],
  { coast }: DistancePorts,
): PlaceVersions {
  const isMeasured = distances.some(({ dataset }) => dataset !== undefined);
  return {
    ...(isMeasured ? { coastline: coastlineVersion(coast.datasets) } : {}),
    ...(method === 'coordinates' ? {} : { addresses: addressesVersion([dataVersion]) }),
  };
}

/** Adds a missing county, with a warning, if the ZIP code is in one county only. */
function withCountyOfZip(request: UnderwritingRequest, ports: DistancePorts | undefined): UnderwritingRequest {
  const { address, property, home, warnings } = request;
  const { gazetteer, cities } = ports ?? {};
  if (!gazetteer || address === undefined || property.counties !== undefined) return request;
  const split = typeof address === 'string' ? splitAddress(address, cities) : readAddressFields(address, cities);
  const zip = split.address?.zip;
  const county = zip === undefined ? undefined : countyOfZip(gazetteer, zip);
  if (county === undefined || county.state.toLowerCase() !== property.state) return request;
  const message = `The county is missing; the ZIP code ${zip} lies in ${county.label}, which is used. Give county if it is another.`;
  return {
    ...request,
    property: { ...property, counties: [county.fips] },
    home: { ...home, county: county.name },
    warnings: [...warnings, { code: 'county_from_zip', path: '/county', message }],
  };
}

function givenDistances({ property, home }: UnderwritingRequest): KnownDistance[] {
  const values = property.givenValues ?? property.values;
  return distanceDefinitions.flatMap(([, fact, to, givenAs]) => {
    const meters = values[property.vocabulary.fields.findIndex(({ name }) => name === fact)];
    if (typeof meters !== 'number') return [];
    const name = distanceNames.find(([each, field]) => field === fact && Object.hasOwn(home, each))?.[0];
    const evidence = property.evidence?.[fact];
    return [{ fact, to, givenAs: name ?? givenAs, meters, min: meters, max: meters, dataset: undefined, evidence }];
  });
}

function measure(
  place: FoundPlace,
  [definition, fact, to, givenAs]: DistanceDefinition,
  { coast }: DistancePorts,
  path: string,
  warnings: Warning[],
): KnownDistance | undefined {
  try {
    if (definition === MEAN_HIGH_WATER_LAYER && !hasMeanHighWater(coast)) return undefined;
    const answer = nearestOfPlace(coast, place, definition);
    const { distanceMeters: meters, accuracyMeters, dataset } = answer;
    const error = place.errorRadiusMeters;
    // Reported once.
    if (answer.isTidalRiverPossible && definition !== MEAN_HIGH_WATER_LAYER) {
      warnings.push(tidalRiverPossible(answer, path));
    }
    const { name, version } = dataset;
    return {
      fact,
      to,
      givenAs,
      meters,
      min: Math.max(0, answer.minMeters - error),
      max: answer.maxMeters + error,
      dataset: { name, version, accuracyMeters },
      shore: answer,
      odds: oddsOfPlace(coast, place, definition, answer),
    };
  } catch (error) {
    if (!(error instanceof CoastError)) throw error;
    warnings.push({
      code: error.code === 'unknown_layer' ? 'unknown_coast' : error.code,
      path,
      message: `${error.message}; the distance stays unknown.`,
    });
    return undefined;
  }
}

function withPlace(
  property: Property,
  { latitude, longitude, errorRadiusMeters: radiusMeters }: FoundPlace,
  distances: readonly KnownDistance[],
  isLocated: boolean,
  certainties: readonly number[],
): Property {
  const values: Record<string, Knowledge> = {};
  property.vocabulary.fields.forEach((field, index) => {
    values[field.name] = (property.givenValues ?? property.values)[index];
  });
  for (const { fact, min, max, dataset } of distances) if (dataset) values[fact] = { kind: 'between', min, max };
  return createProperty({
    ...property,
    values,
    isLocated: isLocated || (property.isLocated ?? false),
    location: property.location ?? { latitude, longitude, radiusMeters },
    rangesByCertainty: rangesByCertainty(distances, certainties),
  });
}

function differenceWarnings(stated: KnownDistance, measured: KnownDistance): Warning[] {
  if (stated.meters >= measured.min && stated.meters <= measured.max) return [];
  const unit = unitOfDistance(stated.givenAs);
  const print = (meters: number) => printLength(meters, unit);
  const message = `${stated.givenAs} is ${print(stated.meters)}, but the place is ${print(measured.min)} to ${print(measured.max)} ${unit} from ${measured.to}; the given distance is used.`;
  return [{ code: 'distance_differs', path: `/${stated.givenAs}`, message }];
}

function warningOf(error: unknown, path: string): Warning {
  if (!(error instanceof Problem)) throw error;
  const [first] = error.options.errors ?? [];
  return {
    code: first?.code ?? 'distance_not_looked_up',
    path: first?.path || path,
    message: `${first?.message ?? error.message} Missing distances stay unknown.`,
  };
}

/** Compares with the nearest ZIP points. */
function countyWarnings({ property }: UnderwritingRequest, place: FoundPlace, { gazetteer }: DistancePorts): Warning[] {
  const county = property.counties?.length === 1 ? property.counties[0] : undefined;
  if (!gazetteer || county === undefined) return [];
  const { verdict, nearby } = compareCounty(gazetteer, place, county);
  if (verdict !== 'differs') return [];
  const names = nearby.slice(0, 3).map(({ label }) => label);
  const message = `The given county is ${countyByFips(county)?.label}, but the place is near ${names.join(' and ')}; the given county is used.`;
  return [{ code: 'county_differs', path: '/county', message }];
}
