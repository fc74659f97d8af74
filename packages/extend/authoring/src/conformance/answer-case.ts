import { type CatalogOptions, createCatalog, homeVocabulary, type Requirement, type Verdict } from '@leeward/engine';
import { propertyOfRecord } from '../replay/recorded-home.ts';
import type { ConformanceAnswer, ConformanceCase } from './corpus.ts';

/** Answers a case of a corpus. */
export type AnswerCase = (each: ConformanceCase) => ConformanceAnswer | Promise<ConformanceAnswer>;

/** Answers cases with this engine. Each combination of rule sets is compiled once. */
export function createAnswerCase(
  ruleSets: Readonly<Record<string, object>>,
  options: Pick<CatalogOptions, 'evaluator'> = {},
): AnswerCase {
  const decideCase = createDecideCase(ruleSets, options);
  return async (each) => answerOf(await decideCase(each));
}

/** Decides cases with this engine. Undefined if the carrier does not offer the policy type. */
export function createDecideCase(
  ruleSets: Readonly<Record<string, object>>,
  options: Pick<CatalogOptions, 'evaluator'> = {},
): (each: ConformanceCase) => Promise<Verdict | undefined> {
  const catalogs = new Map<string, ReturnType<typeof createCatalog>>();
  const catalogFor = (names: readonly string[]) => {
    const key = names.join('\n');
    let catalog = catalogs.get(key);
    if (!catalog) {
      catalog = createCatalog(
        names.map((name) => {
          if (!Object.hasOwn(ruleSets, name)) throw new RangeError(`There is no rule set ${JSON.stringify(name)}.`);
          return { name, file: ruleSets[name]! };
        }),
        options,
      );
      catalogs.set(key, catalog);
    }
    return catalog;
  };
  return async ({ rule_sets, home }) => {
    const { verdicts } = await catalogFor(rule_sets).decide(propertyOfRecord(home, homeVocabulary));
    return verdicts[0];
  };
}

function answerOf(verdict: Verdict | undefined): ConformanceAnswer {
  if (!verdict) return { status: 'not_offered' };
  const { status, possibleStatuses, missingFields } = verdict;
  return {
    status,
    ...(status === 'needs_information' ? listed('possible_statuses', possibleStatuses) : {}),
    ...listed('reasons', verdict.reasons.map(messageOf)),
    ...listed('requirements', verdict.requirements.map(messageOf)),
    ...listed('possible_requirements', verdict.possibleRequirements.map(messageOf)),
    ...listed('notes', verdict.notes.map(messageOf)),
    ...listed('missing_fields', [...missingFields].sort()),
  };
}

function listed<Name extends string, Item>(name: Name, items: readonly Item[]): { [Key in Name]?: Item[] } {
  return items.length === 0 ? {} : ({ [name]: [...items] } as { [Key in Name]: Item[] });
}

function messageOf({ ruleId, code, message }: Requirement): NonNullable<ConformanceAnswer['reasons']>[number] {
  return { rule_id: ruleId, code, message };
}
