import { CoastError } from '@leeward/coast';
import {
  createProperty,
  distanceNames,
  type Fault,
  type Knowledge,
  type Property,
  parseRequest,
  type UnderwritingRequest,
  type Vocabulary,
  type Warning,
} from '@leeward/engine';
import { isAtLeast, readAddressFields, splitAddress } from '@leeward/places';
import { countyByFips } from '@leeward/places/counties';
import { compareCounty, countyOfZip } from '@leeward/places/zips';
import type { DistancePorts } from '../distance/distance-ports.ts';
import { tidalRiverPossible } from '../distance/distance-warnings.ts';
import { findPlace } from '../distance/find-place.ts';
import type { FoundPlace } from '../distance/found-place.ts';
import { hasMeanHighWater, MEAN_HIGH_WATER_LAYER } from '../distance/mean-high-water.ts';
import { nearestOfPlace } from '../distance/place-footprint.ts';
import type { RequestContext } from '../operation/request-context.ts';
import { Problem } from '../problem/problem.ts';
import { printLength } from './describe-distance.ts';
import {
  type DistanceDefinition,
  distanceDefinitions,
  distancesOf,
  type KnownDistance,
  type KnownDistances,
} from './known-distances.ts';
import { asksForHazards, lookUpHazards } from './look-up-hazards.ts';

/** The moment of asking, and the line of business. */
export interface ReadHomeOptions {
  /** What `as_of` is where the request gives none. */
  readonly now: Date;
  readonly vocabulary?: Vocabulary;
  /**
   * Looks up how far a home with an address or a point is from the shore; a function is called for the first home that has one.
   * Left out, distances stay unknown, with a warning.
   */
  readonly distance?: DistancePorts | (() => Promise<DistancePorts>) | undefined;
  /** Its signal, read only where somebody is asked for the place, breaks that off. */
  readonly caller?: { readonly signal: AbortSignal };
}

/** A home and all that is known of it, or every fault of its request. */
export type ReadHome =
  | { readonly ok: true; readonly request: UnderwritingRequest; readonly known: KnownDistances | undefined }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/**
 * The one way from a request to facts: checked and normalized, its place found, its distances measured. Whoever judges homes
 * reads them with this, so that the same home gets the same answer at every door.
 */
export async function readHome(body: unknown, options: ReadHomeOptions): Promise<ReadHome> {
  const { now, vocabulary, distance, caller } = options;
  const parsed = parseRequest(body, vocabulary ? { now, vocabulary } : { now });
  if (!parsed.ok) return parsed;
  const { request } = parsed;
  const hasPlace = request.address !== undefined || request.point !== undefined;
  const ports = typeof distance === 'function' ? (hasPlace ? await distance() : undefined) : distance;
  return { ok: true, ...(await lookUpDistances(request, ports, caller)) };
}

/**
 * Gives a request its distances as intervals: the error of the place and that of the shore together. What the
 * caller gave is believed, and labelled so. A place that cannot be found leaves them unknown, with a warning:
 * nobody is declined for it. The signal of the call breaks off whoever is asked for the place.
 */
export async function lookUpDistances(
  asked: UnderwritingRequest,
  ports: DistancePorts | undefined,
  context?: Pick<RequestContext, 'signal'>,
): Promise<{ readonly request: UnderwritingRequest; readonly known: KnownDistances | undefined }> {
  const request = withCountyOfZip(asked, ports);
  const { address, point, footprint } = request;
  const given = givenDistances(request);
  const onlyGiven = given.length === 0 ? undefined : { location: undefined, distances: given };
  if (address === undefined && point === undefined && footprint === undefined) return { request, known: onlyGiven };
  const wanted = distancesOf(request.property.vocabulary);
  const hazards = ports?.hazards && asksForHazards(request.property.vocabulary) ? ports.hazards : undefined;
  // A line that asks for nothing of its place has nobody look for it.
  if (wanted.length === 0 && !hazards) return { request, known: undefined };
  const path = address !== undefined ? '/address' : footprint !== undefined ? '/footprint' : '/lat';
  const withWarnings = (warnings: readonly Warning[]): UnderwritingRequest => ({
    ...request,
    warnings: [...request.warnings, ...warnings],
  });
  if (!ports) {
    const message =
      'Distances are not looked up here, so those not given stay unknown; give distance_to_coast_miles or distance_to_ocean_miles.';
    return { request: withWarnings([{ code: 'distance_not_looked_up', path, message }]), known: onlyGiven };
  }
  let place: FoundPlace;
  try {
    place = await findPlace(
      { address, footprint, ...point },
      ports,
      address === undefined ? undefined : context?.signal,
    );
  } catch (thrown) {
    return { request: withWarnings([warningOf(thrown, path)]), known: onlyGiven };
  }
  const warnings: Warning[] = [...place.warnings];
  const distances: KnownDistance[] = [];
  for (const definition of wanted) {
    const believed = given.find(({ fact }) => fact === definition[1]);
    const measured = measure(place, definition, ports, path, warnings);
    const distance = believed ?? measured;
    if (distance) distances.push(distance);
    if (believed && measured) warnings.push(...differenceWarnings(believed, measured));
  }
  warnings.push(...countyWarnings(request, place, ports));
  const measured = withDistances(request.property, distances, isAtLeast(place.precision, 'interpolated'));
  const exposed =
    hazards && (await lookUpHazards(measured, place, hazards, { path, warnings, signal: context?.signal }));
  return {
    request: { ...withWarnings(warnings), property: exposed?.property ?? measured },
    known: { location: place, distances, ...(exposed?.known ? { hazards: exposed.known } : {}) },
  };
}

/** A home without a county has that of its ZIP code, if the ZIP code of its address lies in one county; with a warning. */
function withCountyOfZip(request: UnderwritingRequest, ports: DistancePorts | undefined): UnderwritingRequest {
  const { address, property, home, warnings } = request;
  const { gazetteer, cities } = ports ?? {};
  if (!gazetteer || address === undefined || property.counties !== undefined) return request;
  const split = typeof address === 'string' ? splitAddress(address, cities) : readAddressFields(address, cities);
  const zip = split.address?.zip;
  const county = zip === undefined ? undefined : countyOfZip(gazetteer, zip);
  if (county === undefined || county.state.toLowerCase() !== property.state) return request;
  const message = `No county was given; the ZIP code ${zip} lies in ${county.label}, and the home was judged for it. Give county if it is another.`;
  return {
    ...request,
    property: { ...property, counties: [county.fips] },
    home: { ...home, county: county.name },
    warnings: [...warnings, { code: 'county_from_zip', path: '/county', message }],
  };
}

function givenDistances({ property, home }: UnderwritingRequest): KnownDistance[] {
  const values = property.given ?? property.values;
  return distanceDefinitions.flatMap(([, fact, to, givenAs]) => {
    const meters = values[property.vocabulary.fields.findIndex(({ name }) => name === fact)];
    if (typeof meters !== 'number') return [];
    const name = distanceNames.find(([each, field]) => field === fact && Object.hasOwn(home, each))?.[0];
    return [{ fact, to, givenAs: name ?? givenAs, meters, min: meters, max: meters, dataset: undefined }];
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
    // Said once, of the distance to tidal water itself.
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

/** The property with what was measured; what was given is there already. */
function withDistances(property: Property, distances: readonly KnownDistance[], isLocated: boolean): Property {
  const values: Record<string, Knowledge> = {};
  property.vocabulary.fields.forEach((field, index) => {
    values[field.name] = (property.given ?? property.values)[index];
  });
  for (const { fact, min, max, dataset } of distances) if (dataset) values[fact] = { kind: 'between', min, max };
  return createProperty({ ...property, values, isLocated: isLocated || (property.isLocated ?? false) });
}

/** A distance that was given is believed also where the place says otherwise; the caller may have mistyped it. */
function differenceWarnings(given: KnownDistance, measured: KnownDistance): Warning[] {
  if (given.meters >= measured.min && given.meters <= measured.max) return [];
  const unit = given.givenAs.endsWith('_feet') ? 'feet' : 'miles';
  const print = (meters: number) => printLength(meters, unit);
  const message = `${given.givenAs} is ${print(given.meters)}, but the place lies ${print(measured.min)} to ${print(measured.max)} ${unit} from ${measured.to}; judged by what was given.`;
  return [{ code: 'distance_differs', path: `/${given.givenAs}`, message }];
}

/** What could not be found, as a warning of the same code. */
function warningOf(thrown: unknown, path: string): Warning {
  if (!(thrown instanceof Problem)) throw thrown;
  const [first] = thrown.options.errors ?? [];
  return {
    code: first?.code ?? 'distance_not_looked_up',
    path: first?.path || path,
    message: `${first?.message ?? thrown.message} Distances not given stay unknown.`,
  };
}

/** The counties of the nearest ZIP points against the one given: a warning, never a verdict. */
function countyWarnings({ property }: UnderwritingRequest, place: FoundPlace, { gazetteer }: DistancePorts): Warning[] {
  const given = property.counties?.length === 1 ? property.counties[0] : undefined;
  if (!gazetteer || given === undefined) return [];
  const { verdict, nearby } = compareCounty(gazetteer, place, given);
  if (verdict !== 'differs') return [];
  const names = nearby.slice(0, 3).map((county) => county.label);
  const message = `The county given is ${countyByFips(given)?.label}, but the place lies near ${names.join(' and ')}; judged for the county given.`;
  return [{ code: 'county_differs', path: '/county', message }];
}
