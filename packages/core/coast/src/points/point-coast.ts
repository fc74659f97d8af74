import type { Coast, CoastAnswer } from '../answer/coast.ts';
import type { CoastBatch } from '../answer/coast-batch.ts';
import { BATCH_ANSWERED, BATCH_INVALID_POINT, BATCH_OUTSIDE_COVERAGE } from '../answer/coast-batch.ts';
import { CoastError } from '../coast-error.ts';
import { checkPoint, type GeographicPoint, isPoint } from '../earth/geographic-point.ts';
import {
  type CoastDefinition,
  type CoastDefinitionInput,
  checkDefinition,
  definitionKey,
  layerNamesOf,
  selectLayers,
  toCoastDefinition,
  usualDefinition,
} from '../shoreline/coast-definition.ts';
import { checkCovered, isCovered } from '../shoreline/coverage.ts';
import { accepts } from '../shoreline/layer-selection.ts';
import type { ShorelineHeader } from '../shoreline/shoreline.ts';
import { checkShorelineHeader } from '../shoreline/shoreline-header.ts';
import { createPointIndex, type NearPoint, type PointIndex } from './point-index.ts';

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

/** The points of a definition, and the number of each in the shore. */
interface LayerPoints {
  readonly index: PointIndex;
  readonly numbers: Uint32Array;
}

/** A coast over an index of points for each definition: see `createPointIndex`. */
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
  readonly tidalWaters: readonly ShorelineHeader[] = [];
  readonly #header: ShorelineHeader;
  readonly #shore: PointShore;
  readonly #usual: CoastDefinition;
  readonly #byDefinition = new Map<string, LayerPoints>();

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
    const { asked, points } = this.#prepare(point, definition);
    return points.index.nearest(point, count).map((near) => this.#answer(point, asked, points, near));
  }

  within(point: GeographicPoint, radiusMeters: number, definition: CoastDefinitionInput = this.#usual): CoastAnswer[] {
    const { asked, points } = this.#prepare(point, definition);
    return points.index.within(point, radiusMeters).map((near) => this.#answer(point, asked, points, near));
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
    const points = this.#points(asked);
    for (let at = 0; at < latitudes.length; at++) {
      const point = { latitude: latitudes[at]!, longitude: longitudes[at]! };
      const valid = isPoint(point.latitude, point.longitude);
      const covered = valid && isCovered(this.#header.coverage, point.latitude, point.longitude);
      const near = covered ? points.index.nearest(point)[0] : undefined;
      const answer = near === undefined ? undefined : this.#answer(point, asked, points, near);
      batch.statuses[at] = covered ? BATCH_ANSWERED : valid ? BATCH_OUTSIDE_COVERAGE : BATCH_INVALID_POINT;
      batch.coastLatitudes[at] = answer?.coast.latitude ?? Number.NaN;
      batch.coastLongitudes[at] = answer?.coast.longitude ?? Number.NaN;
      batch.distancesMeters[at] = answer?.distanceMeters ?? Number.NaN;
      batch.azimuthsDegrees[at] = answer?.azimuthDegrees ?? Number.NaN;
      batch.accuraciesMeters[at] = answer?.accuracyMeters ?? Number.NaN;
      batch.minimaMeters[at] = answer?.minMeters ?? Number.NaN;
      batch.maximaMeters[at] = answer?.maxMeters ?? Number.NaN;
      batch.tidalRivers[at] = 0;
      batch.sources[at] = 0;
      batch.segments[at] = near === undefined ? -1 : points.numbers[near.number]!;
    }
  }

  #prepare(
    point: GeographicPoint,
    definition: CoastDefinitionInput,
  ): { readonly asked: CoastDefinition; readonly points: LayerPoints } {
    checkPoint(point);
    checkCovered(this.#header, point);
    const asked = toCoastDefinition(definition);
    return { asked, points: this.#points(asked) };
  }

  /** The points of a definition, indexed once. */
  #points(definition: CoastDefinition): LayerPoints {
    const key = definitionKey(definition);
    const known = this.#byDefinition.get(key);
    if (known !== undefined) return known;
    checkDefinition([this.#header], definition);
    const selection = selectLayers(this.#header, definition)!;
    const { positions, layers } = this.#shore;
    const numbers = Uint32Array.from(layers.keys()).filter((number) => accepts(selection, layers[number]!));
    if (numbers.length === 0) {
      throw new CoastError('no_shore', `${this.#header.name} has no point of ${definition.layers.join(', ')}`);
    }
    const chosen = new Float64Array(numbers.length * 2);
    numbers.forEach((number, at) => {
      chosen.set(positions.subarray(number * 2, number * 2 + 2), at * 2);
    });
    const points = { index: createPointIndex(chosen), numbers };
    this.#byDefinition.set(key, points);
    return points;
  }

  #answer(point: GeographicPoint, definition: CoastDefinition, points: LayerPoints, near: NearPoint): CoastAnswer {
    const number = points.numbers[near.number]!;
    const { positions, layers, shores } = this.#shore;
    const header = this.#header;
    const mask = layers[number]!;
    const asked = selectLayers(header, definition)!.any;
    const radii = header.accuracy.radiusMeters.filter((_radius, layer) => (mask & asked & (1 << layer)) !== 0);
    const accuracyMeters = Math.min(...radii);
    return {
      point: { latitude: point.latitude, longitude: point.longitude },
      coast: { latitude: positions[number * 2 + 1]!, longitude: positions[number * 2]! },
      distanceMeters: near.distanceMeters,
      azimuthDegrees: near.azimuthDegrees,
      definition,
      layers: layerNamesOf(header, mask),
      shore: header.shoreNames[shores[number]!]!,
      side: 'unknown',
      precision: 'vertex',
      dataset: { name: header.name, version: header.version, attribution: header.attribution },
      accuracyMeters,
      minMeters: Math.max(0, near.distanceMeters - accuracyMeters),
      maxMeters: near.distanceMeters + accuracyMeters,
      decidedBy: { distance: header.name, min: header.name, max: header.name },
      isTidalRiverPossible: false,
      sources: [{ dataset: header.name, distanceMeters: near.distanceMeters }],
    };
  }
}
