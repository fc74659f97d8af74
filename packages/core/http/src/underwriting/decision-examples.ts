const decision = {
  trace_id: '018f2f6e-7a5b-4c1d-9e3f-2b6a1c0d4e5f',
  as_of: '2026-11-20T12:00:00.000000Z',
  effective_date: '2026-11-20',
  organization_id: null,
  home: {
    state: 'tx',
    policy_type: 'ho3',
    county: 'harris',
    dwelling_a: 285000,
    year_built: 1987,
    total_claims: 1,
    roof_age: 22,
    roof_type: '3-tab shingle',
    acreage: 0.3,
    protection_class: 3,
    ownership: 'personal',
    usage: 'primary',
    primary_plumbing: 'copper',
    primary_wiring: 'copper',
    structure_type: 'single family',
  },
  counts: { eligible: 1, referral: 0, needs_information: 0, ineligible: 1, not_offered: 0 },
  next_questions: [],
  warnings: [],
  notice: 'Appetite only: not an offer, a quote or a binder.',
};

const eligible = {
  carrier_key: 'heartpine_mutual',
  carrier: 'Heartpine Mutual',
  policy_type: 'ho3',
  status: 'eligible',
  possible_statuses: ['eligible'],
  reasons: [],
  requirements: [
    {
      code: 'four_point_inspection',
      message: 'Four-point inspection on homes of 30 years and more (built in 1987).',
      rule_id: 'four-point',
    },
  ],
  possible_requirements: [],
  notes: [{ code: 'roof_age', message: 'Roof at actual cash value from year 16.', rule_id: 'ho3-roof-acv' }],
  missing_fields: [],
  rule_set: { version: '2025.2.1', sha256: '23ab1ace13f4f28c82c2765a2506ee7ac7cb8918ccc71503ca8b796ea0174e99' },
  source: 'catalog',
};

const message = 'A 3-tab roof may be 15 years old; this one is 22.';
const ineligible = {
  carrier_key: 'bayou_mutual',
  carrier: 'Bayou Mutual',
  policy_type: 'ho3',
  status: 'ineligible',
  possible_statuses: ['ineligible'],
  reasons: [{ code: 'roof_age', message, fields: ['roof_age', 'roof_type'], rule_id: 'tx-roof-3-tab' }],
  requirements: [],
  possible_requirements: [],
  notes: [],
  missing_fields: [],
  rule_set: { version: '2025.1.1', sha256: '447ed7533eff0893c38aeb9ede675d223f310b3a924ebd453bfd709b7a00431d' },
  source: 'catalog',
};

const tests = [
  {
    fact: 'roof_type',
    operator: 'equal',
    limit: '3-tab shingle',
    field: 'roof_type',
    label: 'roof type',
    value: '3-tab shingle',
    truth: 'true',
    text: 'Roof type: 3-tab shingle.',
  },
  {
    fact: 'roof_age',
    operator: 'greaterThan',
    limit: 15,
    field: 'roof_age',
    label: 'age of the roof',
    unit: 'years',
    value: 22,
    truth: 'true',
    text: 'Age of the roof: 22 years, which is more than 15 years.',
  },
];

const rule = {
  rule_id: 'tx-roof-3-tab',
  kind: 'rule',
  outcome: 'decline',
  code: 'roof_age',
  message,
  program: 'tx-homeowners',
  truth: 'true',
  tests,
};

const explained = {
  ...ineligible,
  explanation: {
    evaluator: 'compiled',
    decided_by: [rule],
    rules: [
      { ...rule, tree: { kind: 'all', truth: 'true', children: tests.map((test) => ({ kind: 'test', ...test })) } },
    ],
  },
  would_change: {
    aim: 'eligible',
    outcome: 'ways',
    ways: [
      {
        changes: [
          {
            field: 'roof_age',
            label: 'age of the roof',
            unit: 'years',
            from: 22,
            to: 15,
            ranges: [{ min: 0, max: 15 }],
            text: 'age of the roof: at most 15 years (now 22 years)',
          },
        ],
        becomes: 'eligible',
        possible_statuses: ['eligible'],
      },
    ],
    blocked_by: [],
  },
};

export const decisionExamples = {
  plain: {
    summary: 'One carrier takes the home, one declines its roof',
    value: { ...decision, carriers: [eligible], declined: [ineligible] },
  },
  explained: {
    summary: 'With `explain`: the carrier that declines',
    value: {
      ...decision,
      counts: { ...decision.counts, eligible: 0 },
      carriers: [],
      declined: [explained],
    },
  },
} as const;
