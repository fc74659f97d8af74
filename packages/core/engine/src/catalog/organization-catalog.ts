import { type Fault, isObject, own } from '@leeward/terms';
import { createAlmanac, type FactOptions, type HostFailure } from '../reference/almanac.ts';
import type { Property } from '../request/property.ts';
import type { CheckedRuleSet } from '../rule-set/check.ts';
import { applyOverride, type CheckedOverride } from '../rule-set/override.ts';
import { type RuleChecker, syncChecker } from '../rule-set/rule-checker.ts';
import { createTurn, nextTurn, type Turn } from '../turns/turn.ts';
import type { CarrierRules } from '../verdict/carrier-rules.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { carriersOf } from './carriers-of.ts';
import type { Catalog } from './catalog.ts';
import type { CatalogOptions } from './catalog-options.ts';
import { type Decision, mergeDecisions, type SilentCarriers } from './decision.ts';
import { createRuleSetPool, type RuleSetPool } from './rule-set-pool.ts';
import type { HeldFile } from './shared-files.ts';
import type { Carrier } from './versions.ts';

/** Whoever can say what carriers think of a property: a catalog, or an organization's view of one. */
export interface Decider {
  readonly vocabulary: Vocabulary;
  readonly options: CatalogOptions;
  /** Everyone who can be asked, with the rules as they apply here. */
  readonly carriers: readonly Carrier[];
  /** Who is asked for a property; absent: everyone. */
  readonly isAppointed?: IsAppointed;
  decide(property: Property, options?: DecidingOptions): Promise<Decision>;
}

/** How long a decision waits. */
export interface DecidingOptions extends FactOptions {
  /** Whose turn it is; default one of its own. */
  readonly turn?: Turn;
}

/** Whether an organization may sell a carrier's policy type for this property. */
export type IsAppointed = (carrierKey: string, policyType: string, property: Property) => boolean;

/** What an organization brings: its appointments, rule sets and overrides. */
export interface OrganizationRules {
  /** Everybody's carriers: shared, and not compiled again. */
  readonly base: Catalog;
  readonly isAppointed: IsAppointed;
  /** The organization's own rule sets, as JSON has them; these are judged without an appointment. */
  readonly ownRuleSets: readonly unknown[];
  /** Overrides as JSON has them, of carriers of the base. */
  readonly overrides: readonly unknown[];
  /** Hashes of both, in their order, where they are known. */
  readonly sha256?: { readonly ownRuleSets: readonly string[]; readonly overrides: readonly string[] };
  /** Shares with other organizations what they have alike; default one of its own. */
  readonly pool?: RuleSetPool;
}

/** An organization's view, with what of its own did not fit. */
export interface OrganizationCatalog extends Decider {
  /** Own rule sets and overrides that do not fit (any more): left out, and told here. */
  readonly faults: readonly Fault[];
  /** The files it holds; what several views hold is one, and takes its memory once. */
  readonly held: readonly HeldFile<object>[];
}

/**
 * An organization's view: the carriers of the base that appointed it, its own carriers (`source`
 * organization) and the carriers it tightened (`source` override). Only the last two are compiled for it, each
 * by itself; the base is judged by its own tables and filtered. A carrier whose override does not fit is not
 * judged at all: without it, it might accept what the organization declines.
 */
export function createOrganizationCatalog(rules: OrganizationRules): OrganizationCatalog {
  const { pool = createRuleSetPool(), base, ownRuleSets, overrides, sha256 } = rules;
  return viewOf(rules, pool, {
    ruleSets: ownRuleSets.map((file, index) => pool.ruleSet(file, base.vocabulary, sha256?.ownRuleSets[index])),
    overrides: overrides.map((file, index) => pool.override(file, base.vocabulary, sha256?.overrides[index])),
  });
}

/**
 * Like `createOrganizationCatalog`, but the files are checked by `checker`, one after the other.
 *
 * @example
 * const view = await openOrganizationCatalog(rules, createThreadChecker({ pool, tenant: 'agency' }));
 */
export async function openOrganizationCatalog(
  rules: OrganizationRules,
  checker: RuleChecker = syncChecker,
): Promise<OrganizationCatalog> {
  const { pool = createRuleSetPool(), base, sha256 } = rules;
  const checking = pool.withChecker(checker);
  const ruleSets: HeldFile<CheckedRuleSet>[] = [];
  for (const [index, file] of rules.ownRuleSets.entries()) {
    ruleSets.push(await checking.ruleSet(file, base.vocabulary, sha256?.ownRuleSets[index]));
  }
  const overrides: HeldFile<CheckedOverride>[] = [];
  for (const [index, file] of rules.overrides.entries()) {
    overrides.push(await checking.override(file, base.vocabulary, sha256?.overrides[index]));
  }
  return viewOf(rules, pool, { ruleSets, overrides });
}

/** The checked files of an organization, in the order of its rules. */
interface HeldFiles {
  readonly ruleSets: readonly HeldFile<CheckedRuleSet>[];
  readonly overrides: readonly HeldFile<CheckedOverride>[];
}

function viewOf(rules: OrganizationRules, pool: RuleSetPool, files: HeldFiles): OrganizationCatalog {
  const { base, isAppointed } = rules;
  const { vocabulary } = base;
  const faults: Fault[] = [];
  const ownRules: CarrierRules[] = [];
  const ownKeys = new Set<string>();
  /** Carriers of the base that speak otherwise here, or cannot. */
  const replaced = new Set<string>();
  for (const [index, file] of rules.ownRuleSets.entries()) {
    const { checked } = files.ruleSets[index]!;
    const { ruleSet } = checked;
    if (ruleSet) ownRules.push({ ruleSet, source: 'organization' });
    const key = ruleSet?.carrierKey ?? keyAt(['carrier', 'key'], file);
    if (key !== undefined) ownKeys.add(key);
    for (const fault of checked.faults) faults.push({ ...fault, path: `/own_rule_sets/${index}${fault.path}` });
  }
  const overridden: CarrierRules[] = [];
  for (const [index, file] of rules.overrides.entries()) {
    const { checked } = files.overrides[index]!;
    const { override } = checked;
    for (const fault of checked.faults) faults.push({ ...fault, path: `/overrides/${index}${fault.path}` });
    const key = override?.carrierKey ?? keyAt(['carrier_key'], file);
    const carrier = base.carriers.find((each) => each.key === key);
    if (carrier) replaced.add(carrier.key);
    if (override && carrier) {
      for (const { ruleSet } of carrier.versions) {
        const tightened = applyOverride(ruleSet, override);
        const { sha256: overrideSha256, file } = override;
        overridden.push({ ruleSet: tightened, source: 'override', overrideSha256, override: file });
      }
    }
  }
  for (const key of ownKeys) replaced.add(key);
  const apart = carriersOf([...ownRules, ...overridden.filter(({ ruleSet }) => !ownKeys.has(ruleSet.carrierKey))]);
  const fromBase: IsAppointed = (carrierKey, policyType, property) =>
    !replaced.has(carrierKey) && isAppointed(carrierKey, policyType, property);
  const fromApart: IsAppointed = (carrierKey, policyType, property) =>
    ownKeys.has(carrierKey) || isAppointed(carrierKey, policyType, property);
  const policyTypesOf = ({ policyType }: Property): readonly string[] =>
    policyType === undefined ? vocabulary.policyTypes : [policyType];
  const refused = [...replaced].filter((key) => !apart.some((carrier) => carrier.key === key));
  const silentIn = (
    [first, ...others]: readonly Decision[],
    property: Property,
    hostFailures: readonly HostFailure[],
  ): SilentCarriers => {
    return {
      hostFailures,
      notOffered: [
        ...first!.notOffered.filter(({ carrierKey }) => !replaced.has(carrierKey)),
        ...others.flatMap((part) => part.notOffered),
      ],
      notJudged: [
        ...first!.notJudged,
        ...others.flatMap((part) => part.notJudged),
        ...refused.flatMap((carrierKey) => {
          const carrierName = base.carriers.find(({ key }) => key === carrierKey)?.name ?? carrierKey;
          return policyTypesOf(property)
            .filter((policyType) => fromApart(carrierKey, policyType, property))
            .map((policyType) => ({ carrierKey, carrierName, policyType, code: 'rules_refused' as const }));
        }),
      ],
    };
  };
  return {
    vocabulary,
    options: base.options,
    carriers: [...base.carriers.filter(({ key }) => !replaced.has(key)), ...apart],
    isAppointed: fromApart,
    faults,
    held: [...files.ruleSets, ...files.overrides],
    async decide(property, options = {}) {
      const { turn = createTurn(), almanac = createAlmanac(base.options, property, options) } = options;
      const deciding = { ...options, turn, almanac };
      const first = await base.decide(property, { ...deciding, isAppointed: fromBase });
      if (property.counties?.length === 0) return first;
      const parts = [first];
      // One carrier and policy type at a time, and read here: what is put into words later would be so for all at once.
      for (const carrier of apart) {
        for (const policyType of policyTypesOf(property)) {
          const asked = policyType === property.policyType ? property : { ...property, policyType };
          const part = await pool.judge(carrier, base.options).decide(asked, { ...deciding, isAppointed: fromApart });
          await nextTurn(turn);
          void part.verdicts;
          parts.push(part);
        }
      }
      return mergeDecisions(parts, vocabulary, () => silentIn(parts, property, almanac.failures));
    },
  };
}

/** Whose file it is meant to be, though something else of it does not fit. */
function keyAt(path: readonly string[], file: unknown): string | undefined {
  let found: unknown = typeof file === 'function' ? file() : file;
  for (const name of path) found = isObject(found) ? own(found, name) : undefined;
  return typeof found === 'string' ? found : undefined;
}
