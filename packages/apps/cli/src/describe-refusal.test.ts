import { expect, it } from 'vitest';
import { describeRefusal } from './describe-refusal.ts';

it.each([
  ['miami.geojson: neither GeoJSON nor TopoJSON', 'miami.geojson: neither GeoJSON nor TopoJSON.'],
  ['my coast.shp: it is cut short', 'my coast.shp: it is cut short.'],
  ['coast: no line is left', 'coast: no line is left.'],
  ['the 0 nearest: expected a whole number', 'The 0 nearest: expected a whole number.'],
  ['latitude 91, longitude 0 is no place', 'Latitude 91, longitude 0 is no place.'],
])('keeps file names unchanged in %j', (message, sentence) => {
  expect(describeRefusal({ message })).toBe(sentence);
});
