/** To be shown wherever ZIP points, their cities or counties are: GeoNames' licence asks for it. */
export const zipAttribution =
  'ZIP codes: GeoNames (https://www.geonames.org, CC BY 4.0) and U.S. Census Bureau, changed';
