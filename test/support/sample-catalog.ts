import { type Catalog, createCatalog } from '@leeward/engine';

/** Two invented carriers, small enough to foretell what they say. */
export function sampleCatalog(): Catalog {
  return createCatalog([
    {
      file: {
        format: 1,
        carrier: { key: 'bluestem', name: 'Bluestem Mutual' },
        line: 'home',
        version: '2026.1.0',
        effective: { from: '2020-01-01', until: null },
        rules: [
          {
            id: 'claims',
            outcome: 'decline',
            code: 'claims',
            when: { all: [{ fact: 'total_claims', operator: 'greaterThan', value: 2 }] },
            message: 'More than two claims in five years ({total_claims}).',
          },
        ],
        programs: [
          {
            id: 'tx',
            policy_types: ['ho3', 'ho5', 'ho8', 'dp1', 'dp3', 'wind only', 'x-wind'],
            states: ['tx'],
            rules: [
              {
                id: 'roof',
                outcome: 'decline',
                code: 'roof_age',
                when: {
                  all: [
                    { fact: 'roof_type', operator: 'equal', value: '3-tab shingle' },
                    { fact: 'roof_age', operator: 'greaterThan', value: 15 },
                  ],
                },
                message: 'A 3-tab roof may be 15 years old; this one is {roof_age}.',
              },
            ],
          },
        ],
      },
    },
    {
      file: {
        format: 1,
        carrier: { key: 'quarry', name: 'Quarry Home' },
        line: 'home',
        version: '2026.2.0',
        effective: { from: '2020-01-01', until: null },
        rules: [],
        programs: [
          {
            id: 'gulf',
            policy_types: ['ho3'],
            states: ['tx', 'fl'],
            rules: [
              {
                id: 'four-point',
                outcome: 'require',
                code: 'four_point_inspection',
                when: { all: [{ fact: 'home_age', operator: 'greaterThan', value: 30 }] },
                message: 'Homes over 30 years need a four-point inspection.',
              },
            ],
          },
        ],
        moratoria: [
          {
            id: 'storm',
            from: '2026-09-24T17:00:00-05:00',
            until: '2026-09-29T00:01:00-05:00',
            states: ['fl'],
            message: 'Binding is suspended for the storm.',
          },
        ],
      },
    },
  ]);
}
