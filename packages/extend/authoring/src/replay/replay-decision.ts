import {
  type Carrier,
  type Catalog,
  type CatalogOptions,
  type Decider,
  type Decision,
  homeVocabulary,
  type Property,
  type Vocabulary,
} from '@leeward/engine';
import { catalogOf, ENGINE_VERSION, sha256OfJson } from '@leeward/engine/compiled';
import { type DecisionRecord, type RecordedRuleSet, readDecisionRecord } from './decision-record.ts';
import { recordedFacts } from './recorded-facts.ts';
import { propertyOfRecord } from './recorded-home.ts';
import { ReplayError } from './replay-error.ts';
import { findRules, type RuleSetArchive } from './rule-set-archive.ts';

const none: CatalogOptions = {};

/** A replayed decision. */
export interface ReplayedDecision {
  readonly decision: Decision;
  /** True if the canonical JSON of the decision has the recorded hash. */
  readonly matches: boolean;
}

/** The home and rules of a record, to decide or explain again. */
export interface OpenedRecord {
  readonly record: DecisionRecord;
  readonly property: Property;
  /** Has the rule sets and host facts of the record. */
  readonly decider: Decider;
}

/**
 * Makes a recorded decision again, with the recorded rule sets and dates.
 *
 * @param from A catalog that still has the rule sets, or a store of files by hash.
 * @param options For a store: the vocabulary and the host's operators.
 * @throws {ReplayError} If something is missing or differs.
 * @example
 * const { decision, matches } = await replayDecision(record, ({ sha256 }) => ({ file: archive.get(sha256) }));
 */
export async function replayDecision(
  record: unknown,
  from: Decider | RuleSetArchive,
  options: CatalogOptions = none,
): Promise<ReplayedDecision> {
  const opened = await openDecisionRecord(record, from, options);
  const decision = await opened.decider.decide(opened.property);
  return { decision, matches: sha256OfJson(decision) === opened.record.decision_sha256 };
}

/**
 * Restores the property and rules of a record, to explain the decision. Throws like `replayDecision`.
 *
 * @example
 * const { property, decider } = await openDecisionRecord(record, catalog);
 * await explainDecision(decider, property);
 */
export async function openDecisionRecord(
  source: unknown,
  from: Decider | RuleSetArchive,
  options: CatalogOptions = none,
): Promise<OpenedRecord> {
  const own = typeof from === 'function' ? options : { ...from.options, ...options };
  const { record, property } = readRecordedHome(source, own.vocabulary);
  const policyTypes = new Map(record.rule_sets.map((each) => [each.carrier_key, each.policy_types]));
  const isAppointed = (carrierKey: string, policyType: string) =>
    policyTypes.get(carrierKey)?.includes(policyType) ?? false;
  const facts = recordedFacts(record.host_facts, Object.keys(own.facts ?? {}));
  const recordedOptions: CatalogOptions = { ...own, facts, evaluator: record.evaluator };
  const make = async () => catalogOf(await carriersOfRecord(record, from, recordedOptions), recordedOptions);
  // Host facts belong to one record. Without them, records can share a catalog.
  const catalog = record.host_facts.length > 0 ? await make() : await sharedCatalog(record, from, options, make);
  return { record, property, decider: deciderOf(catalog, isAppointed) };
}

/** @throws {ReplayError} If the record is invalid or belongs to another line. */
export function readRecordedHome(
  source: unknown,
  vocabulary: Vocabulary = homeVocabulary,
): Pick<OpenedRecord, 'record' | 'property'> {
  const record = readDecisionRecord(source);
  if (record.line !== vocabulary.line) {
    const message = `The decision belongs to the line "${record.line}", not to "${vocabulary.line}".`;
    throw new ReplayError('other_line', [{ path: '/line', message }]);
  }
  if (!isCompatibleVersion(record.engine)) {
    const message = `Version ${record.engine} of the engine made the decision; this is ${ENGINE_VERSION}. Replay it with the same major version.`;
    throw new ReplayError('engine_version', [{ path: '/engine', message }]);
  }
  return { record, property: propertyOfRecord(record, vocabulary) };
}

/** Versions with equal major numbers make the same decisions. */
function isCompatibleVersion(version: string): boolean {
  return majorOf(version) === majorOf(ENGINE_VERSION);
}

function majorOf(version: string): string {
  return version.split('.')[0] ?? '';
}

function deciderOf(catalog: Catalog, isAppointed: NonNullable<Decider['isAppointed']>): Decider {
  const { vocabulary, options, carriers } = catalog;
  return {
    vocabulary,
    options,
    carriers,
    isAppointed,
    decide: (property, deciding) => catalog.decide(property, { ...deciding, isAppointed }),
  };
}

async function carriersOfRecord(
  record: DecisionRecord,
  from: Decider | RuleSetArchive,
  options: CatalogOptions,
): Promise<Carrier[]> {
  const carriers: Carrier[] = [];
  const missing: ReplayError[] = [];
  for (const ruleSet of record.rule_sets) {
    if (!isInForce(ruleSet)) {
      carriers.push({ key: ruleSet.carrier_key, name: ruleSet.carrier_key, versions: [] });
      continue;
    }
    try {
      const version = await findRules(ruleSet, from, options);
      carriers.push({ key: ruleSet.carrier_key, name: version.ruleSet.carrierName, versions: [version] });
    } catch (error) {
      if (!(error instanceof ReplayError) || error.code !== 'rule_set_missing') throw error;
      missing.push(error);
    }
  }
  if (missing.length === 0) return carriers;
  throw new ReplayError(
    'rule_set_missing',
    missing.flatMap((error) => error.faults),
  );
}

function isInForce(ruleSet: RecordedRuleSet): ruleSet is RecordedRuleSet & { sha256: string } {
  return ruleSet.sha256 !== null;
}

/** Maximum number of cached catalogs per source of rule sets. */
const CATALOGS_KEPT = 4;

type ByRules = Map<string, Catalog>;
const catalogs = new WeakMap<object, WeakMap<object, ByRules>>();

/** Records of one source with the same rule sets share a catalog. */
async function sharedCatalog(
  { rule_sets, evaluator }: DecisionRecord,
  from: object,
  options: CatalogOptions,
  make: () => Promise<Catalog>,
): Promise<Catalog> {
  const bySource = catalogs.get(from) ?? new WeakMap<object, ByRules>();
  catalogs.set(from, bySource);
  const byRules: ByRules = bySource.get(options) ?? new Map();
  bySource.set(options, byRules);
  const key = JSON.stringify([
    evaluator,
    rule_sets.map((each) => [each.carrier_key, each.sha256, each.override_sha256, each.source]),
  ]);
  const catalog = byRules.get(key) ?? (await make());
  // Move to the end: the least recently used catalog is removed first.
  byRules.delete(key);
  byRules.set(key, catalog);
  if (byRules.size > CATALOGS_KEPT) byRules.delete(byRules.keys().next().value!);
  return catalog;
}
