import type { CoastAnswerFields } from '@leeward/coast';
import { wordOf, writeLength } from '@leeward/terms';
import type { RequestFault } from '../problem/problem.ts';
import { coastLayers, GREAT_LAKES_LAYER } from './coast-layers.ts';
import { type CoastPort, nearestShore } from './coast-port.ts';
import type { FoundPlace } from './found-place.ts';

/** Sine of the angle between two of the sixteen compass points: such a relative error can change the point. */
const COMPASS_POINT = Math.sin((22.5 * Math.PI) / 180);

/** @param path Field of the place. */
export function distanceWarnings(answer: CoastAnswerFields, place: FoundPlace, path: string): RequestFault[] {
  const warnings: RequestFault[] = [];
  if (answer.isTidalRiverPossible) warnings.push(tidalRiverPossible(answer, path));
  const { errorRadiusMeters } = place;
  if (errorRadiusMeters > 0 && errorRadiusMeters >= COMPASS_POINT * answer.distanceMeters) {
    const message = `The place is known within ${writeLength(errorRadiusMeters)} and the coast is about ${writeLength(answer.distanceMeters)} away, so the direction may be wrong.`;
    warnings.push({ path, code: 'bearing_uncertain', message });
  }
  return warnings;
}

export function tidalRiverPossible({ minMeters, maxMeters, decidedBy }: CoastAnswerFields, path: string): RequestFault {
  const message = `Tidal water that the drawn shores do not show may be nearer: it is ${writeLength(minMeters)} to ${writeLength(maxMeters)} away, the minimum by ${wordOf('dataset', decidedBy.min)}, the maximum by ${wordOf('dataset', decidedBy.max)}.`;
  return { path, code: 'tidal_river_possible', message };
}

/** A carrier may count a Great Lake that is this many times nearer than the sea, within `NEAR_METERS`. */
const FAR_NEARER = 5;
const NEAR_METERS = 40_000;

/** Hints at a Great Lake that did not count and is far nearer. */
export function lakeHint(coast: CoastPort, answer: CoastAnswerFields, place: FoundPlace): RequestFault[] {
  const isAbroad = place.warnings.some(({ code }) => code === 'outside_united_states');
  if (isAbroad || answer.definition.layers.includes(GREAT_LAKES_LAYER)) return [];
  if (answer.distanceMeters < NEAR_METERS || !coastLayers(coast).includes(GREAT_LAKES_LAYER)) return [];
  const lake = nearestShore(coast, answer.point, GREAT_LAKES_LAYER);
  if (lake.distanceMeters > NEAR_METERS || lake.distanceMeters * FAR_NEARER > answer.distanceMeters) return [];
  const message = `A Great Lake is ${writeLength(lake.distanceMeters)} away and did not count; send "coast": ${JSON.stringify(GREAT_LAKES_LAYER)} if it should.`;
  return [{ path: '/coast', code: 'great_lake_nearer', message }];
}
