import { stateCodes } from '@leeward/places/counties';
import { z } from 'zod';
import { rateTypes } from '../../ports/carrier-adapter.ts';

const pointer = z
  .string()
  .regex(/^(\/.*)?$/)
  .meta({ description: 'JSON Pointer (RFC 6901) into the response.', examples: ['/quote/premium'] });
const secretText = z
  .string()
  .min(1)
  .meta({ description: `Text with \${NAME} for secrets of the host.`, examples: [`\${CARRIER_TOKEN}`] });
const answerOutcome = z.enum(['quoted', 'referred', 'declined', 'ineligible', 'needs_information']);
const comment = z.unknown().optional().meta({ description: 'A note for people; ignored.' });

const lines = z
  .strictObject({
    path: pointer,
    code: pointer,
    name: pointer.optional(),
    amount: pointer,
  })
  .meta({ description: 'A list of amounts; code, name and amount are pointers into each of its entries.' });

const responseSchema = z.strictObject({
  outcome: z
    .strictObject({
      path: pointer,
      values: z.record(z.string(), answerOutcome).meta({ description: 'What the carrier says, and what it means.' }),
      $comment: comment,
    })
    .optional()
    .meta({ description: 'Left out: quoted, when there is a premium.' }),
  premium: pointer,
  premium_unit: z.enum(['dollars', 'cents']).optional().meta({ description: 'Default dollars.' }),
  carrier_quote_number: pointer.optional(),
  carrier_quote_url: pointer.optional(),
  bridge_url: pointer.optional(),
  expires_at: pointer.optional().meta({ description: 'An instant with an offset, or a date.' }),
  rate_type: z
    .union([
      z.enum(rateTypes),
      z.strictObject({ path: pointer, values: z.record(z.string(), z.enum(rateTypes)), $comment: comment }),
    ])
    .optional()
    .meta({ description: 'What its premiums are worth, or where an answer says it. Default indication.' }),
  subject_to: z
    .strictObject({ path: pointer, code: pointer, message: pointer.optional(), $comment: comment })
    .optional()
    .meta({ description: 'What is still to be shown; code and message are pointers into each entry of the list.' }),
  messages: z
    .strictObject({
      path: pointer,
      level: pointer.optional(),
      levels: z.record(z.string(), z.enum(['info', 'warning', 'error'])).optional(),
      code: pointer.optional(),
      message: pointer,
      field: pointer.optional(),
      $comment: comment,
    })
    .optional(),
  coverages: lines.optional(),
  deductibles: lines.optional(),
  fees: lines.optional(),
  $comment: comment,
});

const requestSchema = z.strictObject({
  method: z.enum(['POST', 'PUT', 'GET']),
  url: z.string().min(1).meta({ description: 'http:// or https://, with {{…}} for values.' }),
  headers: z.record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/), z.string()).optional(),
  body: z.unknown().optional().meta({ description: 'A template of JSON: text with {{…}}, or { "$value": … }.' }),
  $comment: comment,
});

const authSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('bearer'), token: secretText }),
  z.strictObject({ type: z.literal('basic'), username: secretText, password: secretText }),
  z.strictObject({ type: z.literal('header'), name: z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/), value: secretText }),
  z.strictObject({
    type: z.literal('oauth2_client_credentials'),
    token_url: z.url({ protocol: /^https?$/ }),
    client_id: secretText,
    client_secret: secretText,
    scope: z.string().optional(),
  }),
]);

/** What a carrier can answer by its status alone: an outcome, or a fault. */
const statusMeaning = z.enum([...answerOutcome.options, 'answer', 'refused', 'failed', 'invalid']);

/** A carrier reached over HTTP, as JSON has it. */
export const httpCarrierSchema = z
  .strictObject({
    $schema: z.string().optional(),
    format: z.literal(1),
    carrier: z.strictObject({
      key: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
      name: z.string().min(1).max(200),
      $comment: comment,
    }),
    offers: z
      .array(
        z.strictObject({
          form_types: z
            .array(z.string().min(1).max(100))
            .min(1)
            .meta({ description: 'Of any line that is quoted: ho3, dp3, wind only …' }),
          states: z
            .array(z.enum(stateCodes as [string, ...string[]]))
            .min(1)
            .optional(),
          $comment: comment,
        }),
      )
      .min(1),
    idempotent: z.boolean().meta({ description: 'Whether the carrier does its work once for one idempotency key.' }),
    idempotency_header: z
      .string()
      .regex(/^[\w!#$%&'*+.^`|~-]+$/)
      .optional()
      .meta({ description: 'Default Idempotency-Key.' }),
    auth: authSchema.optional(),
    request: requestSchema,
    response: responseSchema,
    statuses: z
      .record(z.string().regex(/^[1-5]\d\d$/), statusMeaning)
      .optional()
      .meta({ description: 'What an HTTP status means where it is not the usual.' }),
    lookup: z
      .strictObject({
        request: requestSchema,
        absent_statuses: z
          .array(z.int().min(200).max(599))
          .min(1)
          .meta({ description: 'The carrier never took the request.' }),
        response: responseSchema.optional().meta({ description: 'Default: as of the request.' }),
        $comment: comment,
      })
      .optional(),
    limits: z
      .strictObject({
        concurrency: z.int().min(1).max(10_000).optional(),
        deadline_ms: z.int().min(1).max(3_600_000).optional(),
        max_attempts: z.int().min(1).max(100).optional(),
        backoff_ms: z
          .tuple([z.number().min(0), z.number().min(0)])
          .optional()
          .meta({ description: 'First and longest wait.' }),
        rate_limit: z
          .strictObject({ calls: z.int().min(1), per_ms: z.number().min(1), burst: z.int().min(1).optional() })
          .optional(),
        breaker: z.strictObject({ failures: z.int().min(1), rest_ms: z.number().min(1) }).optional(),
        max_rest_ms: z
          .number()
          .min(0)
          .max(86_400_000)
          .optional()
          .meta({ description: 'The longest that Retry-After is heeded. Default 60,000.' }),
        $comment: comment,
      })
      .optional(),
    $comment: comment,
  })
  .meta({ title: 'HTTP carrier', description: 'How one carrier is asked over HTTP with JSON.' });

/** A carrier that answers over HTTP, described: `http-carrier.json`. */
export type HttpCarrierFile = z.infer<typeof httpCarrierSchema>;
export type HttpRequestFile = HttpCarrierFile['request'];
export type HttpResponseFile = HttpCarrierFile['response'];
export type HttpAuthFile = NonNullable<HttpCarrierFile['auth']>;

/** JSON Schema (2020-12) of an HTTP carrier, for editors. */
export function httpCarrierJsonSchema(): Record<string, unknown> {
  return { ...z.toJSONSchema(httpCarrierSchema, { io: 'input' }) };
}
