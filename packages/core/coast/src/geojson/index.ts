export { coastAnswerToGeoJson } from './coast-answer-geojson.ts';
export type { CoastFeature, CoastFeatures, CoastGeometry, CoastPosition } from './features.ts';
