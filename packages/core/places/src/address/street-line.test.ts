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
  });

  it('is quick and never throws', () => {
    fc.assert(fc.property(anyText({ maxLength: 500 }), (text) => void readStreetLine(text)));
    const long = ['apt '.repeat(2_500), '1 '.repeat(5_000), '#'.repeat(10_000), `${' '.repeat(10_000)}x`];
    withinProcessorMs(500, () => long.map(readStreetLine));
  });
});
