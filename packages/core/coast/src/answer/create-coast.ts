import { CoastError } from '../coast-error.ts';
import type { GeographicPoint } from '../earth/geographic-point.ts';
import { type PointInput, toPoint } from '../earth/point-input.ts';
import type { CoastIndex } from '../search/coast-index.ts';
import { ANSWER_NUMBERS } from '../search/point-chunk.ts';
import type { ShoreSide } from '../search/shore-side.ts';
import {
  type CoastDefinition,
  type CoastDefinitionInput,
  definitionKey,
  layerNamesOf,
  toCoastDefinition,
  usualDefinition,
} from '../shoreline/coast-definition.ts';
import { type AccuracyTable, checkAccuracyTable } from '../shoreline/conflation.ts';
import { checkCovered, isCovered } from '../shoreline/coverage.ts';
import type { ShorelineHeader } from '../shoreline/shoreline.ts';
import { answerBatch, refuseUnanswered } from './answer-batch.ts';
import { type AnswerPlan, createAnswerPlan, type PlanInput } from './answer-plan.ts';
import type { Coast, CompactOptions, NearestManyOptions, WithinAnswer } from './coast.ts';
import { CoastAnswer } from './coast-answer.ts';
import { type CoastBatch, createCoastBatch } from './coast-batch.ts';
import { type CoastPoints, readPoints } from './coast-points.ts';
import { type CompactCoastBatch, createCompactBatch } from './compact-batch.ts';
import { checkMeters, Likelihood } from './likelihood.ts';
import { NO_SOURCE, ShoreChunk } from './shore-chunk.ts';
import { accuracyOf, distributionOf, type SourceSearch } from './source-search.ts';
import {
  BY_KNOWN_WATER,
  MAX_BY_KNOWN_WATER,
  MIN_BY_TIDAL_WATER,
  TidalSearch,
  type TidalWaters,
} from './tidal-waters.ts';

/** Two drawings of one coast. */
export interface CombinedSources {
  readonly preferred: CoastIndex;
  /** Has the shores that the preferred one lacks. */
  readonly check: CoastIndex;
  /** Accuracy of the classes of both; their segments then need classes. Without it the smaller radius of both headers applies. */
  readonly conflation?: AccuracyTable;
  /**
   * The check without classes, opened when it is first needed. It classifies the shores of oceans independently: where its distance
   * differs by more than its radius, the interval includes both.
   */
  readonly wholeCheck?: () => CoastIndex;
}

/**
 * Creates a coast from one index, or from two drawings of the same coast. @param tidalWaters lie beyond the shores of the indexes.
 * @example
 * const coast = createCoast(buildCoastIndex(shoreline));
 * coast.nearest({ latitude: 27.95, longitude: -82.46 }).distanceMeters;
 */
export function createCoast(source: CoastIndex | CombinedSources, tidalWaters?: TidalWaters): Coast {
  const tidal = tidalWaters && new TidalSearch(tidalWaters);
  if (!('preferred' in source)) {
    return new IndexedCoast({ indexes: [source], table: undefined, wholeCheck: undefined, tidal });
  }
  const { preferred, check, conflation, wholeCheck } = source;
  if (conflation !== undefined) checkAccuracyTable(conflation);
  return new IndexedCoast({ indexes: [preferred, check], table: conflation, wholeCheck, tidal });
}

class IndexedCoast implements Coast {
  readonly datasets: readonly ShorelineHeader[];
  readonly tidalWaters: readonly ShorelineHeader[];
  readonly #input: PlanInput;
  readonly #plans = new Map<string, AnswerPlan>();
  readonly #usual: CoastDefinition;
  readonly #chunk = new ShoreChunk(1);

  constructor(input: PlanInput) {
    this.datasets = input.indexes.map((index) => index.header);
    this.tidalWaters = input.tidal?.headers ?? [];
    this.#input = input;
    this.#usual = usualDefinition(input.indexes[0]!.header);
  }

  nearest(input: PointInput, definition: CoastDefinitionInput = this.#usual): CoastAnswer {
    const point = toPoint(input);
    const plan = this.#plan(definition);
    this.#search(point, plan);
    return this.#answer(point, plan);
  }

  nearestByEach(input: PointInput, definitions: readonly CoastDefinitionInput[]): CoastAnswer[] {
    return definitions.map((definition) => this.nearest(input, definition));
  }

  nearestSeveral(input: PointInput, count: number, definition: CoastDefinitionInput = this.#usual): CoastAnswer[] {
    if (!Number.isInteger(count) || count < 1) {
      throw new CoastError('invalid_option', `the ${count} nearest: expected a whole number, one or more`);
    }
    const point = toPoint(input);
    const plan = this.#plan(definition);
    this.#search(point, plan);
    const side = this.#chunk.sideOf(plan, 0);
    const isConflated = plan.sources.every(({ isByClass }) => isByClass);
    const searched = plan.sources.filter(
      ({ index }, number) =>
        number === this.#chunk.choices[0] ||
        (isConflated && isCovered(index.header.coverage, point.latitude, point.longitude)),
    );
    return searched
      .flatMap((source) => severalOf(source, point, plan.definition, side, count))
      .sort((one, other) => one.distanceMeters - other.distanceMeters)
      .slice(0, count);
  }

  within(input: PointInput, meters: number, definition: CoastDefinitionInput = this.#usual): WithinAnswer {
    checkMeters(meters);
    const { minMeters, maxMeters } = this.nearest(input, definition);
    if (maxMeters <= meters) return 'yes';
    return minMeters > meters ? 'no' : 'undecided';
  }

  nearestMany(points: CoastPoints, options?: NearestManyOptions): CoastBatch;
  nearestMany(points: CoastPoints, options: CompactOptions): CompactCoastBatch;
  nearestMany(
    points: CoastPoints,
    options: NearestManyOptions & { readonly compact?: boolean } = {},
  ): CoastBatch | CompactCoastBatch {
    const { definition = this.#usual, unanswered = 'throw', certainties = [], compact = false, batch } = options;
    checkManyOptions(options);
    const plan = this.#plan(definition);
    const columns = readPoints(points);
    const { length } = columns.latitudes;
    if (batch !== undefined && batch.statuses.length < length) {
      throw new CoastError(
        'invalid_option',
        `${length} points and a batch of ${batch.statuses.length} answers: give as many of each`,
      );
    }
    const names = () => [...this.datasets, ...this.tidalWaters].map(({ name }) => name);
    const into = compact
      ? createCompactBatch(length, names(), certainties)
      : (batch ?? createCoastBatch(length, { certainties }));
    answerBatch(plan, columns, into);
    if (unanswered === 'throw') refuseUnanswered(plan, columns, into.statuses);
    return into;
  }

  #plan(input: CoastDefinitionInput): AnswerPlan {
    const definition = toCoastDefinition(input);
    const key = definitionKey(definition);
    let plan = this.#plans.get(key);
    if (plan === undefined) {
      plan = createAnswerPlan(this.#input, definition);
      this.#plans.set(key, plan);
    }
    return plan;
  }

  /** Fills `#chunk`. Throws beyond the data. */
  #search(point: GeographicPoint, plan: AnswerPlan): void {
    const chunk = this.#chunk;
    chunk.points.latitudes[0] = point.latitude;
    chunk.points.longitudes[0] = point.longitude;
    chunk.search(plan, 1);
    if (chunk.choices[0] === NO_SOURCE) checkCovered(plan.sources[0]!.index.header, point);
  }

  /** Searches again. */
  #likelihood(point: GeographicPoint, plan: AnswerPlan, isInWater: boolean): Likelihood {
    this.#search(point, plan);
    const likelihood = new Likelihood();
    this.#chunk.addShores(plan, 0, likelihood);
    if (!isInWater) plan.tidal?.addWaters(this.#chunk.points, 0, this.#chunk.maxima[0]!, likelihood);
    return likelihood;
  }

  /** From `#chunk`. Points in the water are not changed by tidal waters. */
  #answer({ latitude, longitude }: GeographicPoint, plan: AnswerPlan): CoastAnswer {
    const chunk = this.#chunk;
    const choice = chunk.choices[0]!;
    const { index } = plan.sources[choice]!;
    const { header } = index;
    const { vertices, answers } = chunk.results[choice]!;
    const side = chunk.sideOf(plan, 0);
    const point = { latitude, longitude };
    const { tidal } = plan;
    const nameOf = (number: number): string => plan.sources[number]!.index.header.name;
    const fields = {
      point,
      coast: { latitude: answers[0]!, longitude: answers[1]! },
      distanceMeters: answers[2]!,
      azimuthDegrees: answers[3]!,
      definition: plan.definition,
      ...describeSegment(index, vertices[0]!),
      side,
      accuracyMeters: chunk.radii[0]!,
      minMeters: chunk.minima[0]!,
      maxMeters: chunk.maxima[0]!,
      decidedBy: {
        distance: header.name,
        min: nameOf(chunk.minChoices[0]!),
        max: nameOf(chunk.maxChoices[0]!),
      },
      isTidalRiverPossible: false,
      sources: this.#sourcesOf(plan),
    };
    const likelihood = () => this.#likelihood(point, plan, side === 'water');
    if (tidal === undefined || side === 'water') return new CoastAnswer(fields, likelihood);
    tidal.search(chunk.points, 0, fields.distanceMeters, fields.minMeters, fields.maxMeters);
    if (tidal.parts === 0) return new CoastAnswer(fields, likelihood);
    const waterOf = (part: number, source: number, otherwise: string): string =>
      (tidal.parts & part) === 0 ? otherwise : tidal.headers[source]!.name;
    fields.minMeters = tidal.minMeters;
    fields.maxMeters = tidal.maxMeters;
    fields.decidedBy = {
      distance: waterOf(BY_KNOWN_WATER, tidal.distanceSource, fields.decidedBy.distance),
      min: waterOf(MIN_BY_TIDAL_WATER, tidal.minSource, fields.decidedBy.min),
      max: waterOf(MAX_BY_KNOWN_WATER, tidal.maxSource, fields.decidedBy.max),
    };
    fields.isTidalRiverPossible = true;
    if ((tidal.parts & BY_KNOWN_WATER) !== 0) {
      const { name, version, attribution } = tidal.headers[tidal.distanceSource]!;
      const water = tidal.answer.answers;
      fields.coast = { latitude: water[0]!, longitude: water[1]! };
      fields.distanceMeters = water[2]!;
      fields.azimuthDegrees = water[3]!;
      fields.layers = [...plan.definition.layers];
      fields.dataset = { name, version, attribution };
      fields.accuracyMeters = tidal.accuracyMeters;
      fields.sources = [...fields.sources, { dataset: name, distanceMeters: water[2]! }];
    }
    return new CoastAnswer(fields, likelihood);
  }

  #sourcesOf({ sources }: AnswerPlan): { dataset: string; distanceMeters: number }[] {
    const list: { dataset: string; distanceMeters: number }[] = [];
    for (let number = 0; number < sources.length; number++) {
      const { vertices, answers } = this.#chunk.results[number]!;
      if (vertices[0]! < 0) continue;
      list.push({ dataset: sources[number]!.index.header.name, distanceMeters: answers[2]! });
    }
    return list;
  }
}

/** Segments that meet at a vertex can share their nearest point, so it searches for more. */
function severalOf(
  source: SourceSearch,
  point: GeographicPoint,
  definition: CoastDefinition,
  side: ShoreSide,
  count: number,
): CoastAnswer[] {
  for (let limit = count * 2; ; limit *= 2) {
    const segments = source.search.nearestSegments(point.latitude, point.longitude, limit);
    const answers = distinctAnswers(source, point, definition, side, segments);
    if (answers.length >= count || segments.length < limit) return answers.slice(0, count);
  }
}

function distinctAnswers(
  source: SourceSearch,
  point: GeographicPoint,
  definition: CoastDefinition,
  side: ShoreSide,
  segments: readonly number[],
): CoastAnswer[] {
  const answers: CoastAnswer[] = [];
  const places = new Set<string>();
  const out = new Float64Array(ANSWER_NUMBERS);
  const { name } = source.index.header;
  for (const vertex of segments) {
    source.search.answerAt(vertex, point.latitude, point.longitude, out, 0);
    const [latitude, longitude, distanceMeters, azimuthDegrees] = out;
    const place = `${latitude} ${longitude}`;
    if (places.has(place)) continue;
    places.add(place);
    const accuracyMeters = accuracyOf(source, vertex);
    const fields = {
      point: { latitude: point.latitude, longitude: point.longitude },
      coast: { latitude: latitude!, longitude: longitude! },
      distanceMeters: distanceMeters!,
      azimuthDegrees: azimuthDegrees!,
      definition,
      ...describeSegment(source.index, vertex),
      side,
      accuracyMeters,
      minMeters: Math.max(0, distanceMeters! - accuracyMeters),
      maxMeters: distanceMeters! + accuracyMeters,
      decidedBy: { distance: name, min: name, max: name },
      isTidalRiverPossible: false,
      sources: [{ dataset: name, distanceMeters: distanceMeters! }],
    };
    const distribution = distributionOf(source, vertex, accuracyMeters);
    answers.push(new CoastAnswer(fields, () => new Likelihood().add(fields.distanceMeters, distribution)));
  }
  return answers;
}

function describeSegment({ header, lines }: CoastIndex, vertex: number) {
  const { name, version, attribution, shoreNames } = header;
  return {
    layers: layerNamesOf(header, lines.layers[vertex]!),
    shore: shoreNames[lines.shores[vertex]!]!,
    dataset: { name, version, attribution },
  };
}

const OPTIONS = ['definition', 'unanswered', 'certainties', 'compact', 'batch'];

/** Also refuses two columns as two arguments. */
function checkManyOptions(options: NearestManyOptions & { readonly compact?: boolean }): void {
  const invalid = (message: string) => new CoastError('invalid_option', `nearestMany: ${message}`);
  if (typeof options !== 'object' || options === null || ArrayBuffer.isView(options) || Array.isArray(options)) {
    throw invalid('the second argument has to be an object of options; pass points as { latitudes, longitudes }');
  }
  const unknown = Object.keys(options).find((key) => !OPTIONS.includes(key));
  if (unknown !== undefined) throw invalid(`there is no option ${JSON.stringify(unknown)}; use ${OPTIONS.join(', ')}`);
  const { unanswered, certainties, compact, batch } = options;
  if (unanswered !== undefined && unanswered !== 'throw' && unanswered !== 'mark') {
    throw invalid(`unanswered is ${JSON.stringify(unanswered)}; use 'throw' or 'mark'`);
  }
  if (batch === undefined) return;
  if (compact === true) throw invalid('a batch cannot be compact: omit batch or compact');
  if (certainties !== undefined) throw invalid('certainties belong to the batch: pass them to createCoastBatch');
}
