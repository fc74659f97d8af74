import type { Coast, CoastAnswer } from './coast.ts';
import { BATCH_ANSWERED, BATCH_INVALID_POINT, BATCH_OUTSIDE_COVERAGE, type CoastBatch } from './coast-batch.ts';
import {
  type CoastDefinition,
  type CoastDefinitionInput,
  checkDefinition,
  definitionKey,
  definitionName,
  layerNamesOf,
  toCoastDefinition,
  usualDefinition,
} from './coast-definition.ts';
import { CoastError } from './coast-error.ts';
import type { CoastIndex } from './coast-index.ts';
import { checkCombinationRule, combinedAccuracyMeters, preferredAnswers } from './combine-sources.ts';
import { FRAME_LENGTH, writeFrame } from './ellipsoid.ts';
import { checkCovered, checkPoint, type GeographicPoint, isCovered, isPoint } from './geographic-point.ts';
import { ANSWER_NUMBERS } from './shore-answer.ts';
import { CHUNK } from './shore-search.ts';
import { shoreSide } from './shore-side.ts';
import type { CombinationRule } from './shoreline.ts';
import { createSourceSearch, type SourceSearch } from './source-search.ts';

/** Two independent shorelines and the rule by which they give one answer. */
export interface CombinedSources {
  readonly preferred: CoastIndex;
  readonly check: CoastIndex;
  readonly rule: CombinationRule;
}

/** Answers from one index, or from two by a rule of combination. */
export function createCoast(source: CoastIndex | CombinedSources): Coast {
  if ('preferred' in source) {
    checkCombinationRule(source.rule);
    return new IndexedCoast([source.preferred, source.check], source.rule);
  }
  return new IndexedCoast([source], undefined);
}

class IndexedCoast implements Coast {
  readonly #indexes: readonly CoastIndex[];
  readonly #rule: CombinationRule | undefined;
  readonly #plans = new Map<string, readonly SourceSearch[]>();
  readonly #usual: CoastDefinition;
  readonly #out = new Float64Array(2 * ANSWER_NUMBERS);
  readonly #vertices = new Int32Array(2);
  readonly #frame = new Float64Array(FRAME_LENGTH);

  constructor(indexes: readonly CoastIndex[], rule: CombinationRule | undefined) {
    this.#indexes = indexes;
    this.#rule = rule;
    this.#usual = usualDefinition(indexes[0]!.header);
  }

  get datasets() {
    return this.#indexes.map((index) => index.header);
  }

  nearest(point: GeographicPoint, definition: CoastDefinitionInput = this.#usual): CoastAnswer {
    checkPoint(point);
    const asked = toCoastDefinition(definition);
    const sources = this.#coveringSources(asked, point);
    const { latitude, longitude } = point;
    sources.forEach((source, index) => {
      this.#vertices[index] = source.search.nearest(latitude, longitude, this.#out, index * ANSWER_NUMBERS);
    });
    const chosen = sources.length === 2 && !this.#preferredAnswers() ? 1 : 0;
    const answer = this.#answer(point, asked, sources[chosen]!, this.#vertices[chosen]!, chosen * ANSWER_NUMBERS);
    if (sources.length < 2) return answer;
    return {
      ...answer,
      accuracyMeters: combinedAccuracyMeters(this.#rule!, this.#out[2]!, this.#out[ANSWER_NUMBERS + 2]!),
      sources: sources.map((source, index) => ({
        dataset: source.index.header.name,
        distanceMeters: this.#out[index * ANSWER_NUMBERS + 2]!,
      })),
    };
  }

  nearestByEach(point: GeographicPoint, definitions: readonly CoastDefinitionInput[]): CoastAnswer[] {
    return definitions.map((definition) => this.nearest(point, definition));
  }

  nearestSeveral(point: GeographicPoint, count: number, definition: CoastDefinitionInput = this.#usual): CoastAnswer[] {
    if (!Number.isInteger(count) || count < 1) {
      throw new CoastError('invalid_option', `the ${count} nearest: expected a whole number, one or more`);
    }
    const asked = toCoastDefinition(definition);
    const nearest = this.nearest(point, asked);
    const source = this.#coveringSources(asked, point).find(({ index }) => index.header.name === nearest.dataset.name)!;
    // Segments that meet at the nearest vertex have one nearest point: twice as many are wanted, or more.
    for (let wanted = count * 2; ; wanted *= 2) {
      const segments = source.search.nearestSegments(point.latitude, point.longitude, wanted);
      const answers = this.#distinctAnswers(point, asked, source, segments);
      if (answers.length >= count || segments.length < wanted) return answers.slice(0, count);
    }
  }

  nearestMany(
    latitudes: Float64Array,
    longitudes: Float64Array,
    batch: CoastBatch,
    definition: CoastDefinitionInput = this.#usual,
  ): void {
    const length = latitudes.length;
    if (longitudes.length !== length || batch.statuses.length < length) {
      throw new CoastError(
        'invalid_option',
        `${length} latitudes, ${longitudes.length} longitudes and room for ${batch.statuses.length} answers: give as many of each`,
      );
    }
    const sources = this.#sources(toCoastDefinition(definition));
    for (let from = 0; from < length; from += CHUNK) {
      const count = Math.min(CHUNK, length - from);
      this.#checkChunk(sources, latitudes, longitudes, batch.statuses, from, count);
      for (const { search, chunk } of sources) {
        search.nearestChunk(latitudes, longitudes, from, count, batch.statuses, chunk.answers, chunk.vertices);
      }
      this.#gather(sources, batch, from, count);
    }
  }

  #distinctAnswers(
    point: GeographicPoint,
    definition: CoastDefinition,
    source: SourceSearch,
    segments: readonly number[],
  ): CoastAnswer[] {
    const answers: CoastAnswer[] = [];
    const seen = new Set<string>();
    for (const vertex of segments) {
      source.search.answerAt(vertex, point.latitude, point.longitude, this.#out, 0);
      const place = `${this.#out[0]} ${this.#out[1]}`;
      if (seen.has(place)) continue;
      seen.add(place);
      answers.push(this.#answer(point, definition, source, vertex, 0));
    }
    return answers;
  }

  /** Gives each point of a chunk its status, as far as the point itself decides it. */
  #checkChunk(
    sources: readonly SourceSearch[],
    latitudes: Float64Array,
    longitudes: Float64Array,
    statuses: Uint8Array,
    from: number,
    count: number,
  ): void {
    for (let at = from; at < from + count; at++) {
      const latitude = latitudes[at]!;
      const longitude = longitudes[at]!;
      let status = isPoint(latitude, longitude) ? BATCH_ANSWERED : BATCH_INVALID_POINT;
      if (status === BATCH_ANSWERED) {
        let covered = false;
        for (let source = 0; source < sources.length; source++) {
          const answers = isCovered(sources[source]!.index.header.coverage, latitude, longitude);
          sources[source]!.chunk.covered[at - from] = answers ? 1 : 0;
          covered ||= answers;
        }
        if (!covered) status = BATCH_OUTSIDE_COVERAGE;
      }
      statuses[at] = status;
    }
  }

  /** Chooses among the sources' answers of a chunk and copies them to the batch. */
  #gather(sources: readonly SourceSearch[], batch: CoastBatch, from: number, count: number): void {
    const rule = this.#rule;
    for (let index = 0; index < count; index++) {
      const at = from + index;
      if (batch.statuses[at] !== BATCH_ANSWERED) {
        batch.coastLatitudes[at] = Number.NaN;
        batch.coastLongitudes[at] = Number.NaN;
        batch.distancesMeters[at] = Number.NaN;
        batch.azimuthsDegrees[at] = Number.NaN;
        batch.accuraciesMeters[at] = Number.NaN;
        batch.sources[at] = 0;
        batch.segments[at] = -1;
        continue;
      }
      const number = index * ANSWER_NUMBERS;
      let source = sources[0]!;
      let accuracy = -1;
      if (sources.length === 2 && rule !== undefined) {
        const check = sources[1]!;
        if (source.chunk.covered[index] === 0) source = check;
        else if (check.chunk.covered[index] === 1) {
          const preferredMeters = source.chunk.answers[number + 2]!;
          const checkMeters = check.chunk.answers[number + 2]!;
          accuracy = combinedAccuracyMeters(rule, preferredMeters, checkMeters);
          if (!preferredAnswers(rule, preferredMeters, checkMeters)) source = check;
        }
      }
      const { answers, vertices } = source.chunk;
      const vertex = vertices[index]!;
      batch.coastLatitudes[at] = answers[number]!;
      batch.coastLongitudes[at] = answers[number + 1]!;
      batch.distancesMeters[at] = answers[number + 2]!;
      batch.azimuthsDegrees[at] = answers[number + 3]!;
      batch.accuraciesMeters[at] = accuracy >= 0 ? accuracy : source.accuracies[source.search.lines.layers[vertex]!]!;
      batch.sources[at] = source.number;
      batch.segments[at] = vertex;
    }
  }

  /** The searches that can answer a definition, the preferred one first. */
  #sources(definition: CoastDefinition): readonly SourceSearch[] {
    const key = definitionKey(definition);
    let sources = this.#plans.get(key);
    if (sources === undefined) {
      checkDefinition(this.datasets, definition);
      sources = this.#indexes
        .map((index, number) => createSourceSearch(index, number, definition))
        .filter((source) => source !== undefined);
      if (sources.length === 0) {
        throw new CoastError(
          'no_shore',
          `${this.#names()} has no shore of ${definitionName(definition)}: ask for another layer`,
        );
      }
      this.#plans.set(key, sources);
    }
    return sources;
  }

  #coveringSources(definition: CoastDefinition, point: GeographicPoint): readonly SourceSearch[] {
    const sources = this.#sources(definition);
    const covering = sources.filter(({ index }) => isCovered(index.header.coverage, point.latitude, point.longitude));
    if (covering.length === 0) checkCovered(sources[0]!.index.header, point);
    return covering;
  }

  #preferredAnswers(): boolean {
    return preferredAnswers(this.#rule!, this.#out[2]!, this.#out[ANSWER_NUMBERS + 2]!);
  }

  #answer(
    point: GeographicPoint,
    definition: CoastDefinition,
    source: SourceSearch,
    vertex: number,
    offset: number,
  ): CoastAnswer {
    const { header, lines } = source.index;
    const layers = lines.layers[vertex]!;
    writeFrame(this.#frame, point.latitude, point.longitude);
    return {
      point: { latitude: point.latitude, longitude: point.longitude },
      coast: { latitude: this.#out[offset]!, longitude: this.#out[offset + 1]! },
      distanceMeters: this.#out[offset + 2]!,
      azimuthDegrees: this.#out[offset + 3]!,
      definition,
      layers: layerNamesOf(header, layers),
      shore: header.shoreNames[lines.shores[vertex]!]!,
      side: shoreSide(lines, header.water, vertex, this.#frame[0]!, this.#frame[1]!, this.#frame[2]!),
      precision: 'segment',
      dataset: { name: header.name, version: header.version, attribution: header.attribution },
      accuracyMeters: source.accuracies[layers]!,
      sources: [{ dataset: header.name, distanceMeters: this.#out[offset + 2]! }],
    };
  }

  #names(): string {
    return this.#indexes.map((index) => index.header.name).join(' and ');
  }
}
