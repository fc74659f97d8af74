/**
 * Minimum error of a point without an extent. Buildings: their size and the drift of aerial images. Streets: half a long block plus the
 * distance to the house. Others: half a typical extent, which the server's own can only increase.
 */
export const assumedRadiusMeters = {
  rooftop: 30,
  interpolated: 100,
  street: 500,
  zip_centroid: 5_000,
  city_centroid: 10_000,
} as const;
