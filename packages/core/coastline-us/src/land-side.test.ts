import { describe, expect, it } from 'vitest';
import { loadCoastlineUs } from './load-coastline-us.ts';

const WEDGES = [
  { name: 'Queen Anne’s County MD', latitude: 39.0, longitude: -76.1 },
  { name: 'Sudlersville MD', latitude: 39.0038, longitude: -76.0373 },
] as const;

/** Water by OSM's coastline of 2017. */
const FORMER_WEDGES = [
  { name: 'west of Boca Raton FL', latitude: 26.4726, longitude: -80.1364 },
  { name: 'Ferndale WA', latitude: 48.9137, longitude: -122.5514 },
  { name: 'the Coast Range OR', latitude: 43.2726, longitude: -124.1746 },
] as const;

describe('the side of the shore by both datasets', () => {
  const coast = loadCoastlineUs();
  const alone = (['osm', 'gshhg'] as const).map((source) => loadCoastlineUs({ sources: [source], tidalWaters: false }));

  it.each(WEDGES)('is not water by one of them alone at $name', ({ latitude, longitude }) => {
    expect(alone.map((one) => one.nearest({ latitude, longitude }).side)).toContain('water');
    expect(coast.nearest({ latitude, longitude }).side).not.toBe('water');
  });

  it.each(FORMER_WEDGES)('is land at $name', ({ latitude, longitude }) => {
    expect(coast.nearest({ latitude, longitude }).side).toBe('land');
  });
});
