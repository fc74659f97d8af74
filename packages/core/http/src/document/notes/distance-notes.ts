import { type OperationNotes, only } from '../operation-note.ts';

const point = { lat: 25.7826, lng: -80.1341 };

const distance = {
  address: point,
  coast: { lat: 25.781330200373674, lng: -80.12769271565963 },
  distance: {
    raw: {
      kilometers: 0.6578783743053777,
      meters: 657.8783743053776,
      feet: 2158.3936164874594,
      miles: 0.40878666978929157,
    },
    formatted: { kilometers: '0.658', meters: '658', feet: '2,158.39', miles: '0.41' },
  },
  direction_to_coast: 'The coast is 658 meters to the east-southeast.',
  bearing_degrees: '102.3°',
  compass_point: 'east-southeast',
  location: { source: 'coordinates', precision: 'exact', error_radius_meters: 0, method: 'coordinates' },
  dataset: {
    name: 'osm-us',
    version: '2017 (earth-coastlines-1m 0.6.0)',
    accuracy_meters: 367.4212529354091,
    attribution:
      '© OpenStreetMap contributors, ODbL-1.0, by way of @geo-maps/earth-coastlines-1m 0.6.0 (Simone Primarosa); cleaned and classed by Leeward.',
  },
  range_meters: { min: 290.45712136996855, max: 1025.2996272407868 },
  on_land: true,
  shore: 'Atlantic',
  coast_definition: 'tidal',
  warnings: [],
};

const empty = 'The address is empty: give a street, city and state, or a ZIP code.';
const problem = {
  type: '/problems/invalid_request',
  title: 'Invalid request',
  status: 422,
  detail: empty,
  code: 'invalid_request',
  request_id: '018f2f6e-7a5b-4c1d-9e3f-2b6a1c0d4e5f',
  errors: [{ path: '/address', code: 'empty', message: empty }],
};

export const distanceNotes: OperationNotes = {
  distanceToCoast: { answer: only('A point on Miami Beach', distance) },
  distanceToCoastBatch: {
    description:
      'Up to 1,000 requests, answered in their order. One that cannot be answered has its problem in its place, and the others are answered all the same.',
    request: only('A point and an address', { items: [point, { address: '' }] }),
    answer: only('The point is answered; the address says nothing', { results: [distance, { problem }] }),
  },
};
