import { expect, it } from 'vitest';
import { stateIn } from './places.ts';

const places = Object.fromEntries(
  Object.entries({ fl: 'Florida', va: 'Virginia', wv: 'West Virginia', dc: 'District of Columbia', in: 'Indiana' }).map(
    ([code, name]) => [code, { name, counties: [] }],
  ),
);

it.each([
  ['Ocala, FL 34471', 'fl'],
  ['1600 OCEAN DR, MIAMI BEACH, FL, 33139', 'fl'],
  ['1600, Ocean Drive, Miami Beach, Miami-Dade County, Florida, 33139, United States', 'fl'],
  ['Charleston West Virginia 25301-1234, USA', 'wv'],
  ['Richmond, VA', 'va'],
  ['12 Main St, Somewhere', undefined],
  ['Florida Avenue, Springfield', undefined],
  ['', undefined],
])('reads the state of %s', (address, state) => {
  expect(stateIn(address, places)).toBe(state);
});
