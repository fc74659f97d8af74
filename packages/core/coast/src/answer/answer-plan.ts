import { CoastError } from '../coast-error.ts';
import type { CoastIndex } from '../search/coast-index.ts';
import { type CoastDefinition, checkDefinition, definitionName } from '../shoreline/coast-definition.ts';
import type { CombinationRule } from '../shoreline/shoreline.ts';
import { checkCombinationRule } from './combine-sources.ts';
import { createSourceSearch, type SourceSearch } from './source-search.ts';
import { TidalSearch } from './tidal-waters.ts';

/** Sources of a definition, and the rule that combines them. */
export interface AnswerPlan {
  readonly definition: CoastDefinition;
  readonly sources: readonly SourceSearch[];
  readonly datasets: number;
  readonly rule: CombinationRule | undefined;
  readonly tidal: TidalSearch | undefined;
}

/** Returns the rule for a definition. */
export type RuleOfDefinition = (definition: CoastDefinition) => CombinationRule;

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
    throw new CoastError('no_shore', `${names} has no shore of ${definitionName(definition)}: use another layer`);
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
