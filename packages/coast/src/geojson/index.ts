export { coastAnswerToGeoJson } from './coast-answer-geojson.ts';
