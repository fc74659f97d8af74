import type { ReplayRequest, ReviewRequest, RuleSetReview, RulesPort, RulesSource } from '@leeward/accounts';
import {
  type Catalog,
  checkOverrideSoon,
  checkRuleSet,
  checkRuleSetSoon,
  createTurn,
  type Fault,
  type Turn,
  type Vocabulary,
} from '@leeward/engine';
import type { ReviewThread } from '@leeward/engine/review-thread';
import { stateCodes } from '@leeward/places/counties';
import { isObject } from '@leeward/terms';
import { organizationTenant } from '../admission/admission.ts';
import type { FairTurns } from '../admission/fair-turns.ts';
import { createReviewQueue, type ReviewQueue, type ReviewTenant } from '../rule-sets/review-queue.ts';
import { type ServedCatalog, servedCatalog } from '../rule-sets/served-catalog.ts';

/** A thread that reviews and replays, so that the service answers meanwhile. */
export interface RulesPortOptions {
  /** Reviews what is to go into force, and replays what was answered; default a thread that the process has for it, begun with the first. */
  readonly thread?: ReviewingThread;
  /** Carriers of other lines: their rule sets and overrides are checked, reviewed and replayed in the words of their own. */
  readonly lines?: readonly (Catalog | ServedCatalog)[];
  /**
   * Modules that export these lines, as `file:` URLs (`new URL('./renters.ts', import.meta.url).href`): the thread reviews in their
   * words, and cannot be handed them. Rule sets of a line that none of them has are refused.
   */
  readonly lineModules?: readonly string[];
}

type ReviewingThread = Pick<ReviewThread, 'review' | 'replay'>;

/** A thread, and the queue of those who want it. */
interface SharedThread {
  readonly thread: ReviewingThread;
  readonly queue: ReviewQueue;
}

/** Terms of rules that an analysis, and a comparison, may look at: a few seconds of work. */
const MAX_REVIEW_WORK = { ofOrganization: 5_000_000, ofOperator: 20_000_000 };

/**
 * What accounts must know of rules, told by the engine: files from strangers, under the limits for them. Checked in turns
 * of whoever enters them; what is to go into force is reviewed beside them, in a thread.
 */
export function createRulesPort(
  base: Catalog | ServedCatalog,
  turns?: FairTurns,
  { lineModules = [], thread: own, lines = [] }: RulesPortOptions = {},
): RulesPort {
  const { thread, queue } = own === undefined ? sharedThread(lineModules) : { thread: own, queue: createReviewQueue() };
  const tenantOf = ({ organizationId, isOperator = organizationId === undefined }: RulesSource): ReviewTenant => ({
    key: isOperator || organizationId === undefined ? 'operator' : organizationTenant(organizationId),
    isOperator,
  });
  const served = servedCatalog(base);
  const others = lines.map((catalog) => servedCatalog(catalog));
  /** The catalog of the line that a file says it is of; of a line that is not here, that of homes says so. */
  const ofLine = (file: unknown): Catalog => {
    const line = isObject(file) ? file['line'] : undefined;
    return others.find(({ latest }) => latest.vocabulary.line === line)?.latest ?? served.latest;
  };
  const turnOf = ({ organizationId }: RulesSource): Turn => {
    if (!turns) return createTurn();
    return turns.pieceOf(organizationId === undefined ? 'operator' : organizationTenant(organizationId));
  };
  return {
    async checkCarrierRules(file, from) {
      const { faults, ruleSet } = await checkRuleSetSoon(
        file,
        { vocabulary: ofLine(file).vocabulary, fromStranger: true },
        turnOf(from),
      );
      return ruleSet ? { faults, ruleSet } : { faults };
    },
    async checkOverride(file, from) {
      const key =
        typeof file === 'object' && file !== null ? (file as { carrier_key?: unknown }).carrier_key : undefined;
      const has = (catalog: Catalog) => catalog.carriers.some((each) => each.key === key);
      const catalog = others.find(({ latest }) => has(latest))?.latest ?? served.latest;
      const carrier = catalog.carriers.find((each) => each.key === key);
      const ruleSets = carrier?.versions.map((version) => version.ruleSet) ?? [];
      const { faults, override } = await checkOverrideSoon(file, ruleSets, turnOf(from), catalog.vocabulary);
      return override ? { faults, override: { sha256: override.sha256 } } : { faults };
    },
    takeTurn: (from, work) => queue.run(tenantOf(from), from.signal, work),
    async reviewRuleSet(
      { ruleSet, cases, inForce, atMs, maxFindings }: ReviewRequest,
      { organizationId, signal }: RulesSource,
    ) {
      const input = {
        file: ruleSet,
        cases,
        inForce: inForce ?? servedFiles(ofLine(ruleSet), ruleSet),
        atMs,
        fromStranger: organizationId !== undefined,
        maxFindings,
        maxWork: organizationId === undefined ? MAX_REVIEW_WORK.ofOperator : MAX_REVIEW_WORK.ofOrganization,
      };
      const { faults, reviewed } = await thread.review(input, { signal });
      if (reviewed === undefined) return { faults };
      const { identity, ...found } = reviewed;
      return { faults, ruleSet: identity, review: found as RuleSetReview };
    },
    replayRuleSet(
      { ruleSet, inForce, overrides, homes, atMs, maxChanges }: ReplayRequest,
      { organizationId, signal }: RulesSource,
    ) {
      const input = {
        file: ruleSet,
        inForce: inForce ?? servedFiles(ofLine(ruleSet), ruleSet),
        overrides,
        atMs,
        fromStranger: organizationId !== undefined,
        maxChanges,
      };
      return thread.replay(input, homes, { signal });
    },
    async caseOfDecision({ record, answers, ...wanted }) {
      const { caseOfDecision } = await import('@leeward/engine/authoring');
      const source: unknown = JSON.parse(record);
      return caseOfDecision(source, JSON.parse(answers), wanted, ofLine(source).vocabulary);
    },
    checkMoratorium(moratorium) {
      const found = [served, ...others].map(({ latest }) => moratoriumFaults(moratorium, latest.vocabulary));
      // It stops what it names of any line: one in whose words it is right is enough.
      return found.reduce((fewest, faults) => (faults.length < fewest.length ? faults : fewest));
    },
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

/** Threads that began, by the modules that they know: services of one process share them, and each loads the engine once. */
const sharedThreads = new Map<string, SharedThread>();

/** A thread that begins with the first review, and its queue. */
function sharedThread(lineModules: readonly string[]): SharedThread {
  const modules = JSON.stringify(lineModules);
  const known = sharedThreads.get(modules);
  if (known !== undefined) return known;
  let opened: Promise<ReviewThread> | undefined;
  const open = () => {
    opened ??= import('@leeward/engine/review-thread').then(({ createReviewThread }) =>
      createReviewThread({ lineModules }),
    );
    return opened;
  };
  const thread: ReviewingThread = {
    review: async (input, call) => (await open()).review(input, call),
    replay: async (input, homes, call) => (await open()).replay(input, homes, call),
  };
  const shared = { thread, queue: createReviewQueue() };
  sharedThreads.set(modules, shared);
  return shared;
}

/** What is served of a carrier that the registry does not know yet. */
function servedFiles({ carriers }: Catalog, ruleSet: unknown): readonly unknown[] {
  const carrier = isObject(ruleSet) ? ruleSet['carrier'] : undefined;
  const key = isObject(carrier) ? carrier['key'] : undefined;
  return carriers.find((each) => each.key === key)?.versions.map((version) => version.ruleSet.file) ?? [];
}

/** A rule set that offers everything everywhere: what a moratorium may name, it writes. */
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
