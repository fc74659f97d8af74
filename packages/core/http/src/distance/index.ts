export type { CoastPort } from './coast-port.ts';
export type { DistancePorts } from './distance-ports.ts';
export {
  type DistanceResponse,
  distanceResponse,
} from './distance-schema.ts';
export { findPlace, type PlacePorts, type PlaceRequest } from './find-place.ts';
export type { FoundPlace } from './found-place.ts';
export { MEAN_HIGH_WATER_LAYER, nearestCoast, nearestCoastOfMany } from './mean-high-water.ts';
export { type DistanceInUnit, probabilitiesWithin } from './probabilities-within.ts';
export { createServedCoast } from './served-coast.ts';
export { writeDistance } from './write-distance.ts';
