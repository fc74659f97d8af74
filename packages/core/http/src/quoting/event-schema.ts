import { eventTypes, outcomes } from '@leeward/quotes';
import { z } from 'zod';
import { jsonSchemaOf } from '../document/component-schemas.ts';
import { instant } from './quote-schema.ts';

const streamTypes = eventTypes.filter((type) => type !== 'home.verdicts_changed');
const carrier = { carrier_key: z.string(), carrier: z.string(), form_type: z.string() };

/** The data of an event. */
const eventMessage = z.object({
  type: z.enum(streamTypes),
  timestamp: instant,
  data: z.object({
    quote_request_id: z.string(),
    service_quote_id: z.string(),
    number: z.int().min(1).meta({ description: '1, 2, 3 … within the quote, in order.' }),
    rate: z
      .object({
        id: z.string(),
        ...carrier,
        status: z.enum(['success', 'error']),
        outcome: z.enum(outcomes),
        premium: z.string().nullable(),
      })
      .nullable()
      .meta({ description: 'The rate after the event; null for an event of the whole quote.' }),
    carriers: z
      .array(
        z.object({
          rate_id: z.string(),
          ...carrier,
          change: z.enum(['closed', 'reopened']),
          reasons: z.array(z.object({ code: z.string(), message: z.string() })),
        }),
      )
      .optional()
      .meta({ description: 'Carriers that a storm or another event closed or reopened; only in `quote.affected`.' }),
  }),
});

/** One Server-Sent Event of a quote: its fields, as an `EventSource` reads them. */
export const quoteEvent = z
  .object({
    id: z.string().meta({ description: 'Id of the event, for `Last-Event-ID`.' }),
    event: z.enum(streamTypes).meta({ description: 'Type of the event.' }),
    data: z.string().meta({
      description: 'JSON of one line.',
      contentMediaType: 'application/json',
      contentSchema: jsonSchemaOf(eventMessage, 'output'),
    }),
  })
  .meta({ id: 'QuoteEvent', description: 'A Server-Sent Event.' });
