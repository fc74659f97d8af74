import { z } from 'zod';
import { addressesVersion, coastlineVersion, versionHeaders } from '../answer/answer-versions.ts';
import { answerDistance } from '../distance/answer-distance.ts';
import type { DistancePorts } from '../distance/distance-ports.ts';
import { distanceRequest, distanceResponse } from '../distance/distance-schema.ts';
import type { FoundPlace } from '../distance/found-place.ts';
import { asExample, createContentText } from '../document/content-text.ts';
import { guarded, type RouteGroup } from '../operation/operation.ts';
import type { RequestContext } from '../operation/request-context.ts';
import { asProblem, problemDocument, problemSchema } from '../problem/problem-document.ts';
import { checkBody } from '../request/check-body.ts';

const tag = 'distance';
const access = { scopes: ['distance'] };
const MAX_ITEMS = 1000;
/** Concurrent items of a batch: enough to keep a geocoder busy without overloading it. */
const ITEMS_AT_ONCE = 16;

const batchOf = (item: z.ZodType) => z.strictObject({ items: z.array(item).min(1).max(MAX_ITEMS) });
/** Items are validated one by one, so that an invalid one fails alone. */
const batchRequest = batchOf(z.unknown());
const batchDocument = batchOf(distanceRequest).meta({
  id: 'DistanceBatchRequest',
  description: `Up to ${MAX_ITEMS} requests, answered in order.`,
});
const batchResponse = z
  .object({ results: z.array(z.union([distanceResponse, z.object({ problem: problemSchema })])) })
  .meta({ id: 'DistanceBatch' });

/** `/v1/distance-to-coast`: distance and direction to the shore, with their accuracy. */
export function distanceRoutes(ports: DistancePorts): RouteGroup {
  return {
    name: tag,
    description: 'Distance from an address or a point to the nearest shore.',
    operations: [
      guarded<undefined>({
        method: 'post',
        path: '/v1/distance-to-coast',
        operationId: 'distanceToCoast',
        tag,
        access,
        summary: 'Measure the distance to the coast',
        description:
          'The nearest point of the shore, with the direction, and the accuracy of the data and of the location.',
        requestBody: createContentText('DistanceRequest', distanceRequest, 'input', { examples: requestExamples }),
        answers: {
          200: {
            description: 'The nearest point of the shore.',
            isVersioned: true,
            content: createContentText('DistanceToCoast', distanceResponse, 'output', {
              examples: asExample('A point on Miami Beach', distanceExample),
            }),
          },
        },
        problems: ['unavailable'],
        locate: () => undefined,
        handle: async (call) => {
          const places = createPlaces(ports);
          const body = await answerDistance(call.json, ports, call, undefined, places.add);
          return { status: 200, headers: places.headers(), body };
        },
      }),
      guarded<undefined>({
        method: 'post',
        path: '/v1/distance-to-coast/batch',
        operationId: 'distanceToCoastBatch',
        tag,
        access,
        summary: 'Measure the distance to the coast from many points',
        description:
          'Up to 1,000 requests, answered in order. An item that cannot be answered has a problem in its place; the others are answered. Each item counts against the limit of items.',
        requestBody: createContentText('DistanceBatchRequest', batchDocument, 'input', {
          examples: asExample('A point and an address', { items: [point, { address: '' }] }),
        }),
        answers: {
          200: {
            description: 'An answer or a problem for each item, in order.',
            isVersioned: true,
            content: createContentText('DistanceBatch', batchResponse, 'output', {
              examples: asExample('The point is answered; the address is empty', {
                results: [distanceExample, { problem: problemExample }],
              }),
            }),
          },
        },
        locate: () => undefined,
        handle: async (call) => {
          const { items } = checkBody(batchRequest, call.json);
          await call.countItems(items.length);
          const places = createPlaces(ports);
          const results = await answerAll(items, call, ports, places.add);
          return { status: 200, headers: places.headers(), body: { results } };
        },
      }),
    ],
  };
}

/** Collects the versions that determine the answers of a request. */
function createPlaces({ coast }: DistancePorts) {
  const addresses = new Set<string>();
  let isMeasured = false;
  return {
    add({ method, source, dataVersion = source }: FoundPlace): void {
      isMeasured = true;
      if (method !== 'coordinates') addresses.add(dataVersion);
    },
    headers(): Record<string, string> {
      if (!isMeasured) return {};
      return versionHeaders({ coastline: coastlineVersion(coast.datasets), addresses: addressesVersion(addresses) });
    },
  };
}

async function answerAll(
  items: readonly unknown[],
  context: Pick<RequestContext, 'signal' | 'requestId' | 'turn' | 'end' | 'basePath'>,
  ports: DistancePorts,
  onPlace: (place: FoundPlace) => void,
): Promise<unknown[]> {
  const results: unknown[] = new Array(items.length);
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++;
      try {
        results[index] = await answerDistance(items[index], ports, context, context.turn, onPlace);
      } catch (error) {
        if (context.end) throw context.end;
        results[index] = { problem: problemDocument(asProblem(error), context.requestId, context.basePath) };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(ITEMS_AT_ONCE, items.length) }, work));
  return results;
}

const point = { lat: 25.7826, lng: -80.1341 };

const limits = [{ feet: 1000 }, { miles: 1 }, { meters: 500 }];

const distanceExample = {
  address: point,
  coast: { lat: 25.781732778339855, lng: -80.12797612434464 },
  distance: {
    raw: {
      kilometers: 0.6217030701981334,
      meters: 621.7030701981334,
      feet: 2039.7082355581806,
      miles: 0.3863083779466251,
    },
    formatted: { kilometers: '0.622', meters: '622', feet: '2,039.71', miles: '0.39' },
  },
  direction_to_coast: 'The coast is 622 meters to the east.',
  bearing_degrees: '98.9°',
  compass_point: 'east',
  location: { source: 'coordinates', precision: 'exact', error_radius_meters: 0, method: 'coordinates' },
  dataset: {
    name: 'osm-us',
    version: '2024 (roaring-landmask 0.11.0)',
    accuracy_meters: 45,
    attribution:
      '© OpenStreetMap contributors, ODbL-1.0, by way of roaring-landmask 0.11.0 (Gaute Hope), simplified at 0.0005°; cut and classed by Leeward.',
  },
  range_meters: { min: 576.7030701981334, max: 666.7030701981334 },
  probability_within: [
    { feet: 1000, meters: 304.8, probability: 0.01 },
    { miles: 1, meters: 1609.344, probability: 0.9999 },
    { meters: 500, probability: 0.0286 },
  ],
  on_land: true,
  shore: 'Atlantic',
  coast_definition: 'tidal',
  warnings: [],
};

const empty = 'The address is empty: give a street, city and state, or a ZIP code.';
const problemExample = {
  type: '/problems/invalid_request',
  title: 'Invalid request',
  status: 422,
  detail: empty,
  code: 'invalid_request',
  request_id: '018f2f6e-7a5b-4c1d-9e3f-2b6a1c0d4e5f',
  errors: [{ path: '/address', code: 'empty', message: empty }],
};

const requestExamples = {
  point: { summary: 'A point', value: point },
  limits: { summary: 'A point, with limits of carriers', value: { ...point, probability_within: limits } },
  address: { summary: 'An address', value: { address: '1600 Ocean Dr, Miami Beach FL 33139' } },
};
