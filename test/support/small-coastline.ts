import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { encodeShoreline } from '@leeward/coast';

/** Kept between runs: of one content, and written whole or not at all. */
const file = resolve(import.meta.dirname, '../../node_modules/.cache/test-data/small-1.coast');
if (!existsSync(file)) {
  mkdirSync(dirname(file), { recursive: true });
  const own = join(dirname(file), `${process.pid}.coast`);
  writeFileSync(
    own,
    encodeShoreline({
      name: 'small',
      version: '1',
      attribution: 'made up',
      layerNames: ['tidal', 'ocean'],
      shoreNames: ['Atlantic'],
      water: 'right',
      accuracy: { radiusMeters: [100, 100], method: 'made up' },
      coverage: [{ west: -81, south: 25, east: -80, north: 26 }],
      positions: Float64Array.of(-80.1, 25.9, -80.1, 25.1),
      lineStarts: Uint32Array.of(0, 2),
      layers: Uint16Array.of(3, 3),
      shores: Uint8Array.of(0, 0),
    }),
  );
  renameSync(own, file);
}

/**
 * Environment of a service that needs no distances: one straight shore east of Miami. Opening the shipped coastline is
 * half the cost of starting a service.
 */
export const smallCoastline = { LEEWARD_COASTLINES: file };
