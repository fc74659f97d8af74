import type { CoastFeatures, CoastGeometry, CoastPosition } from '@leeward/coast/geojson';
import type { PictureWords } from '@leeward/coast-picture';
import { escaped } from '../../html/escaped.ts';

/** Names of the parts of an answer, as a viewer lists them. */
const NAMES: Readonly<Record<string, string>> = {
  address: 'home',
  coast: 'nearest shore',
  line: 'way to the shore',
  accuracy: 'radius of accuracy',
};

/** Colours as KML has them: opacity, blue, green, red. */
const STYLES: Readonly<Record<string, string>> = {
  address: '<IconStyle><color>ff1d20a3</color></IconStyle>',
  coast: '<IconStyle><color>ff56421f</color></IconStyle>',
  line: '<LineStyle><color>ff1d20a3</color><width>2.5</width></LineStyle>',
  accuracy:
    '<LineStyle><color>ff1d20a3</color><width>1</width></LineStyle><PolyStyle><color>221d20a3</color></PolyStyle>',
};

/** An answer as KML 2.2 (OGC 07-147r2), for Google Earth and other viewers. */
export function coastKml({ features }: CoastFeatures, words: PictureWords): string {
  const placemarks = features.map(({ geometry, properties }) => {
    const role = String(properties['role']);
    return `<Placemark><name>${NAMES[role] ?? role}</name><styleUrl>#${role}</styleUrl>${shapeOf(geometry)}</Placemark>`;
  });
  const styles = Object.entries(STYLES).map(([role, style]) => `<Style id="${role}">${style}</Style>`);
  const description = [...words.caption, ...words.attribution].join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2"><Document>
<name>${escaped(words.title)}</name>
<description>${escaped(description)}</description>
${styles.join('\n')}
${placemarks.join('\n')}
</Document></kml>
`;
}

function shapeOf(geometry: CoastGeometry): string {
  switch (geometry.type) {
    case 'Point':
      return `<Point><coordinates>${position(geometry.coordinates)}</coordinates></Point>`;
    case 'LineString':
      return line(geometry.coordinates);
    case 'MultiLineString':
      return `<MultiGeometry>${geometry.coordinates.map(line).join('')}</MultiGeometry>`;
    case 'Polygon':
      return `<Polygon><outerBoundaryIs><LinearRing><coordinates>${positions(geometry.coordinates[0] ?? [])}</coordinates></LinearRing></outerBoundaryIs></Polygon>`;
  }
}

function line(coordinates: readonly CoastPosition[]): string {
  return `<LineString><tessellate>1</tessellate><coordinates>${positions(coordinates)}</coordinates></LineString>`;
}

function positions(coordinates: readonly CoastPosition[]): string {
  return coordinates.map(position).join(' ');
}

function position(coordinates: CoastPosition): string {
  return coordinates.map((degrees) => Math.round(degrees * 1e7) / 1e7).join(',');
}
