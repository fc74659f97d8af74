/** The Open Database License asks for it. */
export const openStreetMapAttribution =
  'Data © OpenStreetMap contributors, ODbL 1.0. https://www.openstreetmap.org/copyright';
