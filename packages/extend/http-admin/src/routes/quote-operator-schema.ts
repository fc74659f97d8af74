import { exchangePurposes, faultOutcomes, MAX_EXCHANGES, MAX_FAILED_RATES, outcomes } from '@leeward/quotes';
import { z } from 'zod';

const carrierKey = z.string().min(1).max(200).meta({ description: 'Key or name of a carrier.', pattern: '\\S' });

/** No store can look up a NUL character. */
const identifier = z
  .string()
  .max(100)
  .refine((text) => !text.includes('\0'), { error: 'give an identifier without a NUL character' })
  .meta({ pattern: '^[^\\x00]*$' });

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
    team_id: identifier.nullish(),
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
  .union(
    [
      z.strictObject({
        rate_ids: z.array(identifier.min(1)).min(1).max(MAX_FAILED_RATES),
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
    ],
    { error: 'give rate_ids, or carrier_key' },
  )
  .meta({ id: 'RetryTroubledRatesRequest', description: 'Rates by identifier, or those of a carrier.' });
export const retriedRates = z
  .object({
    retried: z.array(z.object({ rate_id: z.string(), retried_as: z.string() })),
    woken: z.array(z.string()).meta({ description: 'Open rates that are tried or polled again now.' }),
    refused: z.array(z.object({ rate_id: z.string(), code: z.string(), message: z.string() })),
    more: z.boolean().meta({ description: 'True if the carrier has more such rates.' }),
  })
  .meta({ id: 'RetriedRates' });

const exchangesOf = {
  since: z.string().max(40).nullish().meta({ description: 'RFC 3339. If omitted, from the oldest on.' }),
  include_messages: z.boolean().nullish().meta({ description: 'With header fields and bodies. Default false.' }),
  limit: z.int().min(1).max(MAX_EXCHANGES).nullish().meta({ description: 'Default 20. Large pages are shorter.' }),
  after: z.string().max(100).nullish().meta({ description: '`next` of the previous page.' }),
};
export const listExchangesRequest = z
  .union(
    [
      z.strictObject({ rate_id: identifier.min(1), ...exchangesOf }),
      z.strictObject({ carrier_key: carrierKey, ...exchangesOf }),
    ],
    { error: 'give rate_id, or carrier_key' },
  )
  .meta({ id: 'ListExchangesRequest', description: 'One rate, or one carrier.' });
const message = z
  .object({
    headers: z.record(z.string(), z.string()),
    body: z.object({
      text: z.string().optional().meta({ description: 'If the body is UTF-8.' }),
      base64: z.string().optional().meta({ description: 'If it is not UTF-8.' }),
      bytes: z.int().meta({ description: 'Length before it was truncated.' }),
      truncated: z.boolean().meta({ description: 'True if only the first 256 KiB were kept.' }),
    }),
  })
  .meta({ id: 'ExchangedMessage' });
export const exchanges = z
  .object({
    exchanges: z.array(
      z.object({
        exchange_id: z.string(),
        rate_id: z.string(),
        quote_request_id: z.string(),
        team_id: z.string(),
        carrier_key: z.string(),
        at: z.string(),
        readable: z.boolean().meta({
          description: 'False if the service lacks its encryption key; then the members below are missing.',
        }),
        purpose: z.enum(exchangePurposes).optional(),
        method: z.string().optional(),
        url: z.string().optional(),
        status: z.int().nullish().meta({ description: 'Null without an answer.' }),
        failure: z.string().nullish().meta({ description: 'Code of the failure if the answer is incomplete.' }),
        took_ms: z.int().optional(),
        reading: z
          .object({ outcome: z.string(), code: z.string().nullable(), premium: z.string().nullable() })
          .nullish()
          .meta({
            description: 'Outcome, or kind and code of the fault, read in the answer; null if it was not used.',
          }),
        request: message.optional(),
        answer: message.nullish(),
      }),
    ),
    next: z.string().nullable(),
  })
  .meta({ id: 'CarrierExchanges' });
