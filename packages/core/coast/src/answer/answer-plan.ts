import { CoastError } from '../coast-error.ts';
import type { CoastIndex } from '../search/coast-index.ts';
import { type CoastDefinition, checkDefinition, definitionName } from '../shoreline/coast-definition.ts';
import type { CombinationRule } from '../shoreline/shoreline.ts';
import { checkCombinationRule } from './combine-sources.ts';
import { createSourceSearch, type SourceSearch } from './source-search.ts';
import { TidalSearch } from './tidal-waters.ts';

/** Who answers a definition, and by what rule two of them give one answer. */
export interface AnswerPlan {
  readonly definition: CoastDefinition;
  /** The preferred one first; one alone where only it has such a shore. */
  readonly sources: readonly SourceSearch[];
  /** How many datasets of shores there are, whether or not they answer this definition. */
  readonly datasets: number;
  readonly rule: CombinationRule | undefined;
  /** Asked for what the shores do not know; undefined where the definition does not count it. */
  readonly tidal: TidalSearch | undefined;
}

/** How sources are combined for a definition of coast. */
export type RuleOfDefinition = (definition: CoastDefinition) => CombinationRule;

/** Throws `unknown_layer` or `no_shore` where none of the indexes can answer. */
export function createAnswerPlan(
  indexes: readonly CoastIndex[],
  ruleOf: RuleOfDefinition | undefined,
  definition: CoastDefinition,
  tidal: TidalSearch | undefined,
): AnswerPlan {
  checkDefinition(
    indexes.map((index) => index.header),
    definition,
  );
  const sources = indexes
    .map((index, number) => createSourceSearch(index, number, definition))
    .filter((source) => source !== undefined);
  if (sources.length === 0) {
    const names = indexes.map((index) => index.header.name).join(' and ');
    throw new CoastError('no_shore', `${names} has no shore of ${definitionName(definition)}: ask for another layer`);
  }
  const rule = ruleOf?.(definition);
  if (rule !== undefined) checkCombinationRule(rule);
  return {
    definition,
    sources,
    datasets: indexes.length,
    rule,
    tidal: TidalSearch.belongsTo(definition) ? tidal : undefined,
  };
}
