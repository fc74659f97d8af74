import { z } from 'zod';
import { explanationSchema, knownValueSchema, wouldChangeSchema } from './explanation-schema.ts';

const statusWords = ['eligible', 'referral', 'needs_information', 'ineligible'] as const;

const reason = z
  .object({
    code: z.string(),
    message: z.string(),
    fields: z.array(z.string()).meta({ description: 'Request names of the fields that the reason depends on.' }),
    rule_id: z.string(),
    temporary: z.literal(true).optional().meta({ description: 'For a moratorium, which ends.' }),
    ends_at: z.string().nullable().optional().meta({ description: 'End of the moratorium; null if it is not known.' }),
    distances: z.array(z.string()).optional().meta({
      description: 'For a rule on distance: the distance of the home, its range, the data, and the limit.',
    }),
  })
  .meta({ id: 'Reason' });

const requirement = z
  .object({ code: z.string(), message: z.string(), rule_id: z.string() })
  .meta({ id: 'Requirement' });

const bounds = {
  min: z.number().optional().meta({ description: 'The value is at least this.' }),
  max: z.number().optional().meta({ description: 'The value is at most this.' }),
  applies: z.literal(true).optional().meta({ description: 'For a term that applies or not: it applies.' }),
  text: z.string().meta({ description: 'The term in words.' }),
  rules: z.array(requirement).meta({ description: 'The rules that set these bounds.' }),
};

const term = z
  .object({
    ...bounds,
    one_of: z.array(z.string()).optional().meta({ description: 'For a term with words: those that remain.' }),
  })
  .meta({ id: 'Term', description: 'A term of acceptance: a deductible, a limit, a settlement.' });

const possibleTerm = z
  .object({
    ...bounds,
    may_exclude: z
      .array(z.string())
      .optional()
      .meta({ description: 'For a term with words: those that may not remain.' }),
    fields: z.array(z.string()).meta({ description: 'Request names of the missing fields that the term depends on.' }),
  })
  .meta({ id: 'PossibleTerm', description: 'The strictest bounds of a term that missing fields may lead to.' });

const wouldChange = wouldChangeSchema(reason);

const tierShape = {
  of: z.string().meta({ description: 'Name of the ladder.' }),
  rank: z.int().min(1).meta({ description: 'The lowest rank is the best tier.' }),
  name: z.string().optional(),
  program_id: z.string(),
};

const tier = z
  .object(tierShape)
  .meta({ id: 'Tier', description: 'A tier: one of several ranked programs of a carrier for the same homes.' });

const tierVerdict = z
  .object({
    ...tierShape,
    status: z.enum(statusWords),
    reasons: z.array(reason).meta({ description: 'Rules that keep the home out.' }),
    missing_fields: z
      .array(z.string())
      .optional()
      .meta({ description: 'Request names of the missing fields that the status of this tier depends on.' }),
    would_change: wouldChange.optional().meta({
      description: 'With `explain`, for a better tier: changes with which it would take the home.',
    }),
  })
  .meta({ id: 'TierVerdict', description: 'The answer of one tier alone.' });

const distanceLimit = z
  .object({
    rule_id: z.string(),
    outcome: z.string(),
    fact: z.string(),
    limit: z.number(),
    unit: z.enum(['miles', 'feet', 'meters']),
    home: z
      .enum(['nearer', 'farther', 'either'])
      .meta({ description: '`either`: the distance is not known well enough.' }),
    probability: z.number().optional().meta({
      description:
        'With `either`: the probability that the home is within the limit, as in `text`. Absent if the coastline states none.',
    }),
    text: z.string(),
  })
  .meta({ id: 'DistanceLimit', description: 'A limit on distance in the carrier’s rules, compared with the home.' });

const verdict = z
  .object({
    carrier_key: z.string(),
    carrier: z.string(),
    policy_type: z.string(),
    status: z.enum(statusWords),
    possible_statuses: z
      .array(z.enum(['eligible', 'referral', 'ineligible']))
      .meta({ description: 'Possible statuses once all fields are known.' }),
    reasons: z.array(reason),
    requirements: z.array(requirement),
    possible_requirements: z.array(requirement).meta({ description: 'Requirements that depend on a missing field.' }),
    notes: z.array(requirement),
    terms: z.record(z.string(), term).optional().meta({
      description:
        'The terms of acceptance by name, from all rules with the outcome `offer`. Absent if there are none.',
    }),
    possible_terms: z.record(z.string(), possibleTerm).optional().meta({
      description: 'Terms that depend on a missing field, stricter than `terms`. Absent if there are none.',
    }),
    tier: tier.optional().meta({
      description: 'The tier that takes or refers the home, if missing fields cannot change it.',
    }),
    possible_tiers: z.array(tierVerdict).optional().meta({
      description: 'If the tier depends on missing fields: the possible ones, best first.',
    }),
    better_tiers: z.array(tierVerdict).optional().meta({
      description: 'Better tiers that do not take the home, best first.',
    }),
    other_tiers: z.array(tierVerdict).optional().meta({
      description: 'If all tiers decline: the others. `reasons` are those of the last tier.',
    }),
    missing_fields: z.array(z.string()).meta({
      description:
        'Request names of the fields that the status depends on. For a distance: the address, or if the home is located, the distance in the unit of the rule.',
    }),
    distance_limits: z.array(distanceLimit).optional().meta({
      description: 'If a distance is known: the limits of the carrier’s rules for it, nearest first.',
    }),
    conservative: z.literal(true).optional().meta({
      description: 'The verdict is correct, but a more thorough analysis could make it more definite.',
    }),
    certainty: z.number().optional().meta({
      description:
        'The certainty with which the carrier’s rules decide by measured distances, if the rule set states one. Otherwise only a whole range decides.',
    }),
    rule_set: z.object({
      version: z.string(),
      sha256: z.string(),
      override_sha256: z.string().optional(),
    }),
    source: z.enum(['catalog', 'organization', 'override']),
    explanation: explanationSchema.optional().meta({ description: 'With `explain`: the reasons for the status.' }),
    would_change: wouldChange.optional().meta({
      description: 'With `explain`, for an ineligible or a referral: changes that would give a better status.',
    }),
  })
  .meta({ id: 'Verdict', description: 'The verdict of one carrier for one policy type.' });

const notOffered = z
  .object({
    carrier_key: z.string(),
    carrier: z.string(),
    policy_type: z.string(),
    code: z.enum(['no_version', 'no_program', 'not_appointed']).meta({
      description:
        '`no_version`: no rules are in force on the effective date. `no_program`: no rules for the policy type in this state. `not_appointed`: the organization may not sell it; the carrier is not evaluated and not counted.',
    }),
  })
  .meta({ id: 'NotOffered', description: 'A carrier that does not offer a policy type, with the reason.' });

const count = z.int().min(0);

/** The answer to an underwriting request. */
export const decisionSchema = z
  .object({
    trace_id: z.string().meta({ description: 'The answer’s `X-Request-Id`.' }),
    as_of: z.string().meta({ description: 'The instant for moratoria.' }),
    effective_date: z.iso.date().meta({ description: 'The date for ages and versions of rule sets.' }),
    organization_id: z.string().nullable(),
    versions: z
      .object({
        engine: z.string().optional().meta({ description: 'Version of the engine.' }),
        rules: z.string().optional().meta({ description: 'Hash of all rule sets and overrides of the catalog.' }),
        coastline: z
          .string()
          .optional()
          .meta({ description: 'Names and versions of the shorelines, if one measured.' }),
        addresses: z.string().optional().meta({ description: 'The source that found the address, with its version.' }),
      })
      .optional()
      .meta({ description: 'The versions that determine this answer, as in `Leeward-Versions`.' }),
    home: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The normalized request. Sent again with both dates, it gives the same answer.' }),
    counts: z.object({
      eligible: count,
      referral: count,
      needs_information: count,
      ineligible: count,
      not_offered: count,
    }),
    carriers: z.array(verdict).meta({ description: 'All verdicts except ineligible ones, best first.' }),
    declined: z.array(verdict),
    not_offered: z.array(notOffered).optional().meta({ description: 'With `include_not_offered`.' }),
    next_questions: z
      .array(
        z.object({
          field: z.string(),
          would_settle: count,
          alternatives: z.array(z.string()).optional().meta({
            description:
              'For the address: distances that rules test. A measured distance answers as well, except for rules on areas.',
          }),
        }),
      )
      .meta({ description: 'Missing fields, most useful first. A distance is in the unit of the rules.' }),
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
          .meta({ description: 'The place of the home; null if it was not looked up or not found.' }),
        facts: z.array(
          z.object({
            fact: z.string(),
            source: z
              .enum(['given', 'coastline'])
              .meta({ description: '`given`: from the request, which takes precedence.' }),
            given_as: z
              .string()
              .optional()
              .meta({ description: 'The field of the request, if it gives the distance.' }),
            evidence: z
              .object({ as_of: z.string().optional(), source: z.string().optional() })
              .optional()
              .meta({ description: 'Date and origin of a given distance, if the request states them.' }),
            meters: z.number(),
            range_meters: z.object({ min: z.number(), max: z.number() }),
            dataset: z.object({ name: z.string(), version: z.string(), accuracy_meters: z.number() }).nullable(),
            text: z.string(),
          }),
        ),
      })
      .optional()
      .meta({ description: 'The distances that the decision uses, with their source.' }),
    hazards: z
      .object({
        source: z.string(),
        facts: z.record(z.string(), knownValueSchema).meta({ description: 'By field, those that the request omits.' }),
        map_panel: z.string().nullable(),
        map_panel_date: z.string().nullable().meta({ description: 'Effective date of the panel.' }),
      })
      .optional()
      .meta({ description: 'The hazards of the place, for lines with such fields.' }),
    events: z
      .array(
        z.object({
          id: z.string(),
          kind: z.string(),
          name: z.string().optional(),
          alert: z.string().optional(),
          from: z.string(),
          until: z.string().nullable(),
        }),
      )
      .optional()
      .meta({ description: 'Storms and other events at `as_of` that rules of these carriers may match for the home.' }),
    warnings: z.array(z.object({ code: z.string(), path: z.string(), message: z.string() })),
    notice: z.string(),
  })
  .meta({ id: 'UnderwritingDecision' });

/** The answer of `/v1/underwrite/…`. */
export type WireDecision = z.infer<typeof decisionSchema>;
/** Verdict of one carrier, in wire form. */
export type WireVerdict = z.infer<typeof verdict>;
export type WireTier = z.infer<typeof tier>;
/** Answer of one tier of a carrier, in wire form. */
export type WireTierVerdict = z.infer<typeof tierVerdict>;
