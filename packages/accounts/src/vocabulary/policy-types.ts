/** The home products that an appointment may be limited to. */
export const policyTypes = ['ho3', 'ho5', 'ho8', 'dp1', 'dp3', 'wind only', 'x-wind'] as const;
export type PolicyType = (typeof policyTypes)[number];

const bare = (text: string): string => text.toLowerCase().replace(/[\s_-]/g, '');

const policyTypeByName = new Map<string, PolicyType>(policyTypes.map((policyType) => [bare(policyType), policyType]));
policyTypeByName.set('windx', 'x-wind').set('exwind', 'x-wind');

/** The product meant, however its hyphens, blanks and capitals are written; undefined when it is none. */
export function readPolicyType(text: string): PolicyType | undefined {
  return policyTypeByName.get(bare(text));
}
