import { describe, expect, it } from 'vitest';
import { findFormType, formTypes } from './form-types.ts';
import { productOf, products } from './products.ts';

describe('findFormType', () => {
  it.each([
    ['HO-3', 'ho3'],
    [' ho 5', 'ho5'],
    ['HO-03', 'ho3'],
    ['HO 00 03', 'ho3'],
    ['DP_0001', 'dp1'],
    ['H.O. 8', 'ho8'],
    ['wind', 'wind only'],
    ['wind_only', 'wind only'],
    ['X-Wind', 'x-wind'],
    ['Wind X', 'x-wind'],
    ['ex wind', 'x-wind'],
    ['wind excluded', 'x-wind'],
    ['ho\u20113', 'ho3'],
    ['ho9', undefined],
    ['', undefined],
    ['constructor', undefined],
    ['x'.repeat(10_000), undefined],
  ])('reads %j as %j', (text, formType) => {
    expect(findFormType(text)).toBe(formType);
  });

  it('reads every canonical name', () => {
    for (const formType of formTypes) expect(findFormType(formType)).toBe(formType);
  });
});

it('has exactly one product for every form type', () => {
  expect(products.flatMap((product) => product.formTypes).sort()).toEqual([...formTypes].sort());
  expect(productOf('dp3').code).toBe('dwelling_fire');
});
