import { z } from 'zod';

export const readRuleSetsRequest = z.strictObject({});

const version = z.object({
  version: z.string(),
  sha256: z.string(),
  rule_set: z.looseObject({}).meta({ description: 'The file, with the moratoria in force added to it.' }),
  override: z
    .looseObject({})
    .optional()
    .meta({ description: 'The organization’s override: `carrier_key`, `add_rules`, `exclude`.' }),
});

const carrier = z.object({
  carrier_key: z.string(),
  carrier: z.string(),
  source: z.enum(['catalog', 'organization', 'override']).meta({
    description:
      '`catalog`: the rules for everyone. `organization`: a carrier of the organization. `override`: the rules for everyone with the organization’s override.',
  }),
  versions: z.array(version).meta({ description: 'Latest effective date first.' }),
  appointed_for: z.record(z.string(), z.array(z.string())).nullable().meta({
    description:
      'The policy types that the carrier is appointed for today, by state; null for all of them in all states.',
  }),
});

export const ruleSetsInForceSchema = z
  .object({
    as_of: z.string(),
    organization_id: z.string().nullable(),
    carriers: z.array(carrier).meta({ description: 'In the order of verdicts.' }),
  })
  .meta({ id: 'RuleSetsInForce', description: 'The rules that verdicts come from now.' });

export type WireRuleSets = z.output<typeof ruleSetsInForceSchema>;
