export {
  type CoastComparison,
  type ComparedPlace,
  type CompareOptions,
  compareCoasts,
  type DistanceLimit,
  type Flips,
} from './compare-coasts.ts';
export { type SeededHomesOptions, seededHomes } from './seeded-homes.ts';
