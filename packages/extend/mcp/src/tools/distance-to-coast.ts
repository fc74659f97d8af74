import type { DistanceResponse } from '@leeward/http';
import { z } from 'zod';
import { defineTool } from '../tool/tool.ts';
import { bodyOf } from '../tool/tool-error.ts';

/** `distance_to_coast`: the nearest point of the shore. */
export const distanceToCoast = defineTool({
  name: 'distance_to_coast',
  title: 'Distance to coast',
  description:
    'The nearest point of the shore from an address or a point, with its range, bearing and the coastline that measured it. The range is the honest answer: rules compare all of it.',
  input: z.object({
    address: z.string().max(500).optional().describe('One line: 1600 Ocean Dr, Miami Beach FL 33139.'),
    lat: z.number().optional().describe('Latitude in decimal degrees, with lng, instead of the address.'),
    lng: z.number().optional().describe('Longitude in decimal degrees.'),
    coast: z.string().optional().describe('The definition of coast: tidal (default), ocean, great_lakes.'),
  }),
  scopes: ['distance'],
  async run(input, { service }) {
    const answer = bodyOf<DistanceResponse>(await service.call('/v1/distance-to-coast', input));
    const { distance, range_meters, compass_point, bearing_degrees, shore, location, coast_definition, dataset } =
      answer;
    const { formatted } = distance;
    const feet = (meters: number, round: (value: number) => number) =>
      round(meters / FOOT_METERS).toLocaleString('en-US');
    const range = `${feet(range_meters.min, Math.floor)} to ${feet(range_meters.max, Math.ceil)} feet`;
    const warnings = answer.warnings.map(({ message }) => ` ${message}`).join('');
    return {
      text: `The shore (${coast_definition}, ${shore}) is ${formatted.feet} feet (${formatted.miles} miles) to the ${compass_point}, bearing ${bearing_degrees}; with its error ${range}; place by ${location.source}, ${location.precision}, within ${location.error_radius_meters} m.${warnings} [${dataset.name}, ${dataset.version}]`,
      data: { ...answer },
    };
  },
});

const FOOT_METERS = 0.3048;
