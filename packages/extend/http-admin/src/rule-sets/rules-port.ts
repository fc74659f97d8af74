import type { ReviewThread } from '@leeward/authoring/review-thread';
import { type Catalog, checkRuleSet, type Fault, type Vocabulary } from '@leeward/engine';
import type { LineSource } from '@leeward/engine/check-thread';
import { organizationTenant, type ServedCatalog, servedCatalog } from '@leeward/http';
import { stateCodes } from '@leeward/places/counties';
import type { ReplayRequest, ReviewRequest, RuleSetReview, RulesPort, RulesSource } from '@leeward/registry';
import { isObject } from '@leeward/terms';
import { checkHazardEvent } from '../hazard-events/check-hazard-event.ts';
import { inWordsOf } from './compose-rule-sets.ts';
import { createReviewQueue, type ReviewTenant } from './review-queue.ts';
import { type CheckerFor, threadCheckers } from './thread-checkers.ts';

/** Threads for checks and reviews, and other lines of business. */
export interface RulesPortOptions {
  /** Reviews and replays rule sets. If omitted, worker threads that the process shares. */
  readonly thread?: ReviewThread;
  /** Checks the files of a tenant. If omitted, worker threads that the process shares; hosts without threads give `() => syncChecker`. */
  readonly checkerFor?: CheckerFor;
  /** Catalogs of other lines. Their rule sets and overrides are checked against the fields of their line. @default [] */
  readonly lines?: readonly (Catalog | ServedCatalog)[];
  /**
   * Modules that export these lines, as `file:` URLs: `new URL('./renters.ts', import.meta.url).href`. The thread loads them; rule
   * sets of a line that is in none of them are refused.
   *
   * @default []
   */
  readonly lineModules?: readonly LineSource[];
}

/** Maximum number of terms that an analysis and a comparison visit: a few seconds of work. */
const MAX_REVIEW_WORK = { ofOrganization: 5_000_000, ofOperator: 20_000_000 };

/**
 * Checks, reviews and replays rule sets for accounts: `rules` of `createAccounts`. Files of organizations come from strangers and are
 * checked under stricter limits. Checks and reviews run on worker threads.
 *
 * @example
 * createRegistry({ accounts, rules: createRulesPort(catalog) });
 */
export function createRulesPort(
  base: Catalog | ServedCatalog,
  { lineModules = [], thread: own, lines = [], checkerFor = threadCheckers(lineModules) }: RulesPortOptions = {},
): RulesPort {
  const thread = own ?? sharedThread(lineModules);
  const queue = own ? createReviewQueue() : sharedQueue;
  const tenantOf = ({ organizationId, isOperator = organizationId === undefined }: RulesSource): ReviewTenant => ({
    key: isOperator || organizationId === undefined ? 'operator' : organizationTenant(organizationId),
    isOperator,
  });
  const served = servedCatalog(base);
  const others = lines.map((catalog) => servedCatalog(catalog));
  /** The catalog for the line of a file. For an unknown line it is that of homes, which reports the fault. */
  const ofLine = (file: unknown): Catalog => {
    const line = isObject(file) ? file['line'] : undefined;
    return others.find(({ latest }) => latest.vocabulary.line === line)?.latest ?? served.latest;
  };
  return {
    async checkCarrierRules(file, from) {
      const options = { vocabulary: ofLine(file).vocabulary, fromStranger: true };
      const { faults, ruleSet } = await checkerFor(tenantOf(from).key, from.signal).checkRuleSet(file, options);
      return ruleSet ? { faults, ruleSet } : { faults };
    },
    async checkOverride(file, from) {
      const key =
        typeof file === 'object' && file !== null ? (file as { carrier_key?: unknown }).carrier_key : undefined;
      const has = (catalog: Catalog) => catalog.carriers.some((each) => each.key === key);
      const catalog = others.find(({ latest }) => has(latest))?.latest ?? served.latest;
      const carrier = catalog.carriers.find((each) => each.key === key);
      const ruleSets = carrier?.versions.map((version) => version.ruleSet) ?? [];
      const { faults, override } = await checkerFor(tenantOf(from).key, from.signal).checkOverride(
        file,
        ruleSets,
        catalog.vocabulary,
      );
      return override ? { faults, override: { sha256: override.sha256 } } : { faults };
    },
    takeTurn: (from, work) => queue.run(tenantOf(from), from.signal, work),
    async reviewRuleSet({ ruleSet, cases, inForce, atMs, maxFindings }: ReviewRequest, from: RulesSource) {
      const { organizationId, signal } = from;
      const input = {
        file: ruleSet,
        cases,
        inForce: inForce ?? servedFiles(ofLine(ruleSet), ruleSet),
        atMs,
        fromStranger: organizationId !== undefined,
        maxFindings,
        maxWork: organizationId === undefined ? MAX_REVIEW_WORK.ofOperator : MAX_REVIEW_WORK.ofOrganization,
      };
      const { faults, reviewed } = await thread.review(input, { signal, tenant: tenantOf(from).key });
      if (reviewed === undefined) return { faults };
      const { identity, ...review } = reviewed;
      return { faults, ruleSet: identity, review: review as RuleSetReview };
    },
    replayRuleSet({ ruleSet, inForce, overrides, homes, atMs, maxChanges }: ReplayRequest, from: RulesSource) {
      const { organizationId, signal } = from;
      const input = {
        file: ruleSet,
        inForce: inForce ?? servedFiles(ofLine(ruleSet), ruleSet),
        overrides,
        atMs,
        fromStranger: organizationId !== undefined,
        maxChanges,
      };
      return thread.replay(input, homes, { signal, tenant: tenantOf(from).key });
    },
    async caseOfDecision({ record, answers, ...options }) {
      const { caseOfDecision } = await import('@leeward/authoring');
      const source: unknown = JSON.parse(record);
      return caseOfDecision(source, JSON.parse(answers), options, ofLine(source).vocabulary);
    },
    checkMoratorium(moratorium) {
      const vocabularies = [served, ...others].map(({ latest }) => latest.vocabulary);
      const faultsByLine = vocabularies.map((each) => moratoriumFaults(moratorium, each));
      // Dates and places are the same in every line, and a line ignores policy types of others.
      const faults = faultsByLine.reduce((best, each) => (each.length < best.length ? each : best));
      return faults.length > 0 ? faults : conditionFaults(moratorium, vocabularies);
    },
    checkHazardEvent,
  };
}

function moratoriumFaults(moratorium: unknown, vocabulary: Vocabulary): readonly Fault[] {
  const { faults } = checkRuleSet(
    { ...anywhere(vocabulary.line, vocabulary.policyTypes), moratoria: [moratorium] },
    { vocabulary },
  );
  const place = '/moratoria/0';
  return faults.map((fault) => ({
    ...fault,
    path: fault.path.startsWith(place) ? fault.path.slice(place.length) : '',
  }));
}

/** A condition must be valid in every line to which the moratorium applies. */
function conditionFaults(moratorium: unknown, vocabularies: readonly Vocabulary[]): readonly Fault[] {
  for (const vocabulary of vocabularies) {
    const here = inWordsOf(vocabulary, moratorium);
    const [fault] = here === undefined ? [] : moratoriumFaults(here, vocabulary);
    if (!fault) continue;
    const others = vocabularies.filter((each) => each !== vocabulary).flatMap(({ policyTypes }) => policyTypes);
    const message = `The moratorium also applies to the line "${vocabulary.line}", where this is invalid: ${fault.message} Limit it with "policy_types" to types of other lines (${others.join(', ')}), or post one moratorium for each line.`;
    return [{ ...fault, message }];
  }
  return [];
}

/** Services of one process review one rule set at a time. */
const sharedQueue = createReviewQueue();

/** Reviews on threads of the shared pool, which is loaded with the first review. */
function sharedThread(lineModules: readonly LineSource[]): ReviewThread {
  const open = async (): Promise<ReviewThread> => {
    const [{ createReviewThread }, { sharedWorkerPool }] = await Promise.all([
      import('@leeward/authoring/review-thread'),
      import('@leeward/worker-pool'),
    ]);
    return createReviewThread({ pool: sharedWorkerPool(), lineModules });
  };
  return {
    review: async (input, call) => (await open()).review(input, call),
    replay: async (input, homes, call) => (await open()).replay(input, homes, call),
  };
}

/** Files in service for a carrier that is not in the registry yet. */
function servedFiles({ carriers }: Catalog, ruleSet: unknown): readonly unknown[] {
  const carrier = isObject(ruleSet) ? ruleSet['carrier'] : undefined;
  const key = isObject(carrier) ? carrier['key'] : undefined;
  return carriers.find((each) => each.key === key)?.versions.map((version) => version.ruleSet.file) ?? [];
}

/** A rule set with all policy types in all states, so that a moratorium can name any of them. */
function anywhere(line: string, policyTypes: readonly string[]): object {
  return {
    format: 1,
    carrier: { key: 'any', name: 'Any' },
    line,
    version: '1',
    effective: { from: '2000-01-01' },
    programs: [{ id: 'all', policy_types: policyTypes, states: stateCodes }],
  };
}
