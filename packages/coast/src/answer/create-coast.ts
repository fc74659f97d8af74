import { CoastError } from '../coast-error.ts';
import { FRAME_LENGTH, writeFrame } from '../earth/ellipsoid.ts';
import { checkPoint, type GeographicPoint } from '../earth/geographic-point.ts';
import type { CoastIndex } from '../search/coast-index.ts';
import { ANSWER_NUMBERS } from '../search/point-chunk.ts';
import { type ShoreSide, shoreSide } from '../search/shore-side.ts';
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
import { checkCombinationRule, combinedAccuracyMeters, preferredAnswers } from './combine-sources.ts';
import { accuracyOf, type SourceSearch } from './source-search.ts';

/** Two independent shorelines and the rule by which they give one answer. */
export interface CombinedSources {
  readonly preferred: CoastIndex;
  readonly check: CoastIndex;
  /** One rule for all, or one for each definition: an ocean's shore may err otherwise than a bay's. */
  readonly rule: CombinationRule | RuleOfDefinition;
}

/** Answers from one index, or from two by a rule of combination. */
export function createCoast(source: CoastIndex | CombinedSources): Coast {
  if (!('preferred' in source)) return new IndexedCoast([source], undefined);
  const { preferred, check, rule } = source;
  if (typeof rule === 'function') return new IndexedCoast([preferred, check], rule);
  checkCombinationRule(rule);
  return new IndexedCoast([preferred, check], () => rule);
}

class IndexedCoast implements Coast {
  readonly datasets: readonly ShorelineHeader[];
  readonly #indexes: readonly CoastIndex[];
  readonly #ruleOf: RuleOfDefinition | undefined;
  readonly #plans = new Map<string, AnswerPlan>();
  readonly #usual: CoastDefinition;
  /** The numbers of two sources' answers, and the segments they found. */
  readonly #out = new Float64Array(2 * ANSWER_NUMBERS);
  readonly #vertices = new Int32Array(2);
  readonly #frame = new Float64Array(FRAME_LENGTH);

  constructor(indexes: readonly CoastIndex[], ruleOf: RuleOfDefinition | undefined) {
    this.datasets = indexes.map((index) => index.header);
    this.#indexes = indexes;
    this.#ruleOf = ruleOf;
    this.#usual = usualDefinition(indexes[0]!.header);
  }

  nearest(point: GeographicPoint, definition: CoastDefinitionInput = this.#usual): CoastAnswer {
    checkPoint(point);
    const plan = this.#plan(definition);
    return this.#answer(point, plan, this.#choose(point, plan));
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
    // Segments that meet at the nearest vertex have one nearest point: twice as many are wanted, or more.
    for (let wanted = count * 2; ; wanted *= 2) {
      const segments = search.nearestSegments(point.latitude, point.longitude, wanted);
      const answers = this.#distinctAnswers(point, plan, segments);
      if (answers.length >= count || segments.length < wanted) return answers.slice(0, count);
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
      plan = createAnswerPlan(this.#indexes, this.#ruleOf, definition);
      this.#plans.set(key, plan);
    }
    return plan;
  }

  /** Asks the sources that cover a point, and says which one answers: its numbers stand in `#out` from `offset` on. */
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
    if (preferredAnswers(rule, preferredMeters, checkMeters)) return { ...first, accuracyMeters };
    return { source: check, vertex: this.#vertices[1]!, offset: ANSWER_NUMBERS, covering, accuracyMeters };
  }

  /** The answers that some segments of the chosen source give, each point once. */
  #distinctAnswers(point: GeographicPoint, plan: AnswerPlan, segments: readonly number[]): CoastAnswer[] {
    const { source } = this.#choose(point, plan);
    const answers: CoastAnswer[] = [];
    const seen = new Set<string>();
    for (const vertex of segments) {
      source.search.answerAt(vertex, point.latitude, point.longitude, this.#out, 0);
      const place = `${this.#out[0]} ${this.#out[1]}`;
      if (seen.has(place)) continue;
      seen.add(place);
      answers.push(this.#answer(point, plan, { source, vertex, offset: 0, covering: [source] }));
    }
    return answers;
  }

  #answer(point: GeographicPoint, { definition }: AnswerPlan, choice: Choice): CoastAnswer {
    const { source, vertex, offset, covering } = choice;
    const { header, lines } = source.index;
    const layers = lines.layers[vertex]!;
    const accuracyMeters = choice.accuracyMeters ?? accuracyOf(source, vertex);
    writeFrame(this.#frame, point.latitude, point.longitude);
    return {
      point: { latitude: point.latitude, longitude: point.longitude },
      coast: { latitude: this.#out[offset]!, longitude: this.#out[offset + 1]! },
      distanceMeters: this.#out[offset + 2]!,
      azimuthDegrees: this.#out[offset + 3]!,
      definition,
      layers: layerNamesOf(header, layers),
      shore: header.shoreNames[lines.shores[vertex]!]!,
      side: this.#side(choice, accuracyMeters),
      precision: 'segment',
      dataset: { name: header.name, version: header.version, attribution: header.attribution },
      accuracyMeters,
      sources: covering.map(({ index }, at) => ({
        dataset: index.header.name,
        distanceMeters: this.#out[at * ANSWER_NUMBERS + 2]!,
      })),
    };
  }

  /**
   * The side of the shore of the source that answers. Land of a work that lacks a bay is water where the other work says so
   * from a shore as near, and neither shore is within the radius of accuracy.
   */
  #side({ source, vertex, covering }: Choice, accuracyMeters: number): ShoreSide {
    const side = this.#sideBy(source, vertex);
    const other = covering.findIndex((each) => each !== source);
    if (side !== 'land' || other < 0) return side;
    const ownMeters = this.#out[(1 - other) * ANSWER_NUMBERS + 2]!;
    const otherMeters = this.#out[other * ANSWER_NUMBERS + 2]!;
    if (otherMeters > ownMeters || otherMeters <= accuracyMeters) return side;
    return this.#sideBy(covering[other]!, this.#vertices[other]!) === 'water' ? 'water' : side;
  }

  /** Of the frame's point. */
  #sideBy({ index: { header, lines } }: SourceSearch, vertex: number): ShoreSide {
    return shoreSide(lines, header.water, vertex, this.#frame[0]!, this.#frame[1]!, this.#frame[2]!);
  }
}

/** Which source answers, with which segment. */
interface Choice {
  readonly source: SourceSearch;
  readonly vertex: number;
  readonly offset: number;
  readonly covering: readonly SourceSearch[];
  /** Given where two sources tell it by their disagreement. */
  readonly accuracyMeters?: number;
}
