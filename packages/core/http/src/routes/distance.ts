import { z } from 'zod';
import { answerDistance } from '../distance/answer-distance.ts';
import type { DistancePorts } from '../distance/distance-ports.ts';
import { distanceRequest, distanceResponse } from '../distance/distance-schema.ts';
import { createContentText } from '../document/content-text.ts';
import { guarded, type RouteGroup } from '../operation/operation.ts';
import type { RequestContext } from '../operation/request-context.ts';
import { asProblem, problemDocument, problemSchema } from '../problem/problem-document.ts';
import { checkBody } from '../request/check-body.ts';

const tag = 'distance';
const access = { scopes: ['distance'] };
const MAX_ITEMS = 1000;
/** Items of a batch under way at once: enough to keep a geocoder busy, not enough to overwhelm it. */
const ITEMS_AT_ONCE = 16;

const batchOf = (item: z.ZodType) => z.strictObject({ items: z.array(item).min(1).max(MAX_ITEMS) });
/** An item that does not fit is answered in its place, so the whole is checked without them. */
const batchRequest = batchOf(z.unknown());
const batchDocument = batchOf(distanceRequest).meta({
  id: 'DistanceBatchRequest',
  description: `Up to ${MAX_ITEMS} requests, answered in order.`,
});
const batchResponse = z
  .object({ results: z.array(z.union([distanceResponse, z.object({ problem: problemSchema })])) })
  .meta({ id: 'DistanceBatch' });

/** `/v1/distance-to-coast`: how far it is to the shore, in which direction, and how sure that is. */
export function distanceRoutes(ports: DistancePorts): RouteGroup {
  const example = {
    point: { summary: 'A point', value: { lat: 25.7826, lng: -80.1341 } },
    address: { summary: 'An address', value: { address: '1600 Ocean Dr, Miami Beach FL 33139' } },
  };
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
        summary: 'Distance to the coast',
        description:
          'The nearest point of the shore, with direction, the data’s accuracy and how well the place is known.',
        requestBody: createContentText('DistanceRequest', distanceRequest, 'input', { examples: example }),
        answers: {
          200: {
            description: 'The nearest point of the shore.',
            content: createContentText('DistanceToCoast', distanceResponse, 'output'),
          },
        },
        problems: ['unavailable'],
        locate: () => undefined,
        handle: async (call) => ({ status: 200, body: await answerDistance(call.json, ports, call) }),
      }),
      guarded<undefined>({
        method: 'post',
        path: '/v1/distance-to-coast/batch',
        operationId: 'distanceToCoastBatch',
        tag,
        access,
        summary: 'Distances to the coast, many at once',
        description: 'Each item counts against the limit of items.',
        requestBody: createContentText('DistanceBatchRequest', batchDocument, 'input'),
        answers: {
          200: {
            description: 'An answer or a problem for each item, in order.',
            content: createContentText('DistanceBatch', batchResponse, 'output'),
          },
        },
        locate: () => undefined,
        handle: async (call) => {
          const { items } = checkBody(batchRequest, call.json);
          await call.countItems(items.length);
          return { status: 200, body: { results: await answerAll(items, call, ports) } };
        },
      }),
    ],
  };
}

async function answerAll(
  items: readonly unknown[],
  context: Pick<RequestContext, 'signal' | 'requestId' | 'turn' | 'end' | 'basePath'>,
  ports: DistancePorts,
): Promise<unknown[]> {
  const results: unknown[] = new Array(items.length);
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++;
      try {
        results[index] = await answerDistance(items[index], ports, context, context.turn);
      } catch (thrown) {
        if (context.end) throw context.end;
        results[index] = { problem: problemDocument(asProblem(thrown), context.requestId, context.basePath) };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(ITEMS_AT_ONCE, items.length) }, work));
  return results;
}
