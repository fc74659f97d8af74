import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NeighbourOrder } from './neighbour-order.ts';

it('sorts all points, each once, even invalid ones', () => {
  const number = fc.oneof(fc.double({ min: -180, max: 180 }), fc.double());
  fc.assert(
    fc.property(fc.array(fc.tuple(number, number), { minLength: 1, maxLength: 200 }), fc.nat(50), (points, before) => {
      const from = Math.min(before, points.length - 1);
      const neighbours = new NeighbourOrder(200);
      neighbours.sort(
        Float64Array.from(points, ([latitude]) => latitude),
        Float64Array.from(points, ([, longitude]) => longitude),
        from,
        points.length - from,
      );
      const order = [...neighbours.order.subarray(0, points.length - from)];
      expect(order.sort((one, other) => one - other)).toEqual(
        Array.from({ length: points.length - from }, (_, index) => from + index),
      );
    }),
  );
});

it('places points of one cell next to each other', () => {
  const cells = [0, 1, 2, 3].flatMap((column) =>
    [0, 1, 2, 3].map((row) => [40 + row / 16, -75 + column / 16] as const),
  );
  const points = [...cells, ...cells.toReversed(), ...cells];
  const neighbours = new NeighbourOrder(points.length);
  neighbours.sort(
    Float64Array.from(points, ([latitude]) => latitude + 0.03),
    Float64Array.from(points, ([, longitude]) => longitude + 0.03),
    0,
    points.length,
  );
  const visited = [...neighbours.order].map((point) => points[point]!.join(' '));
  const changes = visited.filter((cell, at) => cell !== visited[at - 1]);
  expect(changes).toHaveLength(cells.length);
  const firstFour = changes.slice(0, 4).map((cell) => cell.split(' ').map(Number));
  expect(Math.max(...firstFour.map(([latitude]) => latitude!)) - 40).toBeLessThan(2 / 16);
});
