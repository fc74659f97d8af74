import { type CoastAnswer, formatDecimal } from '@leeward/coast';
import type { RequestFault } from '../problem/problem.ts';
import { coastLayers, GREAT_LAKES_LAYER } from './coast-layers.ts';
import { type CoastPort, nearestShore } from './coast-port.ts';
import type { FoundPlace } from './found-place.ts';

/** The sine of the angle between two of the sixteen compass points: a place off by so much of the distance may turn one into another that is not beside it. */
const COMPASS_POINT = Math.sin((22.5 * Math.PI) / 180);

/** What is to be known of an answer besides its numbers. `path` names the field by which the place was given. */
export function distanceWarnings(answer: CoastAnswer, place: FoundPlace, path: string): RequestFault[] {
  const warnings: RequestFault[] = [];
  if (answer.isTidalRiverPossible) warnings.push(tidalRiverPossible(answer, path));
  const { errorRadiusMeters } = place;
  if (errorRadiusMeters > 0 && errorRadiusMeters >= COMPASS_POINT * answer.distanceMeters) {
    const message = `The place is known to ${meters(errorRadiusMeters)} and the coast lies about ${meters(answer.distanceMeters)} away, so the direction may be another.`;
    warnings.push({ path, code: 'bearing_uncertain', message });
  }
  return warnings;
}

export function tidalRiverPossible({ minMeters, maxMeters, decidedBy }: CoastAnswer, path: string): RequestFault {
  const message = `Tidal water that the drawn shores do not show may be nearer: it lies ${meters(minMeters)} to ${meters(maxMeters)} away, the least by ${decidedBy.min}, the greatest by ${decidedBy.max}.`;
  return { path, code: 'tidal_river_possible', message };
}

/** A limit in miles to the coast may mean a Great Lake to whoever wrote it, where one is this much nearer than the sea, and near. */
const FAR_NEARER = 5;
const NEAR_METERS = 40_000;

/** A hint where the Great Lakes did not count and one is far nearer than the shore that did. */
export function lakeHint(coast: CoastPort, answer: CoastAnswer, place: FoundPlace): RequestFault[] {
  const isAbroad = place.warnings.some(({ code }) => code === 'outside_united_states');
  if (isAbroad || answer.definition.layers.includes(GREAT_LAKES_LAYER)) return [];
  if (answer.distanceMeters < NEAR_METERS || !coastLayers(coast).includes(GREAT_LAKES_LAYER)) return [];
  const lake = nearestShore(coast, answer.point, GREAT_LAKES_LAYER);
  if (lake.distanceMeters > NEAR_METERS || lake.distanceMeters * FAR_NEARER > answer.distanceMeters) return [];
  const message = `A Great Lake is ${meters(lake.distanceMeters)} away and did not count; ask for ${JSON.stringify(GREAT_LAKES_LAYER)} where it should.`;
  return [{ path: '/coast', code: 'great_lake_nearer', message }];
}

function meters(value: number): string {
  return value < 10_000 ? `${formatDecimal(value, 0)} m` : `${formatDecimal(value / 1000, 0)} km`;
}
