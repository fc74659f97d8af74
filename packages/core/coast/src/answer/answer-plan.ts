import { CoastError } from '../coast-error.ts';
import type { CoastIndex } from '../search/coast-index.ts';
import { type CoastDefinition, checkDefinition, definitionName } from '../shoreline/coast-definition.ts';
import type { AccuracyTable } from '../shoreline/conflation.ts';
import { createSourceSearch, type SourceSearch } from './source-search.ts';
import { TidalSearch } from './tidal-waters.ts';

/** The searches of a definition. */
export interface AnswerPlan {
  readonly definition: CoastDefinition;
  /** One or two, the preferred one first. */
  readonly sources: readonly SourceSearch[];
  readonly datasets: number;
  /** Only for oceans: the whole check classifies shores independently. */
  readonly other: OtherClassification | undefined;
  readonly tidal: TidalSearch | undefined;
}

export interface OtherClassification {
  readonly source: SourceSearch;
  /** The radius of its lines; larger differences come from classification. */
  readonly radiusMeters: number;
}

export interface PlanInput {
  readonly indexes: readonly CoastIndex[];
  readonly table: AccuracyTable | undefined;
  readonly wholeCheck: (() => CoastIndex) | undefined;
  readonly tidal: TidalSearch | undefined;
}

export function createAnswerPlan(
  { indexes, table, wholeCheck, tidal }: PlanInput,
  definition: CoastDefinition,
): AnswerPlan {
  checkDefinition(
    indexes.map((index) => index.header),
    definition,
  );
  const sources = indexes
    .map((index, number) => createSourceSearch(index, number, definition, table))
    .filter((source) => source !== undefined);
  if (sources.length === 0) {
    const names = indexes.map((index) => index.header.name).join(' and ');
    throw new CoastError('no_shore', `${names} has no shore of ${definitionName(definition)}: use another layer`);
  }
  const isTidal = TidalSearch.belongsTo(definition);
  return {
    definition,
    sources,
    datasets: indexes.length,
    other:
      isTidal || indexes.length < 2 || !hasAll(sources[0]!, definition) ? undefined : otherOf(wholeCheck, definition),
    tidal: isTidal ? tidal : undefined,
  };
}

function hasAll({ index, number }: SourceSearch, { layers }: CoastDefinition): boolean {
  return number === 0 && layers.every((layer) => index.header.layerNames.includes(layer));
}

function otherOf(wholeCheck: PlanInput['wholeCheck'], definition: CoastDefinition): OtherClassification | undefined {
  if (wholeCheck === undefined) return undefined;
  const source = createSourceSearch(wholeCheck(), 1, definition, undefined);
  // The smallest radius is that of the lines, without the classification of layers.
  return source && { source, radiusMeters: Math.min(...source.index.header.accuracy.radiusMeters) };
}
