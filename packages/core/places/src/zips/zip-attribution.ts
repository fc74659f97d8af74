/** Show it with ZIP points, their cities and counties: GeoNames' licence requires it. */
export const zipAttribution =
  'ZIP codes: GeoNames (https://www.geonames.org, CC BY 4.0) and U.S. Census Bureau, changed';
