import { expect, it } from 'vitest';
import { createEras } from './eras.ts';

it('keeps prepared dates while many other years are used', () => {
  const eras = createEras([]);
  const today = eras.prepared('2026-11-20');
  const asked = eras.of('2027-01-01');
  expect(eras.of('2027-06-01')).toBe(asked);
  for (let year = 2030; year < 2100; year++) eras.of(`${year}-01-01`);
  expect(eras.of('2026-12-31')).toBe(today);
  expect(eras.of('2027-01-01')).not.toBe(asked);
});

it('keeps the most recent eras and a limited number of prepared ones', () => {
  const eras = createEras([]);
  const first = eras.of('1990-01-01');
  for (let year = 2000; year < 2030; year++) {
    eras.of(`${year}-01-01`);
    expect(eras.of('1990-05-05')).toBe(first);
  }
  const oldest = eras.prepared('1980-01-01');
  for (let year = 1981; year < 1990; year++) eras.prepared(`${year}-01-01`);
  for (let year = 2000; year < 2030; year++) eras.of(`${year}-01-01`);
  expect(eras.of('1980-01-01')).not.toBe(oldest);
});
