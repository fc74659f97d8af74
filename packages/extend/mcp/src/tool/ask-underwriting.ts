import type { WireDecision, WireVerdict } from '@leeward/http';
import { z } from 'zod';
import type { ToolContext } from './tool.ts';
import { bodyOf, ToolError } from './tool-error.ts';

/** Input of tools that evaluate a home. */
export const homeInput = {
  home: z
    .record(z.string(), z.unknown(), { error: 'give the fields of the home as an object' })
    .describe(
      'Fields of the home: { "state": "tx", "county": "harris", "policy_type": "ho3", "roof_age": 22 }. Give only values that the submission states; leave the others out, because a missing field never declines a home. describe_fields finds names, units and words.',
    ),
  line: z.string().default('home').describe('The line of business, as the service names it.'),
  organization_id: z
    .string()
    .optional()
    .describe('An organization whose appointed carriers answer. Default: that of the token, if it has one.'),
  all_carriers: z
    .boolean()
    .default(false)
    .describe(
      'True for all carriers of the service. By default only those count that the token’s organization is appointed to.',
    ),
};

const homeInputSchema = z.object(homeInput);

/** A home, and the carriers that evaluate it. */
export type HomeInput = z.output<typeof homeInputSchema>;

export const carrierInput = {
  carrier_key: z.string().optional().describe('One carrier only: bayou_mutual.'),
};

/** Options of the request that determine the statements. */
const ownOptions: readonly string[] = ['explain', 'include_declined', 'include_not_offered'];

/** A decision with every verdict explained. @throws {ToolError} With the service's refusal. */
export async function askUnderwriting(
  { home, line, organization_id, all_carriers }: HomeInput,
  { service, holder }: ToolContext,
  options: { readonly include_not_offered?: true } = {},
): Promise<WireDecision> {
  const wrong = Object.keys(home).filter((field) => ownOptions.includes(field));
  if (wrong.length > 0) {
    const faults = wrong.map((field) => `- ${field}: not a fact of a home; the tool sets it. Leave it out.`);
    throw new ToolError(['The home has errors:', ...faults].join('\n'));
  }
  const organization = organization_id ?? (all_carriers ? null : (await holder()).organization_id);
  const suffix = organization === null ? '' : `/${encodeURIComponent(organization)}`;
  const path = `/v1/underwrite/${encodeURIComponent(line)}${suffix}`;
  return bodyOf<WireDecision>(await service.call(path, { ...home, include_declined: true, explain: true, ...options }));
}

/** All verdicts, or those of one carrier. @throws {ToolError} if that carrier gave none. */
export function verdictsOf({ carriers, declined }: WireDecision, carrierKey: string | undefined): WireVerdict[] {
  const all = [...carriers, ...declined];
  if (carrierKey === undefined) return all;
  const own = all.filter((each) => each.carrier_key === carrierKey);
  if (own.length > 0) return own;
  const keys = [...new Set(all.map((each) => each.carrier_key))].join(', ');
  throw new ToolError(
    `carrier_key: "${carrierKey}" returned no verdict on this home. Carriers with a verdict: ${keys || 'none'}.`,
  );
}

/** The versions and dates of a decision. */
export function decisionLabels({ trace_id, as_of, effective_date, organization_id, versions }: WireDecision) {
  return { trace_id, as_of, effective_date, organization_id, versions };
}
