/** GeoNames' licence requires it next to ZIP points, cities and counties. */
export const zipAttribution =
  'ZIP codes: GeoNames (https://www.geonames.org, CC BY 4.0) and U.S. Census Bureau, changed';
