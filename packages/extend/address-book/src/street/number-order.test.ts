import { expect, it } from 'vitest';
import { houseNumberOrder } from './number-order.ts';

it('orders numbers along a street', () => {
  const ordered = ['12', '12 1/2', '13', '45-18', '45-102', '46-1', '100-104', '101'];
  expect(ordered.toSorted((a, b) => houseNumberOrder(a) - houseNumberOrder(b))).toEqual(ordered);
});
