import type { Coast, GeographicPoint } from '@leeward/coast';

/** Answer of the two shipped shores about a place. */
export interface KnownShore {
  readonly distanceMeters: number;
  readonly minMeters: number;
  readonly side: 'land' | 'water' | 'unknown';
  readonly shore: GeographicPoint;
}

export type AskShore = (longitude: number, latitude: number) => KnownShore | undefined;

/** @param gshhg has the sounds that OSM maps as areas of water, not as coast. */
export function shoreOf(coast: Coast, gshhg: Coast): AskShore {
  return (longitude, latitude) => {
    const isCovered = coast.datasets[0]!.coverage.some(
      ({ west, south, east, north }) =>
        longitude >= west && longitude <= east && latitude >= south && latitude <= north,
    );
    if (!isCovered) return undefined;
    const point = { latitude, longitude };
    const { distanceMeters, minMeters, side, coast: shore } = coast.nearest(point);
    const isInSound = side === 'unknown' && gshhg.nearest(point).side === 'water';
    return { distanceMeters, minMeters, side: isInSound ? 'water' : side, shore };
  };
}
