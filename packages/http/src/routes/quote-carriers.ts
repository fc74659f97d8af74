import type { CarrierChanged, Quotes } from '@leeward/quotes';
import { z } from 'zod';
import { jsonSchemaOf } from '../document/component-schemas.ts';
import { guarded, type Operation } from '../operation/operation.ts';
import { notFound } from '../problem/problem.ts';
import { checkBody } from '../request/check-body.ts';

const listRequest = z.looseObject({}).meta({ id: 'ListRestingCarriersRequest' });
const carrierRequest = z
  .strictObject({ carrier_key: z.string().min(1).max(200).meta({ description: 'Key or name of a carrier.' }) })
  .meta({ id: 'QuoteCarrierRequest' });
const restingCarriers = z
  .object({
    carriers: z.array(
      z.object({
        carrier_key: z.string(),
        paused: z.boolean().meta({ description: 'Until somebody resumes it; false where it asked to be left alone.' }),
        remaining_seconds: z.number().nullable().meta({ description: 'Of its rest; null of a pause.' }),
      }),
    ),
  })
  .meta({ id: 'RestingCarriers' });
const carrierChanged = z
  .object({
    carrier_key: z.string(),
    changed: z.boolean().meta({ description: 'False where there was nothing to end.' }),
  })
  .meta({ id: 'QuoteCarrierChanged' });

/** `/v1/admin/quote-carriers/…`: carriers that are left alone, for the operator of the instance. */
export function quoteCarrierOperations(quotes: Quotes): Operation[] {
  const change = (
    verb: 'pause' | 'resume',
    summary: string,
    run: (carrier: string) => Promise<CarrierChanged | undefined>,
  ): Operation =>
    operation({
      path: `/v1/admin/quote-carriers/${verb}`,
      operationId: `${verb}QuoteCarrier`,
      summary,
      request: carrierRequest,
      response: carrierChanged,
      async run(json) {
        const { carrier_key } = checkBody(carrierRequest, json);
        const done = await run(carrier_key);
        if (done === undefined) throw notFound();
        return { carrier_key: done.carrierKey, changed: done.changed };
      },
    });
  return [
    operation({
      path: '/v1/admin/quote-carriers/list',
      operationId: 'listRestingCarriers',
      summary: 'List the carriers that are left alone',
      request: listRequest,
      response: restingCarriers,
      async run(json) {
        checkBody(listRequest, json);
        const rests = await quotes.carrierRests();
        return {
          carriers: rests.map(({ carrierKey, remainingMs }) => ({
            carrier_key: carrierKey,
            paused: remainingMs === undefined,
            remaining_seconds: remainingMs === undefined ? null : Math.ceil(remainingMs / 1000),
          })),
        };
      },
    }),
    change('pause', 'Ask a carrier nothing until it is resumed', (key) => quotes.pauseCarrier(key)),
    change('resume', 'End a carrier’s pause, or the rest that it asked for', (key) => quotes.resumeCarrier(key)),
  ];
}

function operation(options: {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly request: z.ZodType;
  readonly response: z.ZodType;
  readonly run: (json: unknown) => Promise<unknown>;
}): Operation {
  const { path, operationId, summary, request, response, run } = options;
  const name = `${operationId[0]?.toUpperCase()}${operationId.slice(1)}`;
  return guarded<undefined>({
    method: 'post',
    path,
    operationId,
    tag: 'quoting',
    access: { scopes: ['operator'] },
    summary,
    requestBody: { name: `${name}Request`, schema: jsonSchemaOf(request, 'input'), optional: true },
    answers: {
      200: { description: 'Done.', content: { name: `${name}Response`, schema: jsonSchemaOf(response, 'output') } },
    },
    problems: ['not_found'],
    locate: () => undefined,
    handle: async ({ json }) => ({ status: 200, body: await run(json ?? {}) }),
  });
}
