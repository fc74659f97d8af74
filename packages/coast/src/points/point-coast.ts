import { around } from 'geokdbush';
import KDBush from 'kdbush';
import type { Coast, CoastAnswer } from '../coast.ts';
import type { CoastBatch } from '../coast-batch.ts';
import { BATCH_ANSWERED, BATCH_INVALID_POINT, BATCH_OUTSIDE_COVERAGE } from '../coast-batch.ts';
import {
  type CoastDefinition,
  type CoastDefinitionInput,
  checkDefinition,
  definitionKey,
  layerNamesOf,
  selectLayers,
  toCoastDefinition,
  usualDefinition,
} from '../coast-definition.ts';
import { CoastError } from '../coast-error.ts';
import { normalizeBearing } from '../compass-point.ts';
import { type Geodesic, geodesicBetween } from '../geodesic.ts';
import { checkCovered, checkPoint, type GeographicPoint, isCovered, isPoint } from '../geographic-point.ts';
import { accepts } from '../layer-selection.ts';
import type { ShorelineHeader } from '../shoreline.ts';
import { checkShorelineHeader } from '../shoreline-header.ts';

/** A shore given as bare points (gauges, ramps, the vertices of a line): no segments between them. */
export interface PointShore extends Omit<ShorelineHeader, 'water'> {
  /** Longitude, latitude pairs in degrees. */
  readonly positions: Float64Array;
  /** The layers of each point, as a mask. */
  readonly layers: Uint16Array;
  /** The shore of each point, as an index in `shoreNames`. */
  readonly shores: Uint8Array;
}

/** A coast of points: the port of `createCoast`, and all points within a radius. Its answers say `precision: 'vertex'`. */
export interface PointCoast extends Coast {
  /** The points within a radius of a place, nearest first. */
  within(point: GeographicPoint, radiusMeters: number, definition?: CoastDefinitionInput): CoastAnswer[];
}

/**
 * By how much a distance on geokdbush's sphere (6371 km) and the geodesic on WGS84 can differ, as a ratio: the radii of
 * curvature of WGS84 run from 6335 to 6400 km.
 */
const SPHERE_RATIO = 1.0058;
const METERS_PER_KILOMETER = 1000;

const HALF_EARTH_KILOMETERS = 20_015;

/** A point of the shore, and how to get there. */
interface Find extends Geodesic {
  readonly number: number;
}

interface PointIndex {
  readonly tree: KDBush;
  /** The number of each indexed point in the shore. */
  readonly numbers: Uint32Array;
}

/**
 * Indexes points with kdbush. geokdbush finds those nearest on a sphere; the ones that the ellipsoid could put before them
 * are fetched too and ordered by Karney's geodesic, so that the nearest is exact.
 */
export function createPointCoast(shore: PointShore): PointCoast {
  const header = checkShorelineHeader({ ...shore, water: 'unknown' });
  const count = shore.positions.length / 2;
  if (shore.layers.length !== count || shore.shores.length !== count) {
    throw new CoastError(
      'invalid_shoreline',
      `${header.name}: ${count} points, ${shore.layers.length} layers and ${shore.shores.length} shores: give as many of each`,
    );
  }
  for (let point = 0; point < count; point++) {
    if (isPoint(shore.positions[point * 2 + 1]!, shore.positions[point * 2]!)) continue;
    throw new CoastError(
      'invalid_shoreline',
      `${header.name}: point ${point} at longitude ${shore.positions[point * 2]}, latitude ${shore.positions[point * 2 + 1]} is not on the earth`,
    );
  }
  return new IndexedPoints(header, shore);
}

class IndexedPoints implements PointCoast {
  readonly #header: ShorelineHeader;
  readonly #shore: PointShore;
  readonly #usual: CoastDefinition;
  readonly #indexes = new Map<string, PointIndex>();

  constructor(header: ShorelineHeader, shore: PointShore) {
    this.#header = header;
    this.#shore = shore;
    this.#usual = usualDefinition(header);
  }

  get datasets(): readonly ShorelineHeader[] {
    return [this.#header];
  }

  nearest(point: GeographicPoint, definition: CoastDefinitionInput = this.#usual): CoastAnswer {
    return this.nearestSeveral(point, 1, definition)[0]!;
  }

  nearestByEach(point: GeographicPoint, definitions: readonly CoastDefinitionInput[]): CoastAnswer[] {
    return definitions.map((definition) => this.nearest(point, definition));
  }

  nearestSeveral(point: GeographicPoint, count: number, definition: CoastDefinitionInput = this.#usual): CoastAnswer[] {
    if (!Number.isInteger(count) || count < 1) {
      throw new CoastError('invalid_option', `the ${count} nearest: expected a whole number, one or more`);
    }
    const { asked, index } = this.#prepare(point, definition);
    return this.#nearestFinds(point, index, count).map((find) => this.#answer(point, asked, find));
  }

  within(point: GeographicPoint, radiusMeters: number, definition: CoastDefinitionInput = this.#usual): CoastAnswer[] {
    if (!(radiusMeters >= 0 && radiusMeters < Number.POSITIVE_INFINITY)) {
      throw new CoastError('invalid_option', `a radius of ${radiusMeters} metres: expected zero or more`);
    }
    const { asked, index } = this.#prepare(point, definition);
    return this.#findsWithin(point, index, radiusMeters).map((find) => this.#answer(point, asked, find));
  }

  nearestMany(
    latitudes: Float64Array,
    longitudes: Float64Array,
    batch: CoastBatch,
    definition: CoastDefinitionInput = this.#usual,
  ): void {
    if (longitudes.length !== latitudes.length || batch.statuses.length < latitudes.length) {
      throw new CoastError(
        'invalid_option',
        `${latitudes.length} latitudes, ${longitudes.length} longitudes and room for ${batch.statuses.length} answers: give as many of each`,
      );
    }
    const asked = toCoastDefinition(definition);
    const index = this.#index(asked);
    for (let at = 0; at < latitudes.length; at++) {
      const point = { latitude: latitudes[at]!, longitude: longitudes[at]! };
      const valid = isPoint(point.latitude, point.longitude);
      const covered = valid && isCovered(this.#header.coverage, point.latitude, point.longitude);
      const find = covered ? this.#nearestFinds(point, index, 1)[0] : undefined;
      const answer = find === undefined ? undefined : this.#answer(point, asked, find);
      batch.statuses[at] = covered ? BATCH_ANSWERED : valid ? BATCH_OUTSIDE_COVERAGE : BATCH_INVALID_POINT;
      batch.coastLatitudes[at] = answer?.coast.latitude ?? Number.NaN;
      batch.coastLongitudes[at] = answer?.coast.longitude ?? Number.NaN;
      batch.distancesMeters[at] = answer?.distanceMeters ?? Number.NaN;
      batch.azimuthsDegrees[at] = answer?.azimuthDegrees ?? Number.NaN;
      batch.accuraciesMeters[at] = answer?.accuracyMeters ?? Number.NaN;
      batch.sources[at] = 0;
      batch.segments[at] = find?.number ?? -1;
    }
  }

  #prepare(
    point: GeographicPoint,
    definition: CoastDefinitionInput,
  ): { readonly asked: CoastDefinition; readonly index: PointIndex } {
    checkPoint(point);
    checkCovered(this.#header, point);
    const asked = toCoastDefinition(definition);
    return { asked, index: this.#index(asked) };
  }

  /** The points of a definition, indexed once. */
  #index(definition: CoastDefinition): PointIndex {
    const key = definitionKey(definition);
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    checkDefinition([this.#header], definition);
    const selection = selectLayers(this.#header, definition)!;
    const { positions, layers } = this.#shore;
    const numbers = Uint32Array.from(layers.keys()).filter((number) => accepts(selection, layers[number]!));
    if (numbers.length === 0) {
      throw new CoastError('no_shore', `${this.#header.name} has no point of ${definition.layers.join(', ')}`);
    }
    const tree = new KDBush(numbers.length);
    for (const number of numbers) tree.add(positions[number * 2]!, positions[number * 2 + 1]!);
    const index = { tree: tree.finish(), numbers };
    this.#indexes.set(key, index);
    return index;
  }

  #nearestFinds(point: GeographicPoint, index: PointIndex, count: number): Find[] {
    const rough = around(index.tree, point.longitude, point.latitude, count);
    const farthest = Math.max(...rough.map((id) => this.#find(point, index.numbers[id]!).distanceMeters));
    return this.#findsWithin(point, index, farthest).slice(0, count);
  }

  #findsWithin(point: GeographicPoint, index: PointIndex, radiusMeters: number): Find[] {
    const reach = Math.min((radiusMeters * SPHERE_RATIO) / METERS_PER_KILOMETER + 1e-6, HALF_EARTH_KILOMETERS);
    return around(index.tree, point.longitude, point.latitude, Number.POSITIVE_INFINITY, reach)
      .map((id) => this.#find(point, index.numbers[id]!))
      .filter((find) => find.distanceMeters <= radiusMeters)
      .sort((one, other) => one.distanceMeters - other.distanceMeters || one.number - other.number);
  }

  #find({ latitude, longitude }: GeographicPoint, number: number): Find {
    const { positions } = this.#shore;
    return { number, ...geodesicBetween(latitude, longitude, positions[number * 2 + 1]!, positions[number * 2]!) };
  }

  #answer(point: GeographicPoint, definition: CoastDefinition, find: Find): CoastAnswer {
    const { positions, layers, shores } = this.#shore;
    const header = this.#header;
    const mask = layers[find.number]!;
    const asked = selectLayers(header, definition)!.any;
    const radii = header.accuracy.radiusMeters.filter((_radius, layer) => (mask & asked & (1 << layer)) !== 0);
    return {
      point: { latitude: point.latitude, longitude: point.longitude },
      coast: { latitude: positions[find.number * 2 + 1]!, longitude: positions[find.number * 2]! },
      distanceMeters: find.distanceMeters,
      azimuthDegrees: find.distanceMeters === 0 ? 0 : normalizeBearing(find.azimuthDegrees),
      definition,
      layers: layerNamesOf(header, mask),
      shore: header.shoreNames[shores[find.number]!]!,
      side: 'unknown',
      precision: 'vertex',
      dataset: { name: header.name, version: header.version, attribution: header.attribution },
      accuracyMeters: Math.min(...radii),
      sources: [{ dataset: header.name, distanceMeters: find.distanceMeters }],
    };
  }
}
