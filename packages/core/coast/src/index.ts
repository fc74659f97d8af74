export type { Coast, CompactOptions, NearestManyOptions, WithinAnswer } from './answer/coast.ts';
export {
  type CoastAnswer,
  type CoastAnswerFields,
  type CoastDataset,
  type CoastSource,
  createCoastAnswer,
} from './answer/coast-answer.ts';
export {
  BATCH_ANSWERED,
  BATCH_INVALID_POINT,
  BATCH_OUTSIDE_COVERAGE,
  type CertaintyColumns,
  type CoastBatch,
  type CoastBatchOptions,
  createCoastBatch,
  sliceCoastBatch,
} from './answer/coast-batch.ts';
export type { CoastPointColumns, CoastPoints } from './answer/coast-points.ts';
export {
  type CompactCertaintyColumns,
  type CompactCoastBatch,
  decodeCoastBatch,
  encodeCoastBatch,
} from './answer/compact-batch.ts';
export { type CombinedSources, createCoast } from './answer/create-coast.ts';
export { formatCoastAnswer } from './answer/format-answer.ts';
export { formatDecimal } from './answer/format-decimal.ts';
export type { DistanceInterval } from './answer/likelihood.ts';
export {
  type CoastAnswerPresentation,
  type DistanceInUnits,
  isOnLand,
  type PointLocation,
  presentCoastAnswer,
} from './answer/present-coast-answer.ts';
export type { TidalWaters } from './answer/tidal-waters.ts';
export { CoastError, type CoastErrorCode } from './coast-error.ts';
export { COMPASS_POINTS, type CompassPoint, compassPoint } from './earth/compass-point.ts';
export { type Geodesic, geodesicBetween } from './earth/geodesic.ts';
export type { GeographicPoint } from './earth/geographic-point.ts';
export {
  type GeoJsonPoint,
  type GeoJsonPointFeature,
  type LngLat,
  type PointInput,
  toPoint,
} from './earth/point-input.ts';
export { METERS_PER_FOOT, METERS_PER_MILE } from './earth/units.ts';
export { decodeConflation, encodeConflation } from './file/conflation-codec.ts';
export { decodeShoreline, type EncodeShorelineOptions, encodeShoreline } from './file/shoreline-codec.ts';
export type { Footprint, Position } from './footprint/footprint.ts';
export { type FootprintAnswer, measureFootprint } from './footprint/measure-footprint.ts';
export type { GeoJsonArea } from './footprint/read-footprint.ts';
export { buildCoastIndex, type CoastIndex } from './search/coast-index.ts';
export { encodeCoastIndex, openCoastIndex } from './search/coast-index-file.ts';
export { describeIndex, formatIndexDescription, type IndexDescription } from './search/describe-index.ts';
export { openCoastData } from './search/open-coast-data.ts';
export type { ShoreSide } from './search/shore-side.ts';
export type { CoastDefinition, CoastDefinitionInput } from './shoreline/coast-definition.ts';
export type { AccuracyClass, AccuracyTable, ConflatedShoreline, Conflation } from './shoreline/conflation.ts';
export { isCovered, metersToBorder } from './shoreline/coverage.ts';
export {
  type CoverageBox,
  NEIGHBOUR_LAYER,
  type Shoreline,
  type ShorelineAccuracy,
  type ShorelineHeader,
  SUPERSEDED_CLASS,
} from './shoreline/shoreline.ts';
export { checkShorelineHeader } from './shoreline/shoreline-header.ts';
