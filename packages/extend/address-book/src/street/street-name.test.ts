import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../../../../../test/support/any-text.ts';
import { compareStreetNames, readStreetName } from './street-name.ts';

const parts = (street: string) => {
  const name = readStreetName(street);
  return name === undefined ? undefined : [name.before, name.core, name.suffix, name.behind].join('|');
};

describe('readStreetName', () => {
  it.each([
    ['Ocean Drive', '|ocean|dr|'],
    ['OCEAN DR', '|ocean|dr|'],
    ['Ocean Dr.', '|ocean|dr|'],
    ['N. Ocean Drive', 'n|ocean|dr|'],
    ['North Ocean Dr', 'n|ocean|dr|'],
    ['Ocean Drive West', '|ocean|dr|w'],
    ['NW 7th Avenue', 'nw|7th|ave|'],
    ['Northwest Seventh Av', 'nw|7th|ave|'],
    ['NW 7 Ave', 'nw|7th|ave|'],
    ['148 St', '|148th|st|'],
    ['W 11 St', 'w|11th|st|'],
    ['21 Ct', '|21st|ct|'],
    ['22 Ter', '|22nd|ter|'],
    ['103 Rd', '|103rd|rd|'],
    ['Saint Charles Avenue', '|st charles|ave|'],
    ['St. Charles Ave', '|st charles|ave|'],
    ['Martin Luther King Junior Boulevard', '|martin luther king jr|blvd|'],
    ['MLK Jr Blvd', '|martin luther king jr|blvd|'],
    ['MLK Blvd', '|martin luther king jr|blvd|'],
    ['M.L.K. Blvd', '|martin luther king jr|blvd|'],
    ['ML King Blvd', '|martin luther king jr|blvd|'],
    ['W Dr. Martin Luther King, Jr. Blvd', 'w|martin luther king jr|blvd|'],
    ['Dr M L King Jr St N', '|martin luther king jr|st|n'],
    ['Rev Dr Martin Luther King Junior Blvd', '|martin luther king jr|blvd|'],
    ['JFK Blvd', '|john f kennedy|blvd|'],
    ['John F. Kennedy Blvd', '|john f kennedy|blvd|'],
    ['J F Kennedy Dr', '|john f kennedy|dr|'],
    ['Kennedy Blvd', '|kennedy|blvd|'],
    ['FDR Dr', '|franklin d roosevelt|dr|'],
    ['RFK Bridge', '|robert f kennedy|brg|'],
    ['LBJ Freeway', '|lyndon b johnson|fwy|'],
    ['César E. Chávez Ave', '|cesar chavez|ave|'],
    ['King Blvd', '|king|blvd|'],
    ["O'Brien Street", '|obrien|st|'],
    ['Doña Ana Rd', '|dona ana|rd|'],
    ['Calle Loíza', '|calle loiza||'],
    ['Avenue C', '|ave c||'],
    ['South Street', '|south|st|'],
    ['South St NW', '|south|st|nw'],
    ['S St NW', '|s|st|nw'],
    ['S Street Northwest', '|s|st|nw'],
    ['E Avenue', '|e|ave|'],
    ['Avenue E', '|ave e||'],
    ['South Boulevard', '|s|blvd|'],
    ['S Blvd', '|s|blvd|'],
    ['E South Blvd', 'e|s|blvd|'],
    ['SW Freeway', '|sw|fwy|'],
    ['NW North St', 'nw|north|st|'],
    ['Cox Ave., S.W.', '|cox|ave|sw'],
    ['Cox Ave S W', '|cox|ave|sw'],
    ['N. W. 7th Ave', 'nw|7th|ave|'],
    ['N E St', 'n|e|st|'],
    ['S W S Young Dr', 's|w s young|dr|'],
    ['State Highway #50', '|sr 50||'],
    ['State Highway No 50', '|sr 50||'],
    ['U S 401 Hwy S', '|us 401||s'],
    ['S Park', 's|park||'],
    ['E Ninety-sixth St', 'e|96th|st|'],
    ['Forty Second Street', '|42nd|st|'],
    ['Nineteenth Ave', '|19th|ave|'],
    ['Finch Knoll', '|finch|knoll|'],
    ['Finch Knl', '|finch|knoll|'],
    ['Broadway', '|broadway||'],
    ['The Esplanade', '|the esplanade||'],
    ['US Highway 1', '|us 1||'],
    ['U.S. Hwy 1', '|us 1||'],
    ['US-1 South', '|us 1||s'],
    ['State Road A1A', '|sr a1a||'],
    ['St Rd A1A', '|sr a1a||'],
    ['S.R. 7', '|sr 7||'],
    ['SR 7', '|sr 7||'],
    ['N State Road 7', 'n|sr 7||'],
    ['State Route 7', '|sr 7||'],
    ['County Road 12', '|cr 12||'],
    ['Co Rd 12', '|cr 12||'],
    ['CR-12', '|cr 12||'],
    ['FM 1960 West', '|fm 1960||w'],
    ['Farm to Market Road 1960', '|fm 1960||'],
    ['Highway 90', '|hwy 90||'],
    ['Old State Road', '|old state|rd|'],
  ])('%s', (street, expected) => {
    expect(parts(street)).toBe(expected);
  });

  it.each(['', ' ', '...', '🏠', 'x'.repeat(101)])('reads nothing in %j', (street) => {
    expect(readStreetName(street)).toBeUndefined();
  });

  it('never throws, and never leaves the core empty', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 120 }), (street) => {
        expect(readStreetName(street)?.core).not.toBe('');
      }),
    );
  });
});

describe('compareStreetNames', () => {
  it.each([
    ['Ocean Drive', 'OCEAN DR', 2],
    ['Ocean', 'Ocean Dr', 1],
    ['Ocean Dr', 'N Ocean Dr', 1],
    ['N Ocean Dr', 'Ocean Dr', 0],
    ['Ocean Dr', 'Ocean', 0],
    ['Ocean Dr', 'Ocean Ave', 0],
    ['N Main St', 'S Main St', 0],
    ['Main St', 'Maine St', 0],
    ['US 1', 'State Road 1', 0],
    ['S St NW', 'South St NW', 0],
    ['Avenue E', 'Avenue East', 0],
    ['S Blvd', 'South Boulevard', 2],
  ])('compares %s with the recorded %s: %i', (a, b, fit) => {
    expect(compareStreetNames(readStreetName(a)!, readStreetName(b)!)).toBe(fit);
  });
});
