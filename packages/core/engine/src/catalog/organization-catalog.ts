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
import { type Decision, type DecisionDetails, mergeDecisions } from './decision.ts';
import { createRuleSetPool, type RuleSetPool } from './rule-set-pool.ts';
import type { HeldFile } from './shared-files.ts';
import type { Carrier } from './versions.ts';

/** Decides about properties: a catalog, or an organization's view of one. */
export interface Decider {
  readonly vocabulary: Vocabulary;
  readonly options: CatalogOptions;
  readonly carriers: readonly Carrier[];
  /** Filter of carriers. @default all */
  readonly isAppointed?: IsAppointed;
  decide(property: Property, options?: DecidingOptions): Promise<Decision>;
}

/** Options of {@link Decider.decide}. */
export interface DecidingOptions extends FactOptions {
  /** Time slice shared with other work. @default a new one */
  readonly turn?: Turn;
}

/** Returns true if an organization may sell a carrier's policy type for this property. */
export type IsAppointed = (carrierKey: string, policyType: string, property: Property) => boolean;

/** Input of {@link createOrganizationCatalog}: the appointments, rule sets and overrides of an organization. */
export interface OrganizationRules {
  /** The shared catalog. Its carriers are not compiled again. */
  readonly base: Catalog;
  readonly isAppointed: IsAppointed;
  /** Rule sets of the organization, as parsed JSON. They need no appointment. */
  readonly ownRuleSets: readonly unknown[];
  /** Overrides of carriers of `base`, as parsed JSON. */
  readonly overrides: readonly unknown[];
  /** Hashes of both lists, in the same order. @default computed */
  readonly sha256?: { readonly ownRuleSets: readonly string[]; readonly overrides: readonly string[] };
  /** Shares files and tables with other organizations. @default a new pool */
  readonly pool?: RuleSetPool;
}

/** An organization's view of a catalog. */
export interface OrganizationCatalog extends Decider {
  /** Faults of rule sets and overrides that are invalid and therefore not applied. */
  readonly faults: readonly Fault[];
  readonly heldFiles: readonly HeldFile<object>[];
}

/**
 * Creates an organization's view: the carriers of the base that appointed it, the organization's carriers (`source` organization) and
 * those it tightened (`source` override). Only the last two are compiled for it. A carrier with an invalid override is not evaluated,
 * because it might accept homes that the organization declines.
 *
 * @example
 *  const view = createOrganizationCatalog({ base: catalog, isAppointed: () => true, ownRuleSets: [], overrides: [] });
 *  const { verdicts } = await view.decide(property);
 */
export function createOrganizationCatalog(rules: OrganizationRules): OrganizationCatalog {
  const { pool = createRuleSetPool(), base, ownRuleSets, overrides, sha256 } = rules;
  return viewOf(rules, pool, {
    ruleSets: ownRuleSets.map((file, index) => pool.ruleSet(file, base.vocabulary, sha256?.ownRuleSets[index])),
    overrides: overrides.map((file, index) => pool.override(file, base.vocabulary, sha256?.overrides[index])),
  });
}

/**
 * Like `createOrganizationCatalog`, but checks the files with a checker, such as one on a worker thread.
 *
 * @example const view = await openOrganizationCatalog(rules, createThreadChecker({ pool, tenant: 'agency' }));
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
  /** Carriers of the base that are replaced or excluded here. */
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
  const separateCarriers = carriersOf([
    ...ownRules,
    ...overridden.filter(({ ruleSet }) => !ownKeys.has(ruleSet.carrierKey)),
  ]);
  const fromBase: IsAppointed = (carrierKey, policyType, property) =>
    !replaced.has(carrierKey) && isAppointed(carrierKey, policyType, property);
  const fromSeparate: IsAppointed = (carrierKey, policyType, property) =>
    ownKeys.has(carrierKey) || isAppointed(carrierKey, policyType, property);
  const policyTypesOf = ({ policyType }: Property): readonly string[] =>
    policyType === undefined ? vocabulary.policyTypes : [policyType];
  const invalidCarriers = [...replaced].filter((key) => !separateCarriers.some((carrier) => carrier.key === key));
  const detailsOf = (
    [first, ...others]: readonly Decision[],
    property: Property,
    hostFailures: readonly HostFailure[],
  ): DecisionDetails => {
    return {
      hostFailures,
      notOffered: [
        ...first!.notOffered.filter(({ carrierKey }) => !replaced.has(carrierKey)),
        ...others.flatMap((part) => part.notOffered),
      ],
      notEvaluated: [
        ...first!.notEvaluated,
        ...others.flatMap((part) => part.notEvaluated),
        ...invalidCarriers.flatMap((carrierKey) => {
          const carrierName = base.carriers.find(({ key }) => key === carrierKey)?.name ?? carrierKey;
          return policyTypesOf(property)
            .filter((policyType) => fromSeparate(carrierKey, policyType, property))
            .map((policyType) => ({ carrierKey, carrierName, policyType, code: 'rules_refused' as const }));
        }),
      ],
    };
  };
  return {
    vocabulary,
    options: base.options,
    carriers: [...base.carriers.filter(({ key }) => !replaced.has(key)), ...separateCarriers],
    isAppointed: fromSeparate,
    faults,
    heldFiles: [...files.ruleSets, ...files.overrides],
    async decide(property, options = {}) {
      const { turn = createTurn(), almanac = createAlmanac(base.options, property, options) } = options;
      const deciding = { ...options, turn, almanac };
      const first = await base.decide(property, { ...deciding, isAppointed: fromBase });
      if (property.counties?.length === 0) return first;
      const parts = [first];
      // One carrier and policy type at a time, read immediately, so that lazy verdicts are not formatted all at once.
      for (const carrier of separateCarriers) {
        for (const policyType of policyTypesOf(property)) {
          const typedProperty = policyType === property.policyType ? property : { ...property, policyType };
          const part = await pool
            .catalogOf(carrier, base.options)
            .decide(typedProperty, { ...deciding, isAppointed: fromSeparate });
          await nextTurn(turn);
          void part.verdicts;
          parts.push(part);
        }
      }
      return mergeDecisions(parts, vocabulary, () => detailsOf(parts, property, almanac.failures));
    },
  };
}

/** Works for invalid files too. */
function keyAt(path: readonly string[], file: unknown): string | undefined {
  let value: unknown = typeof file === 'function' ? file() : file;
  for (const name of path) value = isObject(value) ? own(value, name) : undefined;
  return typeof value === 'string' ? value : undefined;
}
