import assert from 'node:assert/strict';
import type { Geocode, Geocoder, GeocoderAnswer } from '../geocoder/geocoder.ts';
import { precisions } from '../geocoder/precision.ts';

/** Asserts the contract of the port. */
export function checkAnswer(geocoder: Geocoder, answer: GeocoderAnswer): void {
  switch (answer.status) {
    case 'found':
      checkGeocode(geocoder, answer.geocode);
      break;
    case 'ambiguous':
      assert.ok(answer.candidates.length >= 2, 'An ambiguous answer has at least two candidates.');
      for (const candidate of answer.candidates) checkGeocode(geocoder, candidate);
      break;
    case 'not_found':
      assert.ok(answer.message.length > 0, 'A not_found answer has a message.');
      break;
    default:
      assert.fail(`No status of the port: ${JSON.stringify(answer)}`);
  }
}

function checkGeocode(geocoder: Geocoder, geocode: Geocode): void {
  const text = JSON.stringify(geocode);
  assert.ok(Math.abs(geocode.latitude) <= 90 && Math.abs(geocode.longitude) <= 180, `No point on the globe: ${text}`);
  assert.ok(precisions.includes(geocode.precision), `No precision: ${text}`);
  assert.ok(Number.isFinite(geocode.errorRadiusMeters) && geocode.errorRadiusMeters >= 0, `No radius: ${text}`);
  assert.equal(geocode.geocoder, geocoder.name, 'The place names the geocoder that found it.');
  assert.ok(geocode.matchedAddress.length > 0, `No matched address: ${text}`);
  if (geocode.state !== undefined) assert.match(geocode.state, /^[a-z]{2}$/);
  if (geocode.zip !== undefined) assert.match(geocode.zip, /^\d{5}$/);
  if (geocode.countyFips !== undefined) assert.match(geocode.countyFips, /^\d{5}$/);
}
