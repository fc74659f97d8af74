import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../../../../../test/support/any-text.ts';
import { withinProcessorMs } from '../../../../../test/support/processor-time.ts';
import { readStreetLine, streetLineWithoutUnit } from './street-line.ts';

describe('readStreetLine', () => {
  it.each([
    ['1600 Ocean Dr', '1600', 'Ocean Dr'],
    ['1600 Ocean Dr, Apt 4', '1600', 'Ocean Dr'],
    ['1600 Ocean Dr Apt 4B', '1600', 'Ocean Dr'],
    ['1600 Ocean Dr Apt. #4', '1600', 'Ocean Dr'],
    ['1600 Ocean Dr #4', '1600', 'Ocean Dr'],
    ['1600 Ocean Dr # 4', '1600', 'Ocean Dr'],
    ['1600 Ocean Dr Unit B', '1600', 'Ocean Dr'],
    ['1600 Ocean Dr, Bldg 3, Suite 200', '1600', 'Ocean Dr'],
    ['1600 Ocean Dr 2nd Floor', '1600', 'Ocean Dr'],
    ['1600 Ocean Dr PH-2', '1600', 'Ocean Dr'],
    ['Apt 4, 1600 Ocean Dr', '1600', 'Ocean Dr'],
    ['12b Main St', '12B', 'Main St'],
    ['45-18 21st St', '45-18', '21st St'],
    ['12 1/2 Main St', '12 1/2', 'Main St'],
    ['100 Highway 1 Lot 5', '100', 'Highway 1'],
    ['100 Avenue C', '100', 'Avenue C'],
    ['100 Space Center Blvd', '100', 'Space Center Blvd'],
    // A direction behind a comma is part of the street.
    ['1180 Peachtree Street, NE', '1180', 'Peachtree Street NE'],
    ['235 Peachtree Street, NE Suite 2000', '235', 'Peachtree Street NE'],
    ['972 Donnelly Ave., S. W. # 2', '972', 'Donnelly Ave. S. W.'],
    ['12 Elm St, West', '12', 'Elm St West'],
    ['12 Elm St, West Wing', '12', 'Elm St'],
    // The number of a highway is not a unit.
    ['1413 State Highway #50', '1413', 'State Highway 50'],
    ['254 U.S. Highway No. 202', '254', 'U.S. Highway 202'],
    ['3904 Route # A', '3904', 'Route A'],
    ['34115 Sterling Highway # 5', '34115', 'Sterling Highway'],
    ['100 Highway 33 # 5', '100', 'Highway 33'],
    // Units without a comma or a word.
    ['Apt 1B 626 E Kilbourn Ave', '626', 'E Kilbourn Ave'],
    ['suite 200 bld 17 7000 Peachtree Dunwoody Rd', '7000', 'Peachtree Dunwoody Rd'],
    ['6910 # G Mary Caroline Circle', '6910', 'Mary Caroline Circle'],
    ['3240 North Lake Shore Drive Apt 13 C', '3240', 'North Lake Shore Drive'],
    ['123 Main St Apt No. 456', '123', 'Main St'],
    ['718 Dorchester Pl NE Unit', '718', 'Dorchester Pl NE'],
    ['3213 N. Wilton Ave. Unit A.', '3213', 'N. Wilton Ave.'],
    ['101 W. Grand Ave. 600', '101', 'W. Grand Ave.'],
    ['801 South Canal Street C1S', '801', 'South Canal Street'],
    ['9100 MLK Jr Street North 1001', '9100', 'MLK Jr Street North'],
    ['750 County Road 1220', '750', 'County Road 1220'],
    ['750 County Street 2800', '750', 'County Street 2800'],
    ['750 S Avenue 12E', '750', 'S Avenue 12E'],
    ['219 South Dearborn Second Floor', '219', 'South Dearborn'],
    ['111 E. Wacker Dr 25th Flr', '111', 'E. Wacker Dr'],
    ['233 S Wacker Dr lobby', '233', 'S Wacker Dr'],
    ['3348 Peachtree Rd NE attn: David Allman', '3348', 'Peachtree Rd NE'],
    ['3520 Okemos Rd PMB 175', '3520', 'Okemos Rd'],
    ['104 S Walnut RR 1 Box 297', '104', 'S Walnut'],
    // Numbers with letters, hyphens and grids.
    ['4922 B South Cornell Ave', '4922B', 'South Cornell Ave'],
    ['123 B St', '123', 'B St'],
    ['123 J Clyde Morris Blvd', '123', 'J Clyde Morris Blvd'],
    ['4969 U S 401 Hwy S', '4969', 'U S 401 Hwy S'],
    ['32 - 233 M Street', '32-233', 'M Street'],
    ['N79W5406 Bywater Ln', 'N79W5406', 'Bywater Ln'],
    ['W148 N9748 Tree Tops Dr', 'W148N9748', 'Tree Tops Dr'],
    ['W5406 County Road X', 'W5406', 'County Road X'],
    ['28W123 Main St', '28W123', 'Main St'],
    ['48S 400E', '48', 'S 400 E'],
    ['43 North 1250 West', '43', 'North 1250 West'],
    // Two houses: none is read.
    ['5245, 5225 3rd Street', undefined, '3rd Street'],
    ['30 Allen Plaza, Suite 700, 20 Ivan Allen Blvd', undefined, 'Allen Plaza'],
    // Boxes on a mail route.
    ['RR 2 Box 38', undefined, ''],
    ['rural route # 1, box 103', undefined, ''],
    ['HC 68 Box 23A', undefined, ''],
    ['Star Route 24 Box 45', undefined, ''],
    ['P.O. Box 12', undefined, ''],
    ['123 Main St Bsmt 1', '123', 'Main St'],
    ['5th Ave', undefined, '5th Ave'],
    ['Ocean Drive', undefined, 'Ocean Drive'],
    ['', undefined, ''],
    ['#4', undefined, ''],
  ])('%s', (line1, number, street) => {
    expect(readStreetLine(line1)).toEqual({ number, street });
  });

  it('removes the unit for geocoders', () => {
    expect(streetLineWithoutUnit('1600 Ocean Dr, Apt 4')).toBe('1600 Ocean Dr');
    expect(streetLineWithoutUnit('Ocean Drive, Unit 7')).toBe('Ocean Drive');
    expect(streetLineWithoutUnit('RR 2 Box 38')).toBeUndefined();
    expect(streetLineWithoutUnit('30 Allen Plaza, 20 Ivan Allen Blvd')).toBe('Allen Plaza');
  });

  it('is quick and never throws', () => {
    fc.assert(fc.property(anyText({ maxLength: 500 }), (text) => void readStreetLine(text)));
    const long = ['apt '.repeat(2_500), '1 '.repeat(5_000), '#'.repeat(10_000), `${' '.repeat(10_000)}x`];
    withinProcessorMs(500, () => long.map(readStreetLine));
    // Addresses have at most 500 characters.
    const crowded = ['st ', 'st n ', 'apt 4 ', 'floor ', '# 4 ', 'attn ', 'n. w. ', '5 - ', 'a '].map((words) =>
      `1 ${words.repeat(200)}`.slice(0, 500),
    );
    withinProcessorMs(500, () => crowded.map(readStreetLine));
  });
});
