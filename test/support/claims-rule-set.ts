/** A made-up rule set with one rule: homes with more claims than `limit` are declined. */
export function claimsRuleSet({
  key,
  version,
  limit = 2,
  code = 'claims',
}: {
  readonly key: string;
  readonly version: string;
  readonly limit?: number | undefined;
  readonly code?: string | undefined;
}) {
  return {
    format: 1,
    carrier: { key, name: `Carrier ${key}` },
    version,
    effective: { from: '2026-01-01', until: null },
    programs: [{ id: 'tx', policy_types: ['ho3'], states: ['tx'] }],
    rules: [
      {
        id: 'claims',
        outcome: 'decline',
        code,
        when: { all: [{ fact: 'total_claims', operator: 'greaterThan', value: limit }] },
        message: 'More than {total_claims} claims.',
      },
    ],
  };
}
