import {
  type Carrier,
  type Catalog,
  type CatalogOptions,
  catalogOf,
  type Decider,
  type Decision,
  ENGINE_VERSION,
  homeVocabulary,
  type Property,
  type Vocabulary,
} from '@leeward/engine';
import { sha256OfJson } from '@leeward/engine/compiled';
import { type DecisionRecord, type RecordedRuleSet, readDecisionRecord } from './decision-record.ts';
import { recordedFacts } from './recorded-facts.ts';
import { propertyOfRecord } from './recorded-home.ts';
import { ReplayError } from './replay-error.ts';
import { findRules, type RuleSetArchive } from './rule-set-archive.ts';
import { sharedCatalog } from './shared-catalogs.ts';

const none: CatalogOptions = {};

/** A decision made again. */
export interface ReplayedDecision {
  readonly decision: Decision;
  /** Whether its canonical JSON has the hash that was recorded. */
  readonly matches: boolean;
}

/** What a record stands for: to be decided again, or explained. */
export interface OpenedRecord {
  readonly record: DecisionRecord;
  readonly property: Property;
  /** The very rule sets of the record, and the host's facts as they answered then. */
  readonly decider: Decider;
}

/**
 * Decides again what was recorded, by the rule sets whose hashes it names: whatever the clock says now and
 * whatever newer versions there are. `from` is a catalog that still has them, or a store of files by hash;
 * `options` bring, for a store, the vocabulary and the host's operators. Throws a `ReplayError` that says
 * what is missing.
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

/** The property and rules of a record, to be explained as they were. Throws as `replayDecision` does. */
export async function openDecisionRecord(
  source: unknown,
  from: Decider | RuleSetArchive,
  options: CatalogOptions = none,
): Promise<OpenedRecord> {
  const own = typeof from === 'function' ? options : { ...from.options, ...options };
  const { record, property } = readRecordedHome(source, own.vocabulary);
  const asked = new Map(record.rule_sets.map((each) => [each.carrier_key, each.policy_types]));
  const isAppointed = (carrierKey: string, policyType: string) => asked.get(carrierKey)?.includes(policyType) ?? false;
  const facts = recordedFacts(record.host_facts, Object.keys(own.facts ?? {}));
  const then: CatalogOptions = { ...own, facts, evaluator: record.evaluator };
  const make = async () => catalogOf(await carriersOfRecord(record, from, then), then);
  // What the host answered belongs to one record; everything else is shared by many.
  const catalog = record.host_facts.length > 0 ? await make() : await sharedCatalog(record, from, options, make);
  return { record, property, decider: deciderOf(catalog, isAppointed) };
}

/** The property of a record, whatever rules it is to be judged by. Throws a `ReplayError` where it is none of this line. */
export function readRecordedHome(
  source: unknown,
  vocabulary: Vocabulary = homeVocabulary,
): Pick<OpenedRecord, 'record' | 'property'> {
  const record = readDecisionRecord(source);
  if (record.line !== vocabulary.line) {
    const message = `The decision is of the line "${record.line}"; this is "${vocabulary.line}".`;
    throw new ReplayError('other_line', [{ path: '/line', message }]);
  }
  if (!isCompatibleVersion(record.engine)) {
    const message = `The decision was made by version ${record.engine}; this is ${ENGINE_VERSION}. Replay it with a version of the same major number.`;
    throw new ReplayError('engine_version', [{ path: '/engine', message }]);
  }
  return { record, property: propertyOfRecord(record, vocabulary) };
}

/** Whether records of another version of the engine are judged alike here: the major version is the same. */
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
  for (const wanted of record.rule_sets) {
    if (!isInForce(wanted)) {
      carriers.push({ key: wanted.carrier_key, name: wanted.carrier_key, versions: [] });
      continue;
    }
    try {
      const version = await findRules(wanted, from, options);
      carriers.push({ key: wanted.carrier_key, name: version.ruleSet.carrierName, versions: [version] });
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
