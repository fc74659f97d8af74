/**
 * Minimum error, in meters, of a point without an extent. Buildings: their size and the drift of aerial images. Along a street: half
 * a long block plus the distance from the middle of the road to the house. Others: half a typical extent, which the server's own
 * extent can only increase.
 */
export const assumedRadiusMeters = {
  rooftop: 30,
  interpolated: 100,
  street: 500,
  zip_centroid: 5_000,
  city_centroid: 10_000,
} as const;
