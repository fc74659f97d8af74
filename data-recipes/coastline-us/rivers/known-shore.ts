import type { Coast, GeographicPoint } from '@leeward/coast';

/** Answer of the two shipped shores about a place. */
export interface KnownShore {
  readonly distanceMeters: number;
  readonly radiusMeters: number;
  readonly side: 'land' | 'water' | 'unknown';
  readonly shore: GeographicPoint;
}

export type AskShore = (longitude: number, latitude: number) => KnownShore | undefined;

export function shoreOf(coast: Coast): AskShore {
  return (longitude, latitude) => {
    const isCovered = coast.datasets[0]!.coverage.some(
      ({ west, south, east, north }) =>
        longitude >= west && longitude <= east && latitude >= south && latitude <= north,
    );
    if (!isCovered) return undefined;
    const { distanceMeters, accuracyMeters, side, coast: shore } = coast.nearest({ latitude, longitude });
    return { distanceMeters, radiusMeters: accuracyMeters, side, shore };
  };
}
