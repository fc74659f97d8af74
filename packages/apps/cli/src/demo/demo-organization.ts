/** The demo's agency: some of the carriers that write in Florida appointed it, not all. */
export const demoOrganization = { name: 'Palmetto Coast Agency' } as const;

export const demoAppointments: readonly { readonly carrier_key: string; readonly states?: readonly string[] }[] = [
  { carrier_key: 'sawpalm_home' },
  { carrier_key: 'brackish_bay' },
  { carrier_key: 'heartpine_mutual' },
  { carrier_key: 'sunreach_property' },
  { carrier_key: 'tallgrass_mutual' },
  { carrier_key: 'bayou_mutual' },
  { carrier_key: 'pecan_grove' },
  { carrier_key: 'fieldlark_direct', states: ['tx'] },
  { carrier_key: 'latchkey_dwelling' },
  { carrier_key: 'tinpenny_dwelling' },
  { carrier_key: 'gulf_rim_wind' },
  { carrier_key: 'split_oak' },
  { carrier_key: 'sandbox' },
];

export const demoTeam = { name: 'Personal lines' } as const;
export const demoProducer = { email: 'pat.rivera@palmetto-coast.example', name: 'Pat Rivera' } as const;

/** A carrier that only this agency has: no catalog knows it. */
export const demoCarrier = {
  $schema: 'https://unpkg.com/@leeward/engine/schema/rule-set-1.json',
  format: 1,
  carrier: { key: 'palmetto_reciprocal', name: 'Palmetto Reciprocal' },
  line: 'home',
  version: '2026.1',
  effective: { from: '2026-01-01', until: null },
  programs: [
    {
      id: 'coastal-homeowners',
      policy_types: ['ho3', 'ho5'],
      states: ['fl', 'sc', 'ga'],
      rules: [
        {
          id: 'coverage-a',
          outcome: 'decline',
          code: 'coverage_a',
          unless: {
            all: [
              { fact: 'dwelling_a', operator: 'greaterThanInclusive', value: 200000 },
              { fact: 'dwelling_a', operator: 'lessThanInclusive', value: 900000 },
            ],
          },
          message: 'Coverage A must be 200,000 to 900,000; this home has {dwelling_a}.',
        },
        {
          id: 'claims',
          outcome: 'decline',
          code: 'claims',
          when: { all: [{ fact: 'total_claims', operator: 'greaterThan', value: 1 }] },
          message: 'More than one claim in five years ({total_claims}).',
        },
        {
          id: 'roof-inspection',
          outcome: 'require',
          code: 'roof_inspection',
          when: { all: [{ fact: 'roof_age', operator: 'greaterThan', value: 14 }] },
          message: 'A roof of {roof_age} years needs an inspection that shows five years of life.',
        },
      ],
    },
  ],
} as const;

/** Stricter rules of the agency: no older water heaters with this carrier. */
export const demoOverride = {
  carrier_key: 'sawpalm_home',
  add_rules: [
    {
      id: 'agency-water-heater',
      outcome: 'decline',
      code: 'water_heater_age',
      when: { all: [{ fact: 'water_heater_age', operator: 'greaterThan', value: 12 }] },
      message: 'This agency places no water heater over 12 years with this carrier; this one is {water_heater_age}.',
    },
  ],
} as const;
