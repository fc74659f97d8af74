export type { CleanOptions, DroppedLine } from './clean-lines.ts';
export {
  formatStationMeasure,
  type StationMeasure,
  type StationPoint,
  type StationWithoutLine,
} from './measure-at-stations.ts';
export {
  buildNationalShoreline,
  type MappedFile,
  type NationalShoreline,
  type NationalShorelineOptions,
} from './national/build-national-shoreline.ts';
export { cuspShoreline } from './national/cusp-map.ts';
export type { FeatureFile } from './national/feature-file.ts';
export type { FeatureAttributes, FeatureMap, FeatureRole } from './national/feature-role.ts';
export { type NhdOptions, nhdShoreline } from './national/nhd-map.ts';
export { everyFeature, type PlainMapOptions } from './national/plain-map.ts';
export { type NationalKind, recognizeNationalFile } from './national/recognize-file.ts';
export { type AreaWaterOptions, tigerAreaWater, tigerCoastline } from './national/tiger-maps.ts';
export { type ArchivedShapefile, isArchive, readArchive } from './read-archive.ts';
export { type ReadShorelineOptions, readShoreline, type ShorelineFile } from './read-shoreline.ts';
export { formatShorelineReport, type ShorelineReport } from './shoreline-report.ts';
export { type StatedAccuracy, stateAccuracy } from './state-accuracy.ts';
