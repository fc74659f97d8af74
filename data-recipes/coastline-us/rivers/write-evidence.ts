import { encodeShoreline, type Shoreline, type ShorelineHeader } from '@leeward/coast';
import type { LineSet } from '../line-set.ts';
import type { Place } from './link-stations.ts';
import type { TidalEvidence } from './tidal-evidence.ts';
import { KNOWN_RIVER_METERS, POSSIBLE_RIVER_METERS } from './tidal-rules.ts';
import type { TideStation } from './tide-stations.ts';

const STEPS_PER_DEGREE = 100_000;
const OSM = '© OpenStreetMap contributors, ODbL-1.0, by way of @geo-maps/earth-rivers-1m 0.6.0 (Simone Primarosa)';
const NOAA = 'NOAA tide and current stations (public domain), by way of @neaps/tide-database';
const TICON =
  'TICON-4 (Hart-Davis, Dettmering, Seitz 2025, SEANOE, doi:10.17882/109129), CC BY 4.0, by way of @neaps/tide-database; positions alone, those on land beyond the shores';

/** A line, and the maximum distance of the water from it. */
interface Stretch {
  readonly places: readonly Place[];
  readonly radiusMeters: number;
}

/** By path in `data`, each under its licence. */
export function evidenceFiles(
  rivers: LineSet,
  { confirmed, possible, gauges, links }: TidalEvidence,
  version: string,
): Record<string, Uint8Array> {
  const point = ({ longitude, latitude, errorMeters }: TideStation): Stretch => {
    const place = [longitude, latitude] as const;
    return { places: [place, place], radiusMeters: Math.ceil(errorMeters) };
  };
  const ofKind = (isOfKind: (gauge: TideStation) => boolean): Stretch[] => gauges.filter(isOfKind).map(point);
  const write = (name: string, attribution: string, method: string, stretches: readonly Stretch[]): Uint8Array =>
    encodeShoreline(shorelineOf({ name, version, attribution, method }, stretches), {
      stepsPerDegree: STEPS_PER_DEGREE,
    });
  return {
    'osm/tidal-rivers.shoreline': write(
      'osm-tidal-rivers',
      OSM,
      'rivers from a gauge down to the shore',
      riverStretches(rivers, (vertex) => confirmed[vertex] === 1, KNOWN_RIVER_METERS),
    ),
    'osm/possible-rivers.shoreline': write(
      'osm-possible-rivers',
      OSM,
      'rivers within 15 km of network of a shore or of a tidal river: stations stand within this of them',
      riverStretches(rivers, (vertex) => possible[vertex] === 1 && confirmed[vertex] === 0, POSSIBLE_RIVER_METERS),
    ),
    'noaa/gauges.shoreline': write(
      'noaa-gauges',
      NOAA,
      'as coarse as the coordinates are written down',
      ofKind(({ kind }) => kind !== 'ticon'),
    ),
    'ticon/gauges.shoreline': write(
      'ticon-gauges',
      TICON,
      'as coarse as the coordinates are written down',
      ofKind(({ kind }) => kind === 'ticon'),
    ),
    'osm/gauge-links.shoreline': write(
      'gauge-links',
      `${OSM}; ${NOAA}; ${TICON}`,
      'straight between gauges that stand on no river drawn here: as far aside as the way may wind',
      links.map(({ from, to, radiusMeters }) => ({
        places: [from, to],
        radiusMeters,
      })),
    ),
  };
}

function riverStretches(
  { positions, lineStarts }: LineSet,
  accepts: (vertex: number) => boolean,
  radiusMeters: number,
): Stretch[] {
  const stretches: Stretch[] = [];
  for (let line = 0; line + 1 < lineStarts.length; line++) {
    const last = lineStarts[line + 1]! - 1;
    let places: Place[] = [];
    for (let vertex = lineStarts[line]!; vertex <= last; vertex++) {
      places.push([positions[2 * vertex]!, positions[2 * vertex + 1]!]);
      if (vertex < last && accepts(vertex)) continue;
      if (places.length > 1) stretches.push({ places, radiusMeters });
      places = [];
    }
  }
  return stretches;
}

/** A layer for each radius: `within_250`. */
function shorelineOf(
  {
    name,
    version,
    attribution,
    method,
  }: Pick<ShorelineHeader, 'name' | 'version' | 'attribution'> & { readonly method: string },
  stretches: readonly Stretch[],
): Shoreline {
  const radii = [...new Set(stretches.map(({ radiusMeters }) => radiusMeters))].sort((a, b) => a - b);
  const lineStarts = [0];
  for (const { places } of stretches) lineStarts.push(lineStarts.at(-1)! + places.length);
  return {
    name,
    version,
    attribution,
    layerNames: radii.map((radius) => `within_${radius}`),
    shoreNames: [name],
    water: 'unknown',
    accuracy: { radiusMeters: radii, method },
    coverage: [],
    positions: Float64Array.from(stretches.flatMap(({ places }) => places.flat())),
    lineStarts: Uint32Array.from(lineStarts),
    layers: Uint16Array.from(
      stretches.flatMap(({ places, radiusMeters }) => places.map(() => 1 << radii.indexOf(radiusMeters))),
    ),
    shores: new Uint8Array(lineStarts.at(-1)!),
  };
}
