/** A test of a fact, as a file has it. */
export function test(fact: string, operator: string, value: unknown): Record<string, unknown> {
  return { fact, operator, value };
}

/** A rule of a file that declines where `when` holds. */
export function ruleFile(overrides: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    id: 'claims',
    outcome: 'decline',
    code: 'claims',
    message: 'Too many claims ({total_claims}).',
    when: { all: [test('total_claims', 'greaterThan', 2)] },
    ...overrides,
  };
}

/** A whole file that is as it should be: one carrier, HO3 and HO5 in Texas. */
export function ruleSetFile(overrides: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    format: 1,
    carrier: { key: 'pine_ridge', name: 'Pine Ridge' },
    version: '1',
    effective: { from: '2026-01-01', until: null },
    rules: [ruleFile()],
    programs: [{ id: 'texas', policy_types: ['ho3', 'ho5'], states: ['tx'] }],
    ...overrides,
  };
}

export const without = (object: Record<string, unknown>, key: string) => {
  const { [key]: _, ...rest } = object;
  return rest;
};
export const withRule = (overrides: Record<string, unknown>) => ruleSetFile({ rules: [ruleFile(overrides)] });
export const when = (...tests: unknown[]) => withRule({ when: { all: tests } });
export const program = (overrides: Record<string, unknown> = {}) => ({
  id: 'texas',
  policy_types: ['ho3'],
  states: ['tx'],
  ...overrides,
});
export const withProgram = (overrides: Record<string, unknown>) => ruleSetFile({ programs: [program(overrides)] });
export const moratorium = (overrides: Record<string, unknown> = {}) => ({
  id: 'storm',
  from: '2026-09-24T17:00:00-05:00',
  until: '2026-09-29T00:01:00-05:00',
  message: 'Binding is suspended.',
  ...overrides,
});
export const withMoratorium = (overrides: Record<string, unknown>) =>
  ruleSetFile({ moratoria: [moratorium(overrides)] });
export const imported = (overrides: Record<string, unknown> = {}) => ({
  name: 'theirs',
  conditions: { all: [test('total_claims', 'greaterThan', 2)] },
  event: { type: 'decline' },
  ...overrides,
});
