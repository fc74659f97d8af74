/** Required by the Open Database License. */
export const openStreetMapAttribution =
  'Data © OpenStreetMap contributors, ODbL 1.0. https://www.openstreetmap.org/copyright';
