import { describe, expect, it } from 'vitest';
import type { Failure } from './ask.ts';
import { faultyLabels, nameFault } from './name-faults.ts';

const labels: Readonly<Record<string, string>> = {
  '/total_claims': 'Claims in five years',
  '/fields/dwelling_a': 'Coverage A (dollars)',
};
const labelAt = (path: string) => labels[path];
const failureOf = (...paths: readonly string[]): Failure => ({
  status: 422,
  code: 'invalid_request',
  title: 'Invalid request',
  detail: '',
  errors: paths.map((path) => ({ path, code: 'required', message: '' })),
});

describe('faults of a form', () => {
  it.each([
    ['/total_claims', 'total_claims is "two".', 'Claims in five years is "two".'],
    ['/fields/dwelling_a', 'dwelling_a is required.', 'Coverage A is required.'],
    ['/total_claims', 'The total_claims are of another year.', 'The total_claims are of another year.'],
    ['/total_claims', 'total_claims_paid is not a field.', 'total_claims_paid is not a field.'],
  ])('names the field of %s by its label', (path, message, named) => {
    expect(nameFault({ path, code: 'required', message }, labels[path]!)).toBe(named);
  });

  it('lists each label once in the notice, without its unit', () => {
    const failure = failureOf('/total_claims', '/fields/dwelling_a', '/total_claims');
    expect(faultyLabels(failure, labelAt)).toEqual(['Claims in five years', 'Coverage A']);
  });

  it('returns undefined if the form lacks a faulty field', () => {
    expect(faultyLabels(failureOf('/total_claims', '/elsewhere'), labelAt)).toBeUndefined();
    expect(faultyLabels(failureOf(), labelAt)).toBeUndefined();
  });
});
