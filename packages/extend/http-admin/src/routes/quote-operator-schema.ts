import { faultOutcomes, MAX_FAILED_RATES, outcomes } from '@leeward/quotes';
import { z } from 'zod';

const carrierKey = z.string().min(1).max(200).meta({ description: 'Key or name of a carrier.' });

export const listCooldownsRequest = z.looseObject({}).meta({ id: 'ListRestingCarriersRequest' });
export const carrierRequest = z.strictObject({ carrier_key: carrierKey }).meta({ id: 'QuoteCarrierRequest' });
export const carrierCooldowns = z
  .object({
    carriers: z.array(
      z.object({
        carrier_key: z.string(),
        paused: z.boolean().meta({
          description: 'True until an operator resumes it; false during a cooldown of the carrier.',
        }),
        remaining_seconds: z.number().nullable().meta({ description: 'Remaining cooldown; null if it is paused.' }),
      }),
    ),
  })
  .meta({ id: 'RestingCarriers' });
export const carrierChanged = z
  .object({
    carrier_key: z.string(),
    changed: z.boolean().meta({ description: 'False if nothing changed.' }),
  })
  .meta({ id: 'QuoteCarrierChanged' });

const faults = z.array(z.enum(faultOutcomes)).min(1).max(faultOutcomes.length);
const limit = z.int().min(1).max(MAX_FAILED_RATES);
export const listFailedRequest = z
  .strictObject({
    state: z
      .enum(['ended', 'waiting'])
      .nullish()
      .meta({ description: '`ended` (default): failed rates, newest first. `waiting`: the longest wait first.' }),
    carrier_key: carrierKey.nullish(),
    team_id: z.string().max(100).nullish(),
    outcomes: faults.nullish().meta({ description: 'Outcomes of ended rates. If omitted, all.' }),
    waiting_seconds: z
      .number()
      .min(0)
      .max(1e8)
      .nullish()
      .meta({ description: 'Minimum time that a rate has been waiting. Default 300.' }),
    limit: limit.nullish().meta({ description: 'Default 100.' }),
    after: z.string().max(100).nullish().meta({ description: '`next` of the previous page.' }),
  })
  .meta({ id: 'ListTroubledRatesRequest' });
export const failedRates = z
  .object({
    rates: z.array(
      z.object({
        rate_id: z.string(),
        quote_request_id: z.string(),
        team_id: z.string(),
        carrier_key: z.string(),
        carrier: z.string(),
        form_type: z.string(),
        outcome: z.enum(outcomes).nullable(),
        why: z.string().meta({
          description:
            'The code of the fault. For a waiting rate: `in_turn`, `being_asked`, `pending`, `carrier_resting`, `carrier_paused`, or the fault after which it is tried again.',
        }),
        message: z.string().nullable(),
        retry: z
          .enum(['yes', 'may_repeat', 'no'])
          .meta({ description: '`may_repeat`: the carrier may have done the work. `no`: it has not ended.' }),
        attempts: z.int(),
        created_at: z.string(),
        finished_at: z.string().nullable(),
      }),
    ),
    next: z.string().nullable(),
  })
  .meta({ id: 'TroubledRates' });

const mayRepeat = z.boolean().nullish().meta({
  description:
    'Retry even if the carrier may have done the work already and may do it twice. Check with the carrier first.',
});
export const retryRatesRequest = z
  .union([
    z.strictObject({
      rate_ids: z.array(z.string().min(1).max(100)).min(1).max(MAX_FAILED_RATES),
      may_repeat: mayRepeat,
    }),
    z.strictObject({
      carrier_key: carrierKey.meta({
        description: 'Key or name: all of its rates that ended with a fault, newest first.',
      }),
      outcomes: faults.nullish().meta({ description: 'If omitted, all.' }),
      limit: limit.nullish().meta({ description: 'Default 100.' }),
      may_repeat: mayRepeat,
    }),
  ])
  .meta({ id: 'RetryTroubledRatesRequest', description: 'Rates by identifier, or those of a carrier.' });
export const retriedRates = z
  .object({
    retried: z.array(z.object({ rate_id: z.string(), retried_as: z.string() })),
    woken: z.array(z.string()).meta({ description: 'Open rates that are tried or polled again now.' }),
    refused: z.array(z.object({ rate_id: z.string(), code: z.string(), message: z.string() })),
    more: z.boolean().meta({ description: 'True if the carrier has more such rates.' }),
  })
  .meta({ id: 'RetriedRates' });
