/**
 * Tidal waters beyond the drawn shores: rivers, gauges and links between gauges.
 *
 * The shores answer with a distance d and an interval. With R a known tidal water (error eR) and P a possible one (error eP):
 *
 *     distance = min(d, dR)    max = min(max, dR + eR)    min = max(0, min(min, dR − eR, dP − eP))
 *
 * Known and possible waters are in two `ReachTree`s. A table of cells of one degree rejects most points at once. Points in the water are
 * not changed.
 */
import { FRAME_LENGTH, RADIANS_PER_DEGREE, UNITS_PER_METER } from '../earth/ellipsoid.ts';
import { TABLE_COLUMNS, TABLE_ROWS } from '../search/candidate-tree.ts';
import { AnswerChunk, PointChunk } from '../search/point-chunk.ts';
import { ReachSearch, ReachTree } from '../search/reach-tree.ts';
import { writeAnswers } from '../search/shore-answer.ts';
import type { CoastDefinition } from '../shoreline/coast-definition.ts';
import type { Shoreline, ShorelineHeader } from '../shoreline/shoreline.ts';
import { ErrorDistribution } from './error-distribution.ts';
import type { Likelihood } from './likelihood.ts';

/**
 * The accuracy of a layer is the error of its segments, and the probability that they are tidal water. A segment of length zero is a
 * single place.
 */
export interface TidalWaters {
  /** Gauges, rivers below them: the coast, if nearer than the shore. */
  readonly certain: readonly Shoreline[];
  /** Only lowers the minimum. */
  readonly possible: readonly Shoreline[];
}

const TIDAL_LAYER = 'tidal';

/** 31 miles; limits in rules end at 25. */
const REACH_METERS = 50_000;
const METERS_PER_DEGREE = 110_000;

/** Bits of `TidalSearch.parts`: what tidal waters changed. */
export const BY_KNOWN_WATER = 1;
export const MIN_BY_TIDAL_WATER = 2;
export const MAX_BY_KNOWN_WATER = 4;

/** The fields hold the result until the next search. */
export class TidalSearch {
  readonly headers: readonly ShorelineHeader[];
  parts = 0;
  minMeters = 0;
  maxMeters = 0;
  /** Valid if `BY_KNOWN_WATER` is set. */
  readonly answer = new AnswerChunk(1);
  accuracyMeters = 0;
  distanceSource = -1;
  minSource = -1;
  maxSource = -1;
  readonly #knownTree: ReachTree;
  readonly #possibleTree: ReachTree;
  readonly #knownCount: number;
  readonly #near: Uint8Array;
  readonly #state = new ReachSearch();
  readonly #point = new PointChunk(1);

  constructor(waters: TidalWaters) {
    this.headers = [...waters.certain, ...waters.possible].map(headerOf);
    this.#knownCount = waters.certain.length;
    const built = builtOf.get(waters) ?? build(waters);
    builtOf.set(waters, built);
    this.#knownTree = built.certain;
    this.#possibleTree = built.possible;
    this.#near = built.near;
  }

  static belongsTo({ layers }: CoastDefinition): boolean {
    return layers.includes(TIDAL_LAYER);
  }

  /** False if none can be within reach. */
  isNear(latitude: number, longitude: number): boolean {
    return this.#near[cellOf(latitude, longitude)] === 1;
  }

  /** Tidal water that changes the answer of point `at`, whose frame is set. */
  search(points: PointChunk, at: number, shoreMeters: number, minMeters: number, maxMeters: number): void {
    this.parts = 0;
    if (!this.isNear(points.latitudes[at]!, points.longitudes[at]!)) return;
    const frame = at * FRAME_LENGTH;
    const [px, py, pz] = [points.frames[frame]!, points.frames[frame + 1]!, points.frames[frame + 2]!];
    this.minMeters = minMeters;
    this.maxMeters = maxMeters;
    const state = this.#state;
    state.distance = Math.min(shoreMeters, REACH_METERS) * UNITS_PER_METER;
    state.min = Math.min(this.minMeters, REACH_METERS) * UNITS_PER_METER;
    state.max = Math.min(this.maxMeters, REACH_METERS) * UNITS_PER_METER;
    state.distanceBy = state.minBy = state.maxBy = -1;
    this.#knownTree.search(px, py, pz, state);
    const { distanceBy, maxBy } = state;
    if (state.minBy >= 0) this.#lowerMin(this.#knownTree.sources[state.minBy]!);
    if (maxBy >= 0) {
      this.parts |= MAX_BY_KNOWN_WATER;
      this.maxMeters = state.max / UNITS_PER_METER;
      this.maxSource = this.#knownTree.sources[maxBy]!;
    }
    if (state.min > 0) {
      state.distance = state.max = Number.NEGATIVE_INFINITY;
      state.minBy = -1;
      this.#possibleTree.search(px, py, pz, state);
      if (state.minBy >= 0) this.#lowerMin(this.#knownCount + this.#possibleTree.sources[state.minBy]!);
    }
    if (distanceBy >= 0) this.#answerKnown(points, at, distanceBy);
  }

  /** Adds the nearest water of each layer: stretches of one river are not independent. */
  addWaters(points: PointChunk, at: number, maxMeters: number, likelihood: Likelihood): void {
    if (!this.isNear(points.latitudes[at]!, points.longitudes[at]!)) return;
    const frame = at * FRAME_LENGTH;
    const [px, py, pz] = [points.frames[frame]!, points.frames[frame + 1]!, points.frames[frame + 2]!];
    const bound = Math.min(maxMeters, REACH_METERS) * UNITS_PER_METER;
    for (const tree of [this.#knownTree, this.#possibleTree]) {
      const distances = tree.nearestOfGroups(px, py, pz, bound);
      tree.groups.forEach(({ reachMeters, probability }, group) => {
        const distance = distances[group]!;
        if (distance >= bound) return;
        likelihood.add(distance / UNITS_PER_METER, ErrorDistribution.ofRadius(reachMeters), probability);
      });
    }
  }

  #lowerMin(source: number): void {
    this.parts |= MIN_BY_TIDAL_WATER;
    this.minMeters = Math.max(0, this.#state.min / UNITS_PER_METER);
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
    writeAnswers(this.#knownTree.vertices, point, this.answer, 1);
    const meters = this.answer.answers[2]!;
    this.parts |= BY_KNOWN_WATER;
    this.distanceSource = this.#knownTree.sources[stretch]!;
    this.accuracyMeters = this.#knownTree.reaches[stretch]! / UNITS_PER_METER;
    this.minMeters = Math.min(this.minMeters, meters);
    this.maxMeters = Math.max(this.maxMeters, meters);
  }
}

/** Upper bound of a segment's error plus half its length. */
const MAX_REACH_METERS = 15_000;

interface BuiltWaters {
  readonly certain: ReachTree;
  readonly possible: ReachTree;
  readonly near: Uint8Array;
}

const builtOf = new WeakMap<TidalWaters, BuiltWaters>();

function build(waters: TidalWaters): BuiltWaters {
  const near = new Uint8Array(TABLE_COLUMNS * TABLE_ROWS);
  for (const { positions } of [...waters.certain, ...waters.possible]) markNear(near, positions);
  return { certain: new ReachTree(waters.certain), possible: new ReachTree(waters.possible), near };
}

function markNear(near: Uint8Array, positions: Float64Array): void {
  const degrees = (REACH_METERS + MAX_REACH_METERS) / METERS_PER_DEGREE + 1 / 16;
  let [lastLongitude, lastLatitude] = [Number.NaN, Number.NaN];
  for (let at = 0; at < positions.length; at += 2) {
    // Rounded to 1/8°, so that neighbours can be skipped; `degrees` includes the 1/16° of rounding.
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
