export {
  type CoastComparison,
  type ComparedPlace,
  type CompareOptions,
  compareCoasts,
  type DistanceLimit,
  type Flips,
  isUndecided,
  USUAL_LIMITS,
} from './compare-coasts.ts';
export { type SeededHomesOptions, seededHomes } from './seeded-homes.ts';
