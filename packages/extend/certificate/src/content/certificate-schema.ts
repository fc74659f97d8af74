import { decisionSchema, knownValueSchema } from '@leeward/http';
import { z } from 'zod';

const { as_of, effective_date, organization_id, versions, home, counts, not_offered, warnings, notice } =
  decisionSchema.shape;
const status = z.enum(['eligible', 'referral', 'needs_information', 'ineligible']);

const source = z
  .object({
    kind: z.enum(['given', 'coastline', 'hazard_source', 'zip_code', 'inferred', 'host', 'missing', 'computed']).meta({
      description:
        '`given`: from the request. `zip_code`: from the ZIP code of the address. `inferred`: follows from other fields. `host`: computed by the program that hosts the service. `computed`: from the date, the place or events.',
    }),
    text: z.string().meta({ description: 'The source in words.' }),
    as_of: z.string().optional().meta({ description: 'Date of the value, if the request states it.' }),
  })
  .meta({ description: 'Origin of a value.' });

const test = z
  .object({
    field: z.string().meta({ description: 'Request name of the tested value.' }),
    label: z.string(),
    operator: z.string(),
    limit: knownValueSchema,
    limit_text: z.string().meta({ description: 'Operator and limit in words.' }),
    value: knownValueSchema,
    value_text: z.string().meta({ description: 'The value in words, with its unit.' }),
    unit: z.string().optional(),
    truth: z.enum(['true', 'false', 'undecided']),
    text: z.string().meta({ description: 'The test as a sentence.' }),
    source,
  })
  .meta({ description: 'A test of a rule: limit, value and source of the value.' });

const rule = z
  .object({
    rule_id: z.string(),
    kind: z.enum(['rule', 'territory', 'moratorium']),
    outcome: z.string(),
    code: z.string(),
    message: z.string(),
    program: z.string().nullable(),
    truth: z.enum(['true', 'false', 'undecided']),
    ends_at: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'For a moratorium: its end; null if it is unknown.' }),
    distances: z
      .array(z.string())
      .optional()
      .meta({ description: 'For a rule on distance: distance, range and limit.' }),
    tests: z.array(test),
  })
  .meta({ description: 'A rule that decided, or that missing fields could still make decide.' });

const requirement = z.object({ code: z.string(), message: z.string(), rule_id: z.string() });

const way = z
  .object({
    changes: z.array(z.object({ field: z.string(), label: z.string(), text: z.string() })),
    becomes: status,
  })
  .meta({ description: 'Changes that would give a better status, together.' });

const verdict = z
  .object({
    carrier_key: z.string(),
    carrier: z.string(),
    policy_type: z.string(),
    status,
    decided_by: z.array(rule),
    requirements: z.array(requirement),
    possible_requirements: z.array(requirement),
    notes: z.array(requirement),
    terms: z.array(z.object({ name: z.string(), text: z.string(), rule_ids: z.array(z.string()) })),
    missing: z.array(z.object({ field: z.string(), label: z.string() })),
    would_change: z
      .object({
        outcome: z.enum(['none_needed', 'ways', 'none_helps', 'not_known']),
        ways: z.array(way),
        note: z.string().optional(),
      })
      .optional(),
    tier: z.string().optional(),
    certainty: z.number().optional(),
    rule_set: z.object({ version: z.string(), sha256: z.string(), override_sha256: z.string().optional() }),
    source: z.enum(['catalog', 'organization', 'override']),
  })
  .meta({ id: 'CertificateVerdict' });

const range = z.object({ min: z.number(), max: z.number() });
const point = z.object({ lat: z.number(), lng: z.number() });

const shore = z
  .object({
    name: z.string().meta({ description: 'For example `Gulf`.' }),
    point,
    bearing_degrees: z.number(),
    compass_point: z.string(),
    accuracy_meters: z.number(),
    dataset: z.object({ name: z.string(), version: z.string(), attribution: z.string() }),
    by_source: z.array(z.object({ dataset: z.string(), meters: z.number() })),
    is_tidal_river_possible: z.boolean(),
  })
  .meta({ description: 'The nearest shore of a measured distance.' });

const distance = z
  .object({
    fact: z.string(),
    to: z.string(),
    meters: z.number(),
    range_meters: range,
    text: z.string(),
    source,
    shore: shore.nullable().meta({ description: 'Null for a given distance.' }),
  })
  .meta({ description: 'A distance that the decision uses.' });

const value = z
  .object({ field: z.string(), label: z.string(), value: z.unknown(), text: z.string(), source })
  .meta({ description: 'A value of the home.' });

const letter = z
  .object({
    carrier_key: z.string(),
    carrier: z.string(),
    policy_type: z.string(),
    text: z.string(),
    html: z.string(),
  })
  .meta({ description: 'A letter with the reasons of a carrier that declined.' });

/** The signed content of a certificate. */
export const contentSchema = z
  .object({
    certificate_id: z.string(),
    trace_id: z.string().meta({ description: 'The `X-Request-Id` of the answer.' }),
    issued_at: z.string(),
    issuer: z.string().nullable(),
    prepared_for: z.string().nullable(),
    reference: z.string().nullable(),
    line: z.string(),
    as_of,
    effective_date,
    organization_id,
    versions,
    home,
    location: z
      .object({
        ...point.shape,
        source: z.string(),
        precision: z.string(),
        error_radius_meters: z.number(),
        matched_address: z.string().optional(),
        attribution: z.string().optional(),
      })
      .nullable(),
    values: z.array(value).meta({ description: 'All values of the home, with their sources.' }),
    distances: z.array(distance),
    counts,
    verdicts: z.array(verdict).meta({ description: 'One for each carrier and policy type, best first.' }),
    not_offered,
    picture: z
      .object({ sha256: z.string(), caption: z.array(z.string()) })
      .nullable()
      .meta({ description: 'The map on the page: hash of its SVG, and its caption.' }),
    warnings,
    letters: z.array(letter).optional().meta({ description: 'With `include_letters`.' }),
    notice,
  })
  .meta({ id: 'CertificateContent' });

/** A signed certificate. */
export const certificateSchema = z
  .object({
    format: z.literal('leeward-certificate/1'),
    content: contentSchema,
    hashes: z.object({
      content: z.string().meta({ description: 'SHA-256 of the canonical JSON of `content`, in hexadecimal.' }),
      page: z.string().meta({ description: 'SHA-256 of the page without the certificate in it, in hexadecimal.' }),
    }),
    signature: z.object({
      algorithm: z.literal('Ed25519'),
      key_id: z.string().meta({ description: 'Thumbprint of the public key (RFC 7638).' }),
      value: z.string().meta({
        description: 'In base64url, over the canonical JSON (RFC 8785) of the certificate without this member.',
      }),
    }),
  })
  .meta({ id: 'Certificate', description: 'Signed evidence for a home.' });

/** A signed certificate. */
export type Certificate = z.infer<typeof certificateSchema>;
/** The signed content of a certificate. */
export type CertificateContent = z.infer<typeof contentSchema>;
/** The verdict of one carrier with the rules that decided. */
export type CertificateVerdict = z.infer<typeof verdict>;
export type CertificateRule = z.infer<typeof rule>;
export type CertificateTest = z.infer<typeof test>;
export type CertificateSource = z.infer<typeof source>;
export type CertificateDistance = z.infer<typeof distance>;
export type CertificateValue = z.infer<typeof value>;
/** A letter with the reasons of a carrier that declined. */
export type DeclinationLetter = z.infer<typeof letter>;
