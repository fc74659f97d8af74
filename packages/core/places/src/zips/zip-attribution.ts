/** GeoNames' licence requires it next to ZIP points, cities and counties. */
export const zipAttribution =
  'ZIP codes: GeoNames (https://www.geonames.org, CC BY 4.0) and U.S. Census Bureau, changed';

/** Required next to places that no ZIP code is named after. */
export const placeAttribution =
  'Places: U.S. Census Bureau and GeoNames (https://www.geonames.org, CC BY 4.0), changed';
