import { FRAME_LENGTH, RADIANS_PER_DEGREE, UNITS_PER_METER } from '../earth/ellipsoid.ts';
import { TABLE_COLUMNS, TABLE_ROWS } from '../search/candidate-tree.ts';
import { FoundChunk, PointChunk } from '../search/point-chunk.ts';
import { ReachSearch, ReachTree } from '../search/reach-tree.ts';
import { writeAnswers } from '../search/shore-answer.ts';
import type { CoastDefinition } from '../shoreline/coast-definition.ts';
import type { Shoreline, ShorelineHeader } from '../shoreline/shoreline.ts';

/**
 * What is known of the tide beyond the drawn shores. Of each shoreline the radius of a segment's layer says how far from it the
 * water may lie; a segment of no length is a place by itself.
 */
export interface TidalWaters {
  /** Tidal water for certain (a gauge, a river below one): an answer takes it for the coast where it is nearer. */
  readonly known: readonly Shoreline[];
  /** Where tidal water may be: it lowers the least distance, and no more. */
  readonly possible: readonly Shoreline[];
}

/** The layer to whose definitions tidal waters belong. */
const TIDAL_LAYER = 'tidal';

/**
 * No farther than this from a point (31 miles: the limits in use end at 25) are tidal waters looked for: what lies beyond changes no
 * decision, and a home in the plains has no river to be warned of.
 */
const REACH_METERS = 50_000;
const METERS_PER_DEGREE = 110_000;

/** What an answer by the shores becomes: bits of `TidalSearch.parts`. */
export const BY_KNOWN_WATER = 1;
export const MIN_BY_TIDAL_WATER = 2;
export const MAX_BY_KNOWN_WATER = 4;

/** Tidal waters, ready to be asked. What is found stands in the fields until the next search. */
export class TidalSearch {
  /** Of known waters, then of possible ones. */
  readonly headers: readonly ShorelineHeader[];
  parts = 0;
  minMeters = 0;
  maxMeters = 0;
  /** Where `BY_KNOWN_WATER` holds: the numbers of the answer (see `ANSWER_NUMBERS`), its reach. */
  readonly answer = new FoundChunk(1);
  accuracyMeters = 0;
  /** Which of the headers has the distance, the min and the max. */
  distanceSource = -1;
  minSource = -1;
  maxSource = -1;
  readonly #known: ReachTree;
  readonly #possible: ReachTree;
  readonly #knownCount: number;
  readonly #near: Uint8Array;
  readonly #found = new ReachSearch();
  readonly #point = new PointChunk(1);

  constructor(waters: TidalWaters) {
    const { known, possible } = waters;
    this.headers = [...known, ...possible].map(headerOf);
    this.#knownCount = known.length;
    const built = builtOf.get(waters) ?? build(waters);
    builtOf.set(waters, built);
    this.#known = built.known;
    this.#possible = built.possible;
    this.#near = built.near;
  }

  /** Whether a definition counts tidal water. */
  static belongsTo({ layers }: CoastDefinition): boolean {
    return layers.includes(TIDAL_LAYER);
  }

  /** Whether any tidal water may be within reach of a point: a glance, for most points the last. */
  isNear(latitude: number, longitude: number): boolean {
    return this.#near[cellOf(latitude, longitude)] === 1;
  }

  /** Looks for tidal water that changes what the shores say of point `at` of `points`, which has its frame. */
  search(points: PointChunk, at: number, shoreMeters: number, radiusMeters: number): void {
    this.parts = 0;
    if (!this.isNear(points.latitudes[at]!, points.longitudes[at]!)) return;
    const frame = at * FRAME_LENGTH;
    const [px, py, pz] = [points.frames[frame]!, points.frames[frame + 1]!, points.frames[frame + 2]!];
    this.minMeters = Math.max(0, shoreMeters - radiusMeters);
    this.maxMeters = shoreMeters + radiusMeters;
    const found = this.#found;
    found.distance = Math.min(shoreMeters, REACH_METERS) * UNITS_PER_METER;
    found.min = Math.min(this.minMeters, REACH_METERS) * UNITS_PER_METER;
    found.max = Math.min(this.maxMeters, REACH_METERS) * UNITS_PER_METER;
    found.distanceBy = found.minBy = found.maxBy = -1;
    this.#known.search(px, py, pz, found);
    const { distanceBy, maxBy } = found;
    if (found.minBy >= 0) this.#lowerMin(this.#known.sources[found.minBy]!);
    if (maxBy >= 0) {
      this.parts |= MAX_BY_KNOWN_WATER;
      this.maxMeters = found.max / UNITS_PER_METER;
      this.maxSource = this.#known.sources[maxBy]!;
    }
    // Below zero nothing is left to lower.
    if (found.min > 0) {
      found.distance = found.max = Number.NEGATIVE_INFINITY;
      found.minBy = -1;
      this.#possible.search(px, py, pz, found);
      if (found.minBy >= 0) this.#lowerMin(this.#knownCount + this.#possible.sources[found.minBy]!);
    }
    if (distanceBy >= 0) this.#answerKnown(points, at, distanceBy);
  }

  #lowerMin(source: number): void {
    this.parts |= MIN_BY_TIDAL_WATER;
    this.minMeters = Math.max(0, this.#found.min / UNITS_PER_METER);
    this.minSource = source;
  }

  #answerKnown(points: PointChunk, at: number, stretch: number): void {
    const point = this.#point;
    point.latitudes[0] = points.latitudes[at]!;
    point.longitudes[0] = points.longitudes[at]!;
    for (let number = 0; number < FRAME_LENGTH; number++) {
      point.frames[number] = points.frames[at * FRAME_LENGTH + number]!;
    }
    this.answer.vertices[0] = stretch * 2;
    writeAnswers(this.#known.vertices, point, this.answer, 1);
    const meters = this.answer.answers[2]!;
    this.parts |= BY_KNOWN_WATER;
    this.distanceSource = this.#known.sources[stretch]!;
    this.accuracyMeters = this.#known.reaches[stretch]! / UNITS_PER_METER;
    this.minMeters = Math.min(this.minMeters, meters);
    this.maxMeters = Math.max(this.maxMeters, meters);
  }
}

/** Added to the reach where cells are marked: how far water may lie from a stretch, and half its length. */
const MAX_REACH_METERS = 15_000;

/** What searches of the same waters share. */
interface BuiltWaters {
  readonly known: ReachTree;
  readonly possible: ReachTree;
  /** Whether a cell of one degree has tidal water within reach. */
  readonly near: Uint8Array;
}

const builtOf = new WeakMap<TidalWaters, BuiltWaters>();

function build({ known, possible }: TidalWaters): BuiltWaters {
  const near = new Uint8Array(TABLE_COLUMNS * TABLE_ROWS);
  for (const { positions } of [...known, ...possible]) markNear(near, positions);
  return { known: new ReachTree(known), possible: new ReachTree(possible), near };
}

function markNear(near: Uint8Array, positions: Float64Array): void {
  const degrees = (REACH_METERS + MAX_REACH_METERS) / METERS_PER_DEGREE + 1 / 16;
  let [lastLongitude, lastLatitude] = [Number.NaN, Number.NaN];
  for (let at = 0; at < positions.length; at += 2) {
    // Neighbours mark the same cells: a sixteenth of a degree more covers all who share it.
    const longitude = Math.round(positions[at]! * 8) / 8;
    const latitude = Math.round(positions[at + 1]! * 8) / 8;
    if (longitude === lastLongitude && latitude === lastLatitude) continue;
    lastLongitude = longitude;
    lastLatitude = latitude;
    const aside = degrees / Math.max(0.05, Math.cos((Math.abs(latitude) + degrees) * RADIANS_PER_DEGREE));
    for (let row = rowOf(latitude - degrees); row <= rowOf(latitude + degrees); row++) {
      for (let column = Math.floor(longitude - aside); column <= Math.floor(longitude + aside); column++) {
        near[row * TABLE_COLUMNS + ((column + 180 + TABLE_COLUMNS) % TABLE_COLUMNS)] = 1;
      }
    }
  }
}

function headerOf(shoreline: Shoreline): ShorelineHeader {
  const { name, version, attribution, layerNames, shoreNames, water, accuracy, coverage } = shoreline;
  return { name, version, attribution, layerNames, shoreNames, water, accuracy, coverage };
}

function rowOf(latitude: number): number {
  return Math.min(TABLE_ROWS - 1, Math.max(0, Math.floor(latitude) + 90));
}

function cellOf(latitude: number, longitude: number): number {
  return rowOf(latitude) * TABLE_COLUMNS + ((Math.floor(longitude) + 180 + TABLE_COLUMNS) % TABLE_COLUMNS);
}
