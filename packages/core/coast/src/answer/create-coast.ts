import { CoastError } from '../coast-error.ts';
import { checkPoint, type GeographicPoint } from '../earth/geographic-point.ts';
import type { CoastIndex } from '../search/coast-index.ts';
import { ANSWER_NUMBERS, PointChunk } from '../search/point-chunk.ts';
import type { ShoreSide } from '../search/shore-side.ts';
import {
  type CoastDefinition,
  type CoastDefinitionInput,
  definitionKey,
  layerNamesOf,
  toCoastDefinition,
  usualDefinition,
} from '../shoreline/coast-definition.ts';
import { checkCovered, isCovered } from '../shoreline/coverage.ts';
import type { CombinationRule, ShorelineHeader } from '../shoreline/shoreline.ts';
import { answerBatch } from './answer-batch.ts';
import { type AnswerPlan, createAnswerPlan, type RuleOfDefinition } from './answer-plan.ts';
import type { Coast, CoastAnswer } from './coast.ts';
import type { CoastBatch } from './coast-batch.ts';
import { checkCombinationRule, combinedAccuracyMeters, isPreferred } from './combine-sources.ts';
import { pointSide } from './point-side.ts';
import { accuracyOf, type SourceSearch } from './source-search.ts';
import {
  BY_KNOWN_WATER,
  MAX_BY_KNOWN_WATER,
  MIN_BY_TIDAL_WATER,
  TidalSearch,
  type TidalWaters,
} from './tidal-waters.ts';

/** Two independent shorelines and their rule. */
export interface CombinedSources {
  readonly preferred: CoastIndex;
  readonly check: CoastIndex;
  /** Or a function that returns the rule for a definition. */
  readonly rule: CombinationRule | RuleOfDefinition;
}

/**
 * Creates a coast from one index, or from two with a rule. @param tidalWaters lie beyond the shores of the indexes.
 * @example
 * const coast = createCoast(buildCoastIndex(shoreline));
 * coast.nearest({ latitude: 27.95, longitude: -82.46 }).distanceMeters;
 */
export function createCoast(source: CoastIndex | CombinedSources, tidalWaters?: TidalWaters): Coast {
  if (!('preferred' in source)) return new IndexedCoast([source], undefined, tidalWaters);
  const { preferred, check, rule } = source;
  if (typeof rule === 'function') return new IndexedCoast([preferred, check], rule, tidalWaters);
  checkCombinationRule(rule);
  return new IndexedCoast([preferred, check], () => rule, tidalWaters);
}

class IndexedCoast implements Coast {
  readonly datasets: readonly ShorelineHeader[];
  readonly tidalWaters: readonly ShorelineHeader[];
  readonly #tidal: TidalSearch | undefined;
  readonly #indexes: readonly CoastIndex[];
  readonly #ruleOf: RuleOfDefinition | undefined;
  readonly #plans = new Map<string, AnswerPlan>();
  readonly #usual: CoastDefinition;
  readonly #out = new Float64Array(2 * ANSWER_NUMBERS);
  readonly #vertices = new Int32Array(2);
  readonly #point = new PointChunk(1);

  constructor(
    indexes: readonly CoastIndex[],
    ruleOf: RuleOfDefinition | undefined,
    tidalWaters: TidalWaters | undefined,
  ) {
    this.datasets = indexes.map((index) => index.header);
    this.#tidal = tidalWaters && new TidalSearch(tidalWaters);
    this.tidalWaters = this.#tidal?.headers ?? [];
    this.#indexes = indexes;
    this.#ruleOf = ruleOf;
    this.#usual = usualDefinition(indexes[0]!.header);
  }

  nearest(point: GeographicPoint, definition: CoastDefinitionInput = this.#usual): CoastAnswer {
    checkPoint(point);
    const plan = this.#plan(definition);
    return this.#withTidalWaters(this.#answer(point, plan, this.#choose(point, plan)), plan);
  }

  nearestByEach(point: GeographicPoint, definitions: readonly CoastDefinitionInput[]): CoastAnswer[] {
    return definitions.map((definition) => this.nearest(point, definition));
  }

  nearestSeveral(point: GeographicPoint, count: number, definition: CoastDefinitionInput = this.#usual): CoastAnswer[] {
    if (!Number.isInteger(count) || count < 1) {
      throw new CoastError('invalid_option', `the ${count} nearest: expected a whole number, one or more`);
    }
    checkPoint(point);
    const plan = this.#plan(definition);
    const { search } = this.#choose(point, plan).source;
    // Segments that meet at a vertex can share their nearest point, so search for more.
    for (let limit = count * 2; ; limit *= 2) {
      const segments = search.nearestSegments(point.latitude, point.longitude, limit);
      const answers = this.#distinctAnswers(point, plan, segments);
      if (answers.length >= count || segments.length < limit) return answers.slice(0, count);
    }
  }

  nearestMany(
    latitudes: Float64Array,
    longitudes: Float64Array,
    batch: CoastBatch,
    definition: CoastDefinitionInput = this.#usual,
  ): void {
    answerBatch(this.#plan(definition), latitudes, longitudes, batch);
  }

  #plan(input: CoastDefinitionInput): AnswerPlan {
    const definition = toCoastDefinition(input);
    const key = definitionKey(definition);
    let plan = this.#plans.get(key);
    if (plan === undefined) {
      plan = createAnswerPlan(this.#indexes, this.#ruleOf, definition, this.#tidal);
      this.#plans.set(key, plan);
    }
    return plan;
  }

  #choose(point: GeographicPoint, { sources, rule }: AnswerPlan): Choice {
    const { latitude, longitude } = point;
    const covering = sources.filter(({ index }) => isCovered(index.header.coverage, latitude, longitude));
    if (covering.length === 0) checkCovered(sources[0]!.index.header, point);
    covering.forEach(({ search }, at) => {
      this.#vertices[at] = search.nearest(latitude, longitude, this.#out, at * ANSWER_NUMBERS);
    });
    const [preferred, check] = covering;
    const first = { source: preferred!, vertex: this.#vertices[0]!, offset: 0, covering };
    if (check === undefined || rule === undefined) return first;
    const preferredMeters = this.#out[2]!;
    const checkMeters = this.#out[ANSWER_NUMBERS + 2]!;
    const accuracyMeters = combinedAccuracyMeters(rule, preferredMeters, checkMeters);
    if (isPreferred(rule, preferredMeters, checkMeters)) return { ...first, accuracyMeters };
    return { source: check, vertex: this.#vertices[1]!, offset: ANSWER_NUMBERS, covering, accuracyMeters };
  }

  #distinctAnswers(point: GeographicPoint, plan: AnswerPlan, segments: readonly number[]): CoastAnswer[] {
    const { source } = this.#choose(point, plan);
    const answers: CoastAnswer[] = [];
    const places = new Set<string>();
    for (const vertex of segments) {
      source.search.answerAt(vertex, point.latitude, point.longitude, this.#out, 0);
      const place = `${this.#out[0]} ${this.#out[1]}`;
      if (places.has(place)) continue;
      places.add(place);
      answers.push(this.#answer(point, plan, { source, vertex, offset: 0, covering: [source] }));
    }
    return answers;
  }

  #answer(point: GeographicPoint, { definition }: AnswerPlan, choice: Choice): CoastAnswer {
    const { source, vertex, offset, covering } = choice;
    const { header, lines } = source.index;
    const layers = lines.layers[vertex]!;
    const accuracyMeters = choice.accuracyMeters ?? accuracyOf(source, vertex);
    const distanceMeters = this.#out[offset + 2]!;
    return {
      point: { latitude: point.latitude, longitude: point.longitude },
      coast: { latitude: this.#out[offset]!, longitude: this.#out[offset + 1]! },
      distanceMeters,
      azimuthDegrees: this.#out[offset + 3]!,
      definition,
      layers: layerNamesOf(header, layers),
      shore: header.shoreNames[lines.shores[vertex]!]!,
      side: this.#side(point, choice),
      dataset: { name: header.name, version: header.version, attribution: header.attribution },
      accuracyMeters,
      minMeters: Math.max(0, distanceMeters - accuracyMeters),
      maxMeters: distanceMeters + accuracyMeters,
      decidedBy: { distance: header.name, min: header.name, max: header.name },
      isTidalRiverPossible: false,
      sources: covering.map(({ index }, at) => ({
        dataset: index.header.name,
        distanceMeters: this.#out[at * ANSWER_NUMBERS + 2]!,
      })),
    };
  }

  #side(point: GeographicPoint, { source, vertex, covering }: Choice): ShoreSide {
    this.#point.latitudes[0] = point.latitude;
    this.#point.longitudes[0] = point.longitude;
    this.#point.frame(1);
    const at = covering.findIndex((each) => each !== source);
    const other = at < 0 ? undefined : { source: covering[at]!, vertex: this.#vertices[at]! };
    const { frames } = this.#point;
    return pointSide({ source, vertex }, other, frames[0]!, frames[1]!, frames[2]!);
  }

  /** Unless the point is in the water. */
  #withTidalWaters(answer: CoastAnswer, { tidal }: AnswerPlan): CoastAnswer {
    if (tidal === undefined || answer.side === 'water') return answer;
    tidal.search(this.#point, 0, answer.distanceMeters, answer.accuracyMeters);
    if (tidal.parts === 0) return answer;
    const { decidedBy } = answer;
    const nameOf = (part: number, source: number, otherwise: string): string =>
      (tidal.parts & part) === 0 ? otherwise : tidal.headers[source]!.name;
    const changed: CoastAnswer = {
      ...answer,
      minMeters: tidal.minMeters,
      maxMeters: tidal.maxMeters,
      decidedBy: {
        distance: nameOf(BY_KNOWN_WATER, tidal.distanceSource, decidedBy.distance),
        min: nameOf(MIN_BY_TIDAL_WATER, tidal.minSource, decidedBy.min),
        max: nameOf(MAX_BY_KNOWN_WATER, tidal.maxSource, decidedBy.max),
      },
      isTidalRiverPossible: true,
    };
    if ((tidal.parts & BY_KNOWN_WATER) === 0) return changed;
    const { name, version, attribution } = tidal.headers[tidal.distanceSource]!;
    const { answers } = tidal.answer;
    return {
      ...changed,
      coast: { latitude: answers[0]!, longitude: answers[1]! },
      distanceMeters: answers[2]!,
      azimuthDegrees: answers[3]!,
      layers: [...answer.definition.layers],
      dataset: { name, version, attribution },
      accuracyMeters: tidal.accuracyMeters,
      sources: [...answer.sources, { dataset: name, distanceMeters: answers[2]! }],
    };
  }
}

interface Choice {
  readonly source: SourceSearch;
  readonly vertex: number;
  readonly offset: number;
  readonly covering: readonly SourceSearch[];
  readonly accuracyMeters?: number;
}
