import { z } from 'zod';

/** There is nothing to say. */
export const readRuleSetsRequest = z.strictObject({});

const version = z.object({
  version: z.string(),
  sha256: z.string(),
  rule_set: z.looseObject({}).meta({ description: 'The file, with the moratoria that are in force beside it.' }),
  override: z
    .looseObject({})
    .optional()
    .meta({ description: 'What the organization adds to it: `carrier_key`, `add_rules`, `exclude`.' }),
});

const carrier = z.object({
  carrier_key: z.string(),
  carrier: z.string(),
  source: z.enum(['catalog', 'organization', 'override']).meta({
    description: 'Whose rules they are: everybody’s, the organization’s own, or everybody’s with an override.',
  }),
  versions: z.array(version).meta({ description: 'The latest effective date first.' }),
  appointed_for: z.record(z.string(), z.array(z.string())).nullable().meta({
    description: 'The policy types that it may be asked for today, by state; null: all of them everywhere.',
  }),
});

export const ruleSetsInForceSchema = z
  .object({
    as_of: z.string(),
    organization_id: z.string().nullable(),
    carriers: z.array(carrier).meta({ description: 'In the order in which they are judged.' }),
  })
  .meta({ id: 'RuleSetsInForce', description: 'The rules that verdicts come from at this moment.' });

export type WireRuleSets = z.output<typeof ruleSetsInForceSchema>;
