import type { Shoreline } from '../shoreline/shoreline.ts';

/**
 * A few wandering lines, some closed, with random layers: bit 0 `tidal`, bit 1 `ocean` (always tidal too), bit 2 `great_lakes`, bit 3
 * `neighbour`. One or more segments are `tidal` without `neighbour`.
 */
export function randomShoreline(random: () => number, degrees: number): Shoreline {
  const positions: number[] = [];
  const starts = [0];
  const layers: number[] = [];
  const centreLatitude = random() * 178 - 89;
  const centreLongitude = random() * 360 - 180;
  const lineCount = 1 + Math.floor(random() * 6);
  for (let line = 0; line < lineCount; line++) {
    let latitude = centreLatitude + (random() - 0.5) * degrees;
    let longitude = centreLongitude + (random() - 0.5) * degrees;
    const first = positions.length;
    const vertices = 3 + Math.floor(random() * 60);
    let mask = line === 0 ? 1 : randomMask(random);
    for (let vertex = 0; vertex < vertices; vertex++) {
      positions.push(turned(longitude), folded(latitude));
      layers.push(mask);
      latitude += (random() - 0.5) * degrees * 0.1;
      longitude += (random() - 0.5) * degrees * 0.1;
      if (line > 0 && random() < 0.1) mask = randomMask(random);
    }
    if (random() < 0.4) {
      positions.push(positions[first]!, positions[first + 1]!);
      layers.push(mask);
    }
    starts.push(positions.length / 2);
  }
  return {
    name: 'random',
    version: '1',
    attribution: 'made up',
    layerNames: ['tidal', 'ocean', 'great_lakes', 'neighbour'],
    shoreNames: ['east', 'west'],
    water: 'right',
    accuracy: { radiusMeters: [100, 200, 300, 400], method: 'made up' },
    coverage: [],
    positions: Float64Array.from(positions),
    lineStarts: Uint32Array.from(starts),
    layers: Uint16Array.from(layers),
    shores: Uint8Array.from(layers, (_, vertex) => vertex & 1),
  };
}

function randomMask(random: () => number): number {
  const kinds = [0, 1, 3, 4, 9, 11];
  return kinds[Math.floor(random() * kinds.length)]!;
}

function folded(latitude: number): number {
  if (latitude > 90) return 180 - latitude;
  return latitude < -90 ? -180 - latitude : latitude;
}

function turned(longitude: number): number {
  return longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude;
}
