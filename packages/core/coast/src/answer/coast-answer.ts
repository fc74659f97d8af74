import type { GeographicPoint } from '../earth/geographic-point.ts';
import type { ShoreSide } from '../search/shore-side.ts';
import type { CoastDefinition } from '../shoreline/coast-definition.ts';
import { ErrorDistribution } from './error-distribution.ts';
import { checkCertainty, checkMeters, type DistanceInterval, Likelihood } from './likelihood.ts';

/** The data of an answer. */
export interface CoastAnswerFields {
  readonly point: GeographicPoint;
  readonly coast: GeographicPoint;
  /** On WGS84. */
  readonly distanceMeters: number;
  /** At the point, clockwise from north in [0, 360); 0 if the distance is 0. */
  readonly azimuthDegrees: number;
  readonly definition: CoastDefinition;
  readonly layers: readonly string[];
  /** For example `Gulf`. */
  readonly shore: string;
  /** For the water of the definition: a bay is not in the water of the ocean. */
  readonly side: ShoreSide;
  readonly dataset: CoastDataset;
  /** Radius (95 %) of the drawn line that answers. */
  readonly accuracyMeters: number;
  /**
   * The true distance is between `minMeters` and `maxMeters` in about 95 % of cases; the data's publisher states the measured share.
   * Includes all sources, so it is often not symmetric.
   */
  readonly minMeters: number;
  readonly maxMeters: number;
  /** Names of datasets. */
  readonly decidedBy: { readonly distance: string; readonly min: string; readonly max: string };
  /** Tidal waters beyond the shores changed the answer: a river, a gauge, or a link between gauges. */
  readonly isTidalRiverPossible: boolean;
  /** By each dataset. */
  readonly sources: readonly CoastSource[];
}

/** The dataset of an answer. */
export interface CoastDataset {
  readonly name: string;
  readonly version: string;
  readonly attribution: string;
}

/** The distance by one dataset alone. */
export interface CoastSource {
  readonly dataset: string;
  readonly distanceMeters: number;
}

/**
 * The nearest point of the shore. Its data are own properties: JSON, `structuredClone` and a spread copy them, tests compare them. The
 * methods are on the prototype, because a clone with functions would throw; TypeScript rejects a spread copy as an answer. Use `with`.
 */
export class CoastAnswer implements CoastAnswerFields {
  readonly point: GeographicPoint;
  readonly coast: GeographicPoint;
  readonly distanceMeters: number;
  readonly azimuthDegrees: number;
  readonly definition: CoastDefinition;
  readonly layers: readonly string[];
  readonly shore: string;
  readonly side: ShoreSide;
  readonly dataset: CoastDataset;
  readonly accuracyMeters: number;
  readonly minMeters: number;
  readonly maxMeters: number;
  readonly decidedBy: CoastAnswerFields['decidedBy'];
  readonly isTidalRiverPossible: boolean;
  readonly sources: readonly CoastSource[];
  /** Computed when it is first needed: it searches again. */
  #likelihood: Likelihood | (() => Likelihood);

  constructor(fields: CoastAnswerFields, likelihood: Likelihood | (() => Likelihood)) {
    this.point = fields.point;
    this.coast = fields.coast;
    this.distanceMeters = fields.distanceMeters;
    this.azimuthDegrees = fields.azimuthDegrees;
    this.definition = fields.definition;
    this.layers = fields.layers;
    this.shore = fields.shore;
    this.side = fields.side;
    this.dataset = fields.dataset;
    this.accuracyMeters = fields.accuracyMeters;
    this.minMeters = fields.minMeters;
    this.maxMeters = fields.maxMeters;
    this.decidedBy = fields.decidedBy;
    this.isTidalRiverPossible = fields.isTidalRiverPossible;
    this.sources = fields.sources;
    this.#likelihood = likelihood;
  }

  /**
   * Returns the probability that the true distance is at most `meters`: 0 if negative, at most 0.05 below `minMeters`, at least 0.95 from
   * `maxMeters` on. @throws CoastError `invalid_option`.
   */
  probabilityWithin(meters: number): number {
    checkMeters(meters);
    return this.#getLikelihood().probabilityWithin(meters, this);
  }

  /**
   * Returns one-sided bounds: the distance is at most `maxMeters` with this certainty, and at least `minMeters` with this certainty.
   * @param certainty 0.5 or more, and less than 1. @throws CoastError `invalid_option`.
   */
  intervalAt(certainty: number): DistanceInterval {
    checkCertainty(certainty);
    return this.#getLikelihood().intervalAt(certainty, this);
  }

  /** Returns a copy with other fields. The probabilities of the copy agree with the new interval. */
  with(changes: Partial<CoastAnswerFields>): CoastAnswer {
    return new CoastAnswer({ ...this, ...changes }, this.#likelihood);
  }

  #getLikelihood(): Likelihood {
    if (typeof this.#likelihood === 'function') this.#likelihood = this.#likelihood();
    return this.#likelihood;
  }
}

/**
 * Creates an answer from data, for example of another search. Its probabilities follow from `distanceMeters` and `accuracyMeters`.
 * @example
 * createCoastAnswer(structuredClone(fields)).probabilityWithin(300);
 */
export function createCoastAnswer(fields: CoastAnswerFields): CoastAnswer {
  const { distanceMeters, accuracyMeters } = fields;
  return new CoastAnswer(fields, () =>
    new Likelihood().add(distanceMeters, ErrorDistribution.ofRadius(accuracyMeters)),
  );
}
