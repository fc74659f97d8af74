import { CoastError } from '@leeward/coast';
import { createProperty, type Knowledge, type UnderwritingRequest, type Warning } from '@leeward/engine';
import { countyByFips } from '@leeward/places/counties';
import { compareCounty } from '@leeward/places/zips';
import type { DistancePorts } from '../distance/distance-ports.ts';
import { type FoundPlace, findPlace } from '../distance/find-place.ts';
import { Problem } from '../problem/problem.ts';

/** How a home's distances came about, for the answer. */
export interface KnownDistances {
  readonly location: FoundPlace | undefined;
  readonly distances: readonly {
    readonly fact: 'distance_to_tidal_water_meters' | 'distance_to_ocean_meters';
    readonly meters: number;
    readonly min: number;
    readonly max: number;
    readonly dataset: string;
    readonly version: string;
  }[];
}

const definitions = [
  ['tidal', 'distance_to_tidal_water_meters'],
  ['ocean', 'distance_to_ocean_meters'],
] as const;

/**
 * Gives a request its distances as intervals: the error of the place and that of the shore together. What the
 * caller gave is believed. A place that cannot be found leaves them unknown, with a warning: nobody is declined
 * for it.
 */
export async function lookUpDistances(
  request: UnderwritingRequest,
  ports: DistancePorts | undefined,
): Promise<{ readonly request: UnderwritingRequest; readonly known: KnownDistances | undefined }> {
  const { address, point, property } = request;
  if (address === undefined && point === undefined) return { request, known: undefined };
  const path = address === undefined ? '/lat' : '/address';
  const warn = (warnings: readonly Warning[]): UnderwritingRequest => ({
    ...request,
    warnings: [...request.warnings, ...warnings],
  });
  if (!ports) {
    const message =
      'Distances are not looked up here, so those not given stay unknown; give distance_to_coast_miles or distance_to_ocean_miles.';
    return { request: warn([{ code: 'distance_not_looked_up', path, message }]), known: undefined };
  }
  let place: FoundPlace;
  try {
    place = await findPlace(point ?? { address }, ports);
  } catch (thrown) {
    return { request: warn([warningOf(thrown, path)]), known: undefined };
  }
  const warnings: Warning[] = [...place.warnings];
  const values: Record<string, Knowledge> = {};
  property.vocabulary.fields.forEach((field, index) => {
    values[field.name] = (property.given ?? property.values)[index];
  });
  const distances: KnownDistances['distances'][number][] = [];
  for (const [definition, fact] of definitions) {
    if (values[fact] !== undefined) continue;
    try {
      const answer = ports.coast.nearest(place, definition);
      const error = answer.accuracyMeters + place.errorRadiusMeters;
      const meters = answer.distanceMeters;
      const min = Math.max(0, meters - error);
      const max = meters + error;
      values[fact] = { kind: 'between', min, max };
      distances.push({ fact, meters, min, max, dataset: answer.dataset.name, version: answer.dataset.version });
    } catch (error) {
      if (!(error instanceof CoastError)) throw error;
      warnings.push({ code: error.code, path, message: `${error.message}; the distance stays unknown.` });
    }
  }
  warnings.push(...countyWarnings(request, place, ports));
  const known = createProperty({
    vocabulary: property.vocabulary,
    policyType: property.policyType,
    state: property.state,
    counties: property.counties,
    values,
    asOfMs: property.asOfMs,
    effectiveDate: property.effectiveDate,
  });
  return { request: { ...warn(warnings), property: known }, known: { location: place, distances } };
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
