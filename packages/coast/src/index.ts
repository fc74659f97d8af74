export type { RuleOfDefinition } from './answer-plan.ts';
export type { Coast, CoastAnswer, CoastDataset, CoastSource } from './coast.ts';
export {
  BATCH_ANSWERED,
  BATCH_INVALID_POINT,
  BATCH_OUTSIDE_COVERAGE,
  type CoastBatch,
  type CoastBatchOptions,
  createCoastBatch,
  sliceCoastBatch,
} from './coast-batch.ts';
export type { CoastDefinition, CoastDefinitionInput } from './coast-definition.ts';
export { CoastError, type CoastErrorCode } from './coast-error.ts';
export { buildCoastIndex, type CoastIndex } from './coast-index.ts';
export { encodeCoastIndex, openCoastIndex } from './coast-index-file.ts';
export { COMPASS_POINTS, type CompassPoint, compassPoint } from './compass-point.ts';
export { type CombinedSources, createCoast } from './create-coast.ts';
export { formatDecimal } from './format-decimal.ts';
export { type Geodesic, geodesicBetween } from './geodesic.ts';
export type { GeographicPoint } from './geographic-point.ts';
export {
  type CoastAnswerPresentation,
  directionSentence,
  distanceInFourUnits,
  formatBearing,
  formatDistance,
  type InFourUnits,
  type PointLocation,
  presentCoastAnswer,
} from './present-coast-answer.ts';
export type { ShoreSide } from './shore-side.ts';
export {
  type CombinationRule,
  type CoverageBox,
  NEIGHBOUR_LAYER,
  type Shoreline,
  type ShorelineAccuracy,
  type ShorelineHeader,
} from './shoreline.ts';
export { decodeShoreline, type EncodeShorelineOptions, encodeShoreline } from './shoreline-codec.ts';
