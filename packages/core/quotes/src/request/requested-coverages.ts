import { checkRequest, type Fault, isObject, type JsonObject, type JsonValue } from '@leeward/terms';
import { z } from 'zod';
import { inclusions, settlements } from '../ports/carrier-adapter.ts';

const MAX_REQUESTED = 50;
const code = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/);

const requestedCoverage = z
  .strictObject({
    amount: z.int().min(0).max(100_000_000).nullish().meta({ description: 'Dollars.' }),
    percent: z.number().min(0).max(100).nullish().meta({ description: 'Percent of a coverage.' }),
    percent_of: code.nullish().meta({ description: 'Code of that coverage. Default dwelling.' }),
    inclusion: z.enum(inclusions).exclude(['not_offered']).nullish(),
    settlement: z.enum(settlements).nullish(),
  })
  .refine(({ percent_of, ...values }) => Object.values(values).some((value) => value != null), {
    error: 'Give amount, percent, inclusion or settlement.',
  });

const requestedCoverages = z
  .record(code, requestedCoverage)
  .refine((coverages) => Object.keys(coverages).length <= MAX_REQUESTED, {
    error: `Give at most ${MAX_REQUESTED} coverages.`,
  })
  .meta({
    description:
      'Requested coverages, deductibles and endorsements by code. They reach the carriers, and comparisons mark rates that differ.',
    examples: [{ hurricane: { percent: 2 }, roof: { settlement: 'replacement_cost' } }],
  });

/** Key inside `fields`. */
export const requestedCoveragesKey = 'requested_coverages';

export const requestedCoveragesSchema: JsonObject = (({ $schema, ...schema }) => schema)(
  z.toJSONSchema(requestedCoverages, { io: 'input' }),
) as JsonObject;

/** A requested coverage. */
export type RequestedCoverage = z.infer<typeof requestedCoverage>;

export function checkRequestedCoverages(value: unknown): { readonly value: JsonValue } | { readonly faults: Fault[] } {
  const checked = checkRequest(requestedCoverages, value);
  if (checked.ok) return { value: checked.request as JsonObject };
  return {
    faults: checked.faults.map((fault) => ({ ...fault, path: `/fields/${requestedCoveragesKey}${fault.path}` })),
  };
}

/** @param fields Checked before. */
export function requestedCoveragesOf(fields: JsonObject | undefined): ReadonlyMap<string, RequestedCoverage> {
  const value = fields?.[requestedCoveragesKey];
  return new Map(isObject(value) ? Object.entries(value as Record<string, RequestedCoverage>) : []);
}
