import { expect, it } from 'vitest';
import { countedNumber, houseNumberOrder } from './number-order.ts';

it('orders numbers along a street', () => {
  const ordered = ['12', '12 1/2', '13', '45-18', '45-102', '46-1', '100-104', '101'];
  expect(ordered.toSorted((a, b) => houseNumberOrder(a) - houseNumberOrder(b))).toEqual(ordered);
});

it('counts numbers of a grid by their end', () => {
  expect(countedNumber('N79W5406')).toEqual({ prefix: 'N79W', value: 5406 });
  expect(countedNumber('W5406A')).toEqual({ prefix: 'W', value: 5406 });
  expect(houseNumberOrder('N79W5406')).toBe(5406);
});
