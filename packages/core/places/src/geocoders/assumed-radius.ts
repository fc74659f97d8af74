/**
 * The least error, in meters, of a point that a server gives no extent for. Buildings: their own size, and the drift of
 * aerial images. Along a street: half a long block, and the way from the middle of the road to the house. The others: half
 * a usual extent, which a server's own extent can only widen.
 */
export const assumedRadiusMeters = {
  rooftop: 30,
  interpolated: 100,
  street: 500,
  zip_centroid: 5_000,
  city_centroid: 10_000,
} as const;
