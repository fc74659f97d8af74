import {
  type Catalog,
  type CatalogOptions,
  createCatalog,
  type Decider,
  homeVocabulary,
  type Requirement,
  type TierVerdict,
  type Verdict,
  type VerdictTier,
} from '@leeward/engine';
import { createOrganizationCatalog } from '@leeward/engine/organizations';
import { writeWord } from '@leeward/terms';
import { propertyOfRecord } from '../replay/recorded-home.ts';
import type { ConformanceAnswer, ConformanceCase } from './corpus.ts';

/** Answers a case of a corpus. */
export type AnswerCase = (each: ConformanceCase) => ConformanceAnswer | Promise<ConformanceAnswer>;

/** Each combination of rule sets is compiled once. */
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
  return async ({ rule_sets, override, home }) => {
    const base = catalogFor(rule_sets);
    const catalog = override ? tighten(base, override) : base;
    const { verdicts } = await catalog.decide(propertyOfRecord(home, homeVocabulary));
    return verdicts[0];
  };
}

/** The view of an organization that overrides the carrier. @throws {RangeError} If the override is invalid. */
function tighten(base: Catalog, override: object): Decider {
  const view = createOrganizationCatalog({ base, isAppointed: () => true, ownRuleSets: [], overrides: [override] });
  if (view.faults.length > 0)
    throw new RangeError(view.faults.map(({ path, message }) => `${path}: ${message}`).join(' '));
  return view;
}

function answerOf(verdict: Verdict | undefined): ConformanceAnswer {
  if (!verdict) return { status: 'not_offered' };
  const { status, possibleStatuses, missingFields } = verdict;
  return {
    status,
    ...(status === 'needs_information' ? listed('possible_statuses', possibleStatuses) : {}),
    ...listed('reasons', reasonsOf(verdict.reasons, verdict.policyType)),
    ...listed('requirements', verdict.requirements.map(messageOf)),
    ...listed('possible_requirements', verdict.possibleRequirements.map(messageOf)),
    ...listed('notes', verdict.notes.map(messageOf)),
    ...(verdict.terms ? { terms: termsOf(verdict.terms) } : {}),
    ...(verdict.possibleTerms ? { possible_terms: termsOf(verdict.possibleTerms) } : {}),
    ...(verdict.tier ? { tier: tierOf(verdict.tier) } : {}),
    ...listed('possible_tiers', (verdict.possibleTiers ?? []).map(answerOfTier(verdict))),
    ...listed('better_tiers', (verdict.betterTiers ?? []).map(answerOfTier(verdict))),
    ...listed('other_tiers', (verdict.otherTiers ?? []).map(answerOfTier(verdict))),
    ...listed('missing_fields', [...missingFields].sort()),
  };
}

function tierOf({ of, rank, name, programId }: VerdictTier): NonNullable<ConformanceAnswer['tier']> {
  return { of, rank, ...(name === undefined ? {} : { name }), program_id: programId };
}

function answerOfTier({ policyType }: Verdict) {
  return (tier: TierVerdict): NonNullable<ConformanceAnswer['better_tiers']>[number] => ({
    ...tierOf(tier),
    status: tier.status,
    ...listed('reasons', reasonsOf(tier.reasons, policyType)),
    ...listed('missing_fields', [...(tier.missingFields ?? [])].sort()),
  });
}

type Terms = NonNullable<Verdict['terms'] | Verdict['possibleTerms']>;

/** The bounds of terms, without their words for people. */
function termsOf(terms: Terms): NonNullable<ConformanceAnswer['terms']> {
  return Object.fromEntries(
    Object.entries(terms).map(([name, { min, max, applies, ...words }]) => [
      name,
      {
        ...(min === undefined ? {} : { min }),
        ...(max === undefined ? {} : { max }),
        ...('oneOf' in words && words.oneOf ? { one_of: words.oneOf.toSorted() } : {}),
        ...('mayExclude' in words && words.mayExclude ? { may_exclude: words.mayExclude.toSorted() } : {}),
        ...(applies ? { applies } : {}),
      },
    ]),
  );
}

function listed<Name extends string, Item>(name: Name, items: readonly Item[]): { [Key in Name]?: Item[] } {
  return items.length === 0 ? {} : ({ [name]: [...items] } as { [Key in Name]: Item[] });
}

const CONTRADICTING_TERMS = 'contradicting_terms';

/** Writes the reasons of a verdict. All contradictions of terms are one reason, the last, which implementations name in different ways. */
function reasonsOf(reasons: Verdict['reasons'], policyType: string): NonNullable<ConformanceAnswer['reasons']> {
  const others = reasons
    .filter(({ code }) => code !== CONTRADICTING_TERMS)
    .map(messageOf)
    .map((each) => (each.code === 'territory' ? { ...each, message: asInFile(each.message, policyType) } : each));
  return others.length === reasons.length
    ? others
    : [...others, { rule_id: '', code: CONTRADICTING_TERMS, message: '' }];
}

/** The rule format writes policy types as rule sets do. */
function asInFile(message: string, policyType: string): string {
  return message.replace(` does not write ${writeWord(policyType)} `, ` does not write ${policyType} `);
}

function messageOf({ ruleId, code, message }: Requirement): NonNullable<ConformanceAnswer['reasons']>[number] {
  return { rule_id: ruleId, code, message };
}
