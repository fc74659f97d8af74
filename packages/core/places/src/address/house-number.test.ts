import { describe, expect, it } from 'vitest';
import { readHouseNumber } from './house-number.ts';
import { readStreetLine } from './street-line.ts';

describe('readHouseNumber', () => {
  it.each([
    ['1600.0', '1600'],
    ['01600', '1600'],
    ['12 b', '12B'],
    ['12-A', '12A'],
    ['12 1/2', '12 1/2'],
    ['12-1/2', '12 1/2'],
    ['12½', '12 1/2'],
    ['12 ½', '12 1/2'],
    ['45-18', '45-18'],
    ['100 - 104', '100-104'],
    ['112 1/2', '112 1/2'],
    ['n79 w5406', 'N79W5406'],
    ['W5406', 'W5406'],
    ['28w123', '28W123'],
    ['0', undefined],
    ['½', undefined],
    ['A12', undefined],
    ['', undefined],
  ])('%s', (text, number) => {
    expect(readHouseNumber(text)).toBe(number);
  });
});

it.each([
  ['12-A Main St', '12A'],
  ['12½ Main St', '12 1/2'],
  ['12 1/2 Main St', '12 1/2'],
  ['012 Main St', '12'],
  ['100-104 Main St', '100-104'],
])('a street line reads %s alike', (line, number) => {
  expect(readStreetLine(line)).toEqual({ number, street: 'Main St' });
});
