import { z } from 'zod';
import { explanationSchema, knownValue, wouldChangeSchema } from './explanation-schema.ts';

const statusWords = ['eligible', 'referral', 'needs_information', 'ineligible'] as const;

const reason = z
  .object({
    code: z.string(),
    message: z.string(),
    fields: z.array(z.string()).meta({ description: 'Request names of what it hangs on.' }),
    rule_id: z.string(),
    temporary: z.literal(true).optional().meta({ description: 'Of a moratorium: it passes.' }),
    ends_at: z.string().nullable().optional().meta({ description: 'When it passes; null while nobody knows.' }),
    distances: z.array(z.string()).optional().meta({
      description: 'Of a rule on distance: how far the home is, how sure that is, by which data, and the limit.',
    }),
  })
  .meta({ id: 'Reason' });

const requirement = z
  .object({ code: z.string(), message: z.string(), rule_id: z.string() })
  .meta({ id: 'Requirement' });

const distanceLimit = z
  .object({
    rule_id: z.string(),
    outcome: z.string(),
    fact: z.string(),
    limit: z.number(),
    unit: z.enum(['miles', 'feet', 'meters']),
    home: z.enum(['nearer', 'farther', 'either']).meta({ description: '`either`: not known well enough to say.' }),
    text: z.string(),
  })
  .meta({ id: 'DistanceLimit', description: 'A limit on distance in the carrier’s rules, and where the home stands.' });

const verdict = z
  .object({
    carrier_key: z.string(),
    carrier: z.string(),
    policy_type: z.string(),
    status: z.enum(statusWords),
    possible_statuses: z
      .array(z.enum(['eligible', 'referral', 'ineligible']))
      .meta({ description: 'What the status can become once everything is known.' }),
    reasons: z.array(reason),
    requirements: z.array(requirement),
    possible_requirements: z
      .array(requirement)
      .meta({ description: 'Requirements that hang on a field that was not given.' }),
    notes: z.array(requirement),
    missing_fields: z.array(z.string()).meta({ description: 'What the status hangs on, by request name.' }),
    distance_limits: z.array(distanceLimit).optional().meta({
      description: 'Where a distance is known: the limits that the carrier’s rules have for it, nearest first.',
    }),
    conservative: z.literal(true).optional().meta({
      description: 'More could be settled by reasoning that is not attempted; the answer is sound all the same.',
    }),
    rule_set: z.object({
      version: z.string(),
      sha256: z.string(),
      override_sha256: z.string().optional(),
    }),
    source: z.enum(['catalog', 'organization', 'override']),
    explanation: explanationSchema.optional().meta({ description: 'Where asked for by `explain`: why.' }),
    would_change: wouldChangeSchema(reason)
      .optional()
      .meta({ description: 'Where asked for by `explain`, of an ineligible or a referral: what would change it.' }),
  })
  .meta({ id: 'Verdict', description: 'What one carrier says for one policy type.' });

const notOffered = z
  .object({
    carrier_key: z.string(),
    carrier: z.string(),
    policy_type: z.string(),
    code: z.enum(['no_version', 'no_program', 'not_appointed']).meta({
      description:
        '`no_version`: no rules are in force on the effective date; `no_program`: none for the policy type in this state; `not_appointed`: the organization may not sell it, and so it was not asked and is not counted.',
    }),
  })
  .meta({ id: 'NotOffered', description: 'A carrier that does not offer a policy type, and why.' });

const count = z.int().min(0);

/** The answer to an underwriting request. */
export const decisionSchema = z
  .object({
    trace_id: z.string().meta({ description: 'The answer’s `X-Request-Id`.' }),
    as_of: z.string().meta({ description: 'Instant that moratoria were judged at.' }),
    effective_date: z.iso.date().meta({ description: 'Date that ages and rule-set versions were judged at.' }),
    organization_id: z.string().nullable(),
    home: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The request as normalized; sent again, with both dates, it gives the same answer.' }),
    counts: z.object({
      eligible: count,
      referral: count,
      needs_information: count,
      ineligible: count,
      not_offered: count,
    }),
    carriers: z.array(verdict).meta({ description: 'All but the ineligible, best first.' }),
    declined: z.array(verdict),
    not_offered: z.array(notOffered).optional().meta({ description: 'Where asked for by `include_not_offered`.' }),
    next_questions: z
      .array(z.object({ field: z.string(), would_settle: count }))
      .meta({ description: 'What to ask next, most useful first.' }),
    distances: z
      .object({
        location: z
          .object({
            lat: z.number(),
            lng: z.number(),
            source: z.string(),
            precision: z.string(),
            error_radius_meters: z.number(),
            matched_address: z.string().optional(),
            attribution: z.string().optional(),
          })
          .nullable()
          .meta({ description: 'Where the home was found; null where it was not looked for, or not found.' }),
        facts: z.array(
          z.object({
            fact: z.string(),
            source: z.enum(['given', 'coastline']).meta({ description: '`given`: by the caller, and believed.' }),
            meters: z.number(),
            range_meters: z.object({ min: z.number(), max: z.number() }),
            dataset: z.object({ name: z.string(), version: z.string(), accuracy_meters: z.number() }).nullable(),
            text: z.string(),
          }),
        ),
      })
      .optional()
      .meta({ description: 'The distances judged by, and whence they are known.' }),
    hazards: z
      .object({
        source: z.string(),
        facts: z.record(z.string(), knownValue).meta({ description: 'By field, those that nobody gave.' }),
        map_panel: z.string().nullable(),
        map_panel_date: z.string().nullable().meta({ description: 'Since when the panel is in force.' }),
      })
      .optional()
      .meta({ description: 'What is known of the hazards of the place, where the line asks for them.' }),
    warnings: z.array(z.object({ code: z.string(), path: z.string(), message: z.string() })),
    notice: z.string(),
  })
  .meta({ id: 'UnderwritingDecision' });

/** Answer of `/v1/underwrite/…`. */
export type WireDecision = z.infer<typeof decisionSchema>;
/** What one carrier says of a home, on the wire. */
export type WireVerdict = z.infer<typeof verdict>;
