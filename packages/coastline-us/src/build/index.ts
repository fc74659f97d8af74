export {
  buildNationalShoreline,
  type MappedFile,
  type NationalShoreline,
  type NationalShorelineOptions,
} from './build-national-shoreline.ts';
export { cuspShoreline } from './cusp-map.ts';
export { type FeatureFile, readFeatures } from './feature-file.ts';
export type { FeatureAttributes, FeatureMap, FeatureRole } from './feature-role.ts';
export { everyFeature, type PlainMapOptions } from './plain-map.ts';
export { type AreaWaterOptions, tigerAreaWater, tigerCoastline } from './tiger-maps.ts';
