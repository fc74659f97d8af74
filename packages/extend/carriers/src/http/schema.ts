import { stateCodes } from '@leeward/places/counties';
import { inclusions, rateTypes, settlements } from '@leeward/quotes';
import { z } from 'zod';
import { financialStrength } from '../financial-strength.ts';
import { dialectSchema } from './dialect/schema.ts';

const pointer = z
  .string()
  .regex(/^(\/.*)?$/)
  .meta({ description: 'JSON Pointer (RFC 6901) into the response.', examples: ['/quote/premium'] });
const secretText = z
  .string()
  .min(1)
  .meta({ description: `Text with \${NAME} for secrets of the host.`, examples: [`\${CARRIER_TOKEN}`] });
const answerOutcome = z.enum(['quoted', 'referred', 'declined', 'ineligible', 'needs_information']);
const codes = z
  .record(z.string(), z.string())
  .meta({ description: 'Names of the carrier, and ours. Names that are not listed are unchanged.' });
const currencyCode = z.string().regex(/^[A-Z]{3}$/);
const termMonths = z.int().min(1).max(60);
const comment = z.unknown().optional().meta({ description: 'A note for people; ignored.' });

const amountLines = z.strictObject({
  path: pointer,
  code: pointer,
  name: pointer.optional(),
  amount: pointer,
  codes: codes.optional(),
});
const lines = amountLines.meta({
  description: 'A list of amounts; code, name and amount are pointers into each of its entries.',
});
const words = <Word extends z.ZodEnum>(word: Word) =>
  z.strictObject({ path: pointer, values: z.record(z.string(), word), $comment: comment }).optional();
const coverageLines = amountLines
  .extend({
    amount: pointer.optional(),
    percent: pointer.optional().meta({ description: 'Percentage of a coverage: 2, or "2%".' }),
    percent_of: pointer.optional().meta({ description: 'Code of that coverage. Default dwelling.' }),
    inclusion: words(z.enum(inclusions)).meta({ description: 'Words of the carrier for included and excluded.' }),
    settlement: words(z.enum(settlements)).meta({ description: 'Words of the carrier for its settlements.' }),
  })
  .meta({
    description:
      'A list of coverages: each has an amount, a percentage, an inclusion or a settlement. Members other than path and codes are pointers into each of its entries.',
  });

const responseSchema = z.strictObject({
  outcome: z
    .strictObject({
      path: pointer,
      values: z
        .record(z.string(), z.enum([...answerOutcome.options, 'pending']))
        .meta({ description: 'Values of the carrier and their meaning; pending if the file has a "job".' }),
      $comment: comment,
    })
    .optional()
    .meta({ description: 'If omitted: quoted, if there is a premium.' }),
  premium: pointer,
  rounding: z
    .enum(['half_up', 'up', 'down'])
    .optional()
    .meta({ description: 'For amounts with fractions of a cent. Default: such an amount is a fault.' }),
  expect: z
    .array(
      z.strictObject({
        path: pointer,
        name: z.string().min(1).max(100).meta({ description: 'In messages, for example currency.' }),
        one_of: z.array(z.union([z.string(), z.number(), z.boolean()])).min(1),
        $comment: comment,
      }),
    )
    .optional()
    .meta({ description: 'Values that answers with a premium must have; any other is a fault.' }),
  premium_unit: z.enum(['dollars', 'cents']).optional().meta({ description: 'Default dollars.' }),
  currency: z
    .union([
      currencyCode,
      z.strictObject({ path: pointer, values: z.record(z.string(), currencyCode).optional(), $comment: comment }),
    ])
    .optional()
    .meta({
      description: 'Currency of the amounts, or its place in an answer. Default USD; any other is a fault.',
    }),
  term_months: z
    .union([
      termMonths,
      z.strictObject({ path: pointer, values: z.record(z.string(), termMonths).optional(), $comment: comment }),
    ])
    .optional()
    .meta({ description: 'Term of a premium in months, or its place in an answer. Default 12.' }),
  annualize: z.boolean().optional().meta({
    description: 'True to convert a premium for another term to 12 months. Default: another term is a fault.',
  }),
  carrier_quote_number: pointer.optional(),
  carrier_quote_url: pointer.optional(),
  bridge_url: pointer.optional(),
  expires_at: pointer.optional().meta({ description: 'An instant with an offset, or a date.' }),
  expires_format: z
    .string()
    .optional()
    .meta({ description: 'Format of the date, with YYYY, MM and DD.', examples: ['MM/DD/YYYY'] }),
  rate_type: z
    .union([
      z.enum(rateTypes),
      z.strictObject({ path: pointer, values: z.record(z.string(), z.enum(rateTypes)), $comment: comment }),
    ])
    .optional()
    .meta({ description: 'Commitment of the premiums, or its place in an answer. Default indication.' }),
  subject_to: z
    .strictObject({
      path: pointer,
      code: pointer,
      message: pointer.optional(),
      codes: codes.optional(),
      $comment: comment,
    })
    .optional()
    .meta({ description: 'Open requirements; code and message are pointers into each entry of the list.' }),
  documents: z
    .strictObject({
      path: pointer,
      title: pointer,
      url: pointer,
      media_type: pointer.optional(),
      $comment: comment,
    })
    .optional()
    .meta({
      description: 'Addresses of quote letters and forms. The default media type is application/pdf.',
    }),
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
  coverages: coverageLines.optional(),
  deductibles: coverageLines.optional(),
  endorsements: coverageLines.optional(),
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
    client_authentication: z
      .enum(['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'tls_client_auth'])
      .optional()
      .meta({ description: 'Client authentication at the token service. Default client_secret_basic.' }),
    client_secret: secretText.optional(),
    private_key: z
      .strictObject({
        key: secretText.meta({ description: 'PEM, for example PKCS #8.' }),
        algorithm: z.enum(['RS256', 'ES256']),
        key_id: z.string().min(1).optional().meta({ description: 'Key id at the token service.' }),
        audience: z.string().min(1).optional().meta({ description: 'Default: address of the token service.' }),
        $comment: comment,
      })
      .optional()
      .meta({ description: 'For private_key_jwt (RFC 7523).' }),
    scope: z.string().min(1).optional(),
    audience: z.string().min(1).optional(),
    resource: z
      .union([z.url(), z.array(z.url()).min(1)])
      .optional()
      .meta({ description: 'Resource of the token (RFC 8707).' }),
    $comment: comment,
  }),
]);

const tlsSchema = z
  .strictObject({
    certificate: secretText,
    key: secretText,
    passphrase: secretText.optional(),
    ca: secretText.optional().meta({ description: 'CA of the server certificate, if it is not public.' }),
    $comment: comment,
  })
  .meta({ description: 'Mutual TLS: client certificate, as PEM, for the carrier and its token service.' });

const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/);
const place = z
  .union([z.strictObject({ path: pointer }), z.strictObject({ header: headerName })])
  .meta({ description: 'Place of a value in an answer: in its body or in a header.' });
const ms = z.int().min(1).max(86_400_000);

const stepSchema = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9_]{0,31}$/),
  request: requestSchema,
  take: z
    .record(z.string().regex(/^[a-z][a-z0-9_]{0,31}$/), place)
    .meta({ description: 'Values of its answer, for later requests as {{steps.<id>.<name>}}.' }),
  idempotent: z.boolean().meta({
    description:
      'True if it may be sent again after a lost answer. A step that is not idempotent is sent once per rate.',
  }),
  cache_seconds: z
    .int()
    .min(1)
    .max(86_400)
    .optional()
    .meta({ description: 'Time for which all calls share its values, in seconds: a session.' }),
  renew_statuses: z
    .array(z.int().min(400).max(599))
    .min(1)
    .optional()
    .meta({ description: 'Statuses that mean: the session is unknown, and nothing was done. Default 401.' }),
  $comment: comment,
});

const jobSchema = z
  .strictObject({
    taken_statuses: z.array(z.int().min(200).max(299)).min(1).optional().meta({ description: 'Default 202.' }),
    at: place.optional().meta({ description: 'Address or name of the job. Default: the header Location.' }),
    reference: place.optional().meta({
      description: 'Reference of the request in callbacks. Default: the idempotency key, which is the id of the rate.',
    }),
    referrals: z
      .boolean()
      .optional()
      .meta({ description: 'True if a referral with a job stays open until another answer replaces it.' }),
    poll: z
      .strictObject({
        request: requestSchema
          .optional()
          .meta({ description: 'With {{job}} for its name. If omitted: a GET of its address.' }),
        origins: z
          .array(z.url({ protocol: /^https?$/ }))
          .optional()
          .meta({ description: 'Other allowed origins of jobs. Credentials are sent there.' }),
        every_ms: z
          .union([ms, z.array(ms).min(1)])
          .optional()
          .meta({
            description: 'Waits between polls; the last one repeats. Retry-After has priority. Default 5,000.',
          }),
        state: z
          .strictObject({
            path: pointer,
            values: z.record(z.string(), z.enum(['pending', 'done', 'failed', ...answerOutcome.options])),
            $comment: comment,
          })
          .optional(),
        response: responseSchema.optional().meta({ description: 'Default: the response of the request.' }),
        $comment: comment,
      })
      .optional(),
    callback: z
      .strictObject({
        signature: z.strictObject({
          header: headerName,
          secret: secretText,
          encoding: z.enum(['hex', 'base64']).optional().meta({ description: 'Default hex.' }),
          prefix: z
            .string()
            .optional()
            .meta({ examples: ['sha256='] }),
          signed: z.string().optional().meta({
            description: 'Text signed with HMAC-SHA-256: {{body}}, and {{timestamp}} if there is one.',
          }),
          timestamp_header: headerName.optional().meta({ description: 'Seconds since 1970.' }),
          tolerance_seconds: z.int().min(1).max(86_400).optional().meta({ description: 'Default 300.' }),
          $comment: comment,
        }),
        id: place.meta({ description: 'Id of the callback; a callback is accepted once.' }),
        reference: place,
        response: responseSchema
          .optional()
          .meta({ description: 'Answer in the callback. If omitted, the job is polled.' }),
        $comment: comment,
      })
      .optional(),
    $comment: comment,
  })
  .meta({ description: 'For a carrier that accepts a request and answers later.' });

/** An outcome or a fault. */
const statusMeaning = z.enum([...answerOutcome.options, 'answer', 'refused', 'failed', 'unreadable', 'invalid']);

/** `http-carrier.json`. */
export const httpCarrierSchema = z
  .strictObject({
    $schema: z.string().optional(),
    format: z.literal(1),
    carrier: z.strictObject({
      key: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
      name: z.string().min(1).max(200),
      financial_strength: financialStrength.optional(),
      $comment: comment,
    }),
    offers: z
      .array(
        z.strictObject({
          form_types: z
            .array(z.string().min(1).max(100))
            .min(1)
            .meta({ description: 'Form types of any quoted line: ho3, dp3, wind only …' }),
          states: z
            .array(z.enum(stateCodes as [string, ...string[]]))
            .min(1)
            .optional(),
          $comment: comment,
        }),
      )
      .min(1),
    idempotent: z.boolean().meta({ description: 'True if the carrier does its work once per idempotency key.' }),
    idempotency_header: z
      .string()
      .regex(/^[\w!#$%&'*+.^`|~-]+$/)
      .optional()
      .meta({ description: 'Default Idempotency-Key.' }),
    auth: authSchema.optional(),
    tls: tlsSchema.optional(),
    steps: z
      .array(stepSchema)
      .min(1)
      .max(5)
      .optional()
      .meta({ description: 'Requests before the quote request, in order: a session, an account.' }),
    request: requestSchema,
    dialect: dialectSchema.optional(),
    response: responseSchema,
    job: jobSchema.optional(),
    documents: z
      .strictObject({
        origins: z
          .array(z.url({ protocol: /^https?$/ }))
          .optional()
          .meta({ description: 'Other allowed origins of documents. Credentials are sent there.' }),
        $comment: comment,
      })
      .optional()
      .meta({
        description:
          'Documents of its answers are fetched with credentials, from the origin of the request. If omitted, their addresses need no credentials.',
      }),
    statuses: z
      .record(z.string().regex(/^[1-5]\d\d$/), statusMeaning)
      .optional()
      .meta({ description: 'Meanings of HTTP statuses that differ from the defaults.' }),
    lookup: z
      .strictObject({
        request: requestSchema,
        absent_statuses: z
          .array(z.int().min(200).max(599))
          .min(1)
          .meta({ description: 'Statuses that mean: the carrier never received the request.' }),
        response: responseSchema.optional().meta({ description: 'Default: the response of the request.' }),
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
          .meta({ description: 'First and maximum wait.' }),
        rate_limit: z
          .strictObject({ calls: z.int().min(1), per_ms: z.number().min(1), burst: z.int().min(1).optional() })
          .optional(),
        quotas: z
          .array(z.strictObject({ requests: z.int().min(1).max(1_000_000_000), per: z.enum(['hour', 'day', 'month']) }))
          .max(3)
          .optional()
          .meta({ description: 'Requests per calendar hour, day or month in UTC, over all processes.' }),
        breaker: z.strictObject({ failures: z.int().min(1), rest_ms: z.number().min(1) }).optional(),
        max_rest_ms: z
          .number()
          .min(0)
          .max(86_400_000)
          .optional()
          .meta({ description: 'Maximum wait by Retry-After. Default 60,000.' }),
        max_pending_ms: z
          .int()
          .min(1)
          .max(400 * 86_400_000)
          .optional()
          .meta({ description: 'Maximum time until a job ends. Default 30 days.' }),
        $comment: comment,
      })
      .optional(),
    $comment: comment,
  })
  .meta({ title: 'HTTP carrier', description: 'Requests and answers of one carrier over HTTP.' });

/** Description of an HTTP carrier: `http-carrier.json`. */
export type HttpCarrierFile = z.infer<typeof httpCarrierSchema>;
export type HttpRequestFile = HttpCarrierFile['request'];
export type HttpResponseFile = HttpCarrierFile['response'];
export type HttpAuthFile = NonNullable<HttpCarrierFile['auth']>;
export type HttpStepFile = NonNullable<HttpCarrierFile['steps']>[number];
export type HttpJobFile = NonNullable<HttpCarrierFile['job']>;
export type PlaceFile = HttpStepFile['take'][string];
export type ClientCredentialsFile = Extract<HttpAuthFile, { type: 'oauth2_client_credentials' }>;

/**
 * JSON Schema (2020-12) of `http-carrier.json`, for editors.
 * @example
 * writeFileSync('http-carrier-1.json', JSON.stringify(httpCarrierJsonSchema()));
 */
export function httpCarrierJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(httpCarrierSchema, { io: 'input' });
  return { $schema, $id: 'https://unpkg.com/@leeward/carriers/schema/http-carrier-1.json', ...schema };
}
