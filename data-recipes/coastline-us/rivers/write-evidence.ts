import { encodeShoreline, type Shoreline, type ShorelineHeader } from '@leeward/coast';
import type { LineSet } from '../line-set.ts';
import type { WaterProbabilities } from './calibrate-waters.ts';
import type { Place } from './link-stations.ts';
import type { TidalEvidence } from './tidal-evidence.ts';
import {
  AREA_RADII_METERS,
  KNOWN_RIVER_METERS,
  LINK_PARTS_METERS,
  LINK_RADIUS_METERS,
  POSSIBLE_CLASSES,
} from './tidal-rules.ts';
import type { TideStation } from './tide-stations.ts';

const STEPS_PER_DEGREE = 100_000;
const OSM =
  '© OpenStreetMap contributors, ODbL-1.0, by way of @geo-maps/earth-rivers-1m and earth-coastlines-1m 0.6.0 (Simone Primarosa)';
const NOAA = 'NOAA tide and current stations (public domain), by way of @neaps/tide-database';
const TICON =
  'TICON-4 (Hart-Davis, Dettmering, Seitz 2025, SEANOE, doi:10.17882/109129), CC BY 4.0, by way of @neaps/tide-database; positions alone, those on land beyond the shores';

/** A kind of water. */
interface Layer {
  readonly name: string;
  /** Maximum distance of the water from its lines. */
  readonly radiusMeters: number;
  readonly probability: number;
}

interface Stretch {
  readonly places: readonly Place[];
  readonly layer: Layer;
}

const withinMeters = (radiusMeters: number): Layer => ({
  name: `within_${radiusMeters}`,
  radiusMeters,
  probability: 1,
});

/** By path in `data`, each under its licence. */
export function evidenceFiles(
  rivers: LineSet,
  { confirmed, classes, gauges, links, areas }: TidalEvidence,
  probabilities: WaterProbabilities,
  version: string,
): Record<string, Uint8Array> {
  const point = ({ longitude, latitude, errorMeters }: TideStation): Stretch => {
    const place = [longitude, latitude] as const;
    return { places: [place, place], layer: withinMeters(Math.ceil(errorMeters)) };
  };
  const ofKind = (isOfKind: (gauge: TideStation) => boolean): Stretch[] => gauges.filter(isOfKind).map(point);
  const write = (name: string, attribution: string, method: string, stretches: readonly Stretch[]): Uint8Array =>
    encodeShoreline(shorelineOf({ name, version, attribution, method }, stretches), {
      stepsPerDegree: STEPS_PER_DEGREE,
    });
  const riverLayers = POSSIBLE_CLASSES.map(({ networkMeters, radiusMeters }, at) => ({
    name: `network_${networkMeters}`,
    radiusMeters,
    probability: probabilities.rivers[at]!,
  }));
  const linkLayers = LINK_PARTS_METERS.map((meters, at) => ({
    name: `to_gauge_${meters}`,
    radiusMeters: LINK_RADIUS_METERS,
    probability: probabilities.links[at]!,
  }));
  const areaLayers = AREA_RADII_METERS.map((radiusMeters, at) => ({
    name: `around_gauge_${radiusMeters}`,
    radiusMeters,
    probability: probabilities.areas[at]!,
  }));
  const known = withinMeters(KNOWN_RIVER_METERS);
  return {
    'osm/tidal-rivers.shoreline': write(
      'osm-tidal-rivers',
      OSM,
      'rivers and former lines of the coast from a gauge down to the shore',
      riverStretches(rivers, (vertex) => (confirmed[vertex] === 1 ? known : undefined)),
    ),
    'osm/possible-rivers.shoreline': write(
      'osm-possible-rivers',
      OSM,
      'rivers and former lines of the coast, by length of network to a shore or to a tidal river; probabilities from gauges of held-out states',
      riverStretches(rivers, (vertex) => (confirmed[vertex] === 1 ? undefined : riverLayers[classes[vertex]!])),
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
      'from gauges on no river drawn here: straight toward known tidal water, where nearer to the gauge than to a shore, and around the gauge; probabilities from other gauges',
      [
        ...links.map(({ from, to, part }) => ({ places: [from, to], layer: linkLayers[part]! })),
        ...areas.map(({ place, radius }) => ({ places: [place, place], layer: areaLayers[radius]! })),
      ],
    ),
  };
}

function riverStretches({ positions, lineStarts }: LineSet, layerOf: (vertex: number) => Layer | undefined): Stretch[] {
  const stretches: Stretch[] = [];
  for (let line = 0; line + 1 < lineStarts.length; line++) {
    const last = lineStarts[line + 1]! - 1;
    let places: Place[] = [];
    let layer: Layer | undefined;
    for (let vertex = lineStarts[line]!; vertex <= last; vertex++) {
      const place: Place = [positions[2 * vertex]!, positions[2 * vertex + 1]!];
      places.push(place);
      const next = vertex < last ? layerOf(vertex) : undefined;
      if (next === layer && vertex < last) continue;
      if (layer !== undefined) stretches.push({ places, layer });
      places = [place];
      layer = next;
    }
  }
  return stretches;
}

function shorelineOf(
  {
    name,
    version,
    attribution,
    method,
  }: Pick<ShorelineHeader, 'name' | 'version' | 'attribution'> & { readonly method: string },
  stretches: readonly Stretch[],
): Shoreline {
  const layers = [...new Map(stretches.map(({ layer }) => [layer.name, layer])).values()].sort(
    (one, other) => one.radiusMeters - other.radiusMeters || other.probability - one.probability,
  );
  const names = layers.map((layer) => layer.name);
  const lineStarts = [0];
  for (const { places } of stretches) lineStarts.push(lineStarts.at(-1)! + places.length);
  const probabilities = layers.map(({ probability }) => probability);
  return {
    name,
    version,
    attribution,
    layerNames: names,
    shoreNames: [name],
    water: 'unknown',
    accuracy: {
      radiusMeters: layers.map(({ radiusMeters }) => radiusMeters),
      method,
      ...(probabilities.every((probability) => probability === 1) ? {} : { probabilities }),
    },
    coverage: [],
    positions: Float64Array.from(stretches.flatMap(({ places }) => places.flat())),
    lineStarts: Uint32Array.from(lineStarts),
    layers: Uint16Array.from(
      stretches.flatMap(({ places, layer }) => places.map(() => 1 << names.indexOf(layer.name))),
    ),
    shores: new Uint8Array(lineStarts.at(-1)!),
  };
}
