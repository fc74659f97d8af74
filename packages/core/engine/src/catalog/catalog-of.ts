/**
 * The catalog: its methods are functions of a `CatalogState`. A decision finds the era of the effective date, evaluates the rule tables
 * for each policy type, evaluates the carriers that need the host with json-rules-engine, and wraps all answers in a lazy decision.
 */
import { createAlmanac, type HostFailure } from '../reference/almanac.ts';
import { evaluateByEngine, readHostFacts } from '../reference/evaluate-by-engine.ts';
import type { Evaluator } from '../reference/evaluator.ts';
import { createReferenceEvaluator } from '../reference/reference-evaluator.ts';
import { expectVocabulary, type Property } from '../request/property.ts';
import { abortableTurn, createTurn, nextTurn, type Turn } from '../turns/turn.ts';
import { NOT_JUDGED } from '../verdict/status-codes.ts';
import type { Reason, Verdict } from '../verdict/verdict.ts';
import { verdictOf } from '../verdict/verdict-of.ts';
import { createVocabulary, factIndex } from '../vocabulary/fact-index.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { Catalog, DecideOptions, DeclineAnswer } from './catalog.ts';
import { changedCarriers } from './catalog-change.ts';
import type { CatalogOptions } from './catalog-options.ts';
import { registerCatalog } from './compiled-carriers.ts';
import {
  carriersByName,
  countStatuses,
  createLazyDecision,
  type Decision,
  emptyDecision,
  findNotOffered,
  isOffered,
  type NotEvaluated,
} from './decision.ts';
import { createEras, type Era, type Eras } from './eras.ts';
import { choiceOf } from './evaluator-choice.ts';
import {
  evaluateLadders,
  evaluateLaddersAsync,
  joinAnswers,
  visitLadderDeclines,
  writeLadderCodes,
} from './ladder-answers.ts';
import { buildTables, type OnBuilt, type StatusTables, statusTables, writeStatusCodes } from './status-tables.ts';
import {
  type CarrierAnswers,
  evaluateTables,
  evaluateTablesAsync,
  type IsIncluded,
  statusesOf,
  verdictsByName,
  visitDeclines,
  withVerdicts,
} from './table-verdicts.ts';
import { testedFields } from './tested-fields.ts';
import type { Carrier } from './versions.ts';

interface CatalogState {
  readonly carriers: readonly Carrier[];
  readonly options: CatalogOptions;
  readonly vocabulary: Vocabulary;
  readonly eras: Eras;
  readonly engine: Evaluator;
  readonly usesEngineOnly: boolean;
  readonly onBuilt: OnBuilt | undefined;
}

/**
 * Creates a catalog of checked carriers. Compiled programs are shared between catalogs.
 *
 * @param onBuilt called with the estimated bytes of tables when they are built
 * @example const catalog = catalogOf(carriersOf([{ ruleSet, source: 'catalog' }]));
 */
export function catalogOf(carriers: readonly Carrier[], options: CatalogOptions = {}, onBuilt?: OnBuilt): Catalog {
  const vocabulary = createVocabulary(options.vocabulary ?? homeVocabulary);
  expectNewNames(options, vocabulary);
  const state: CatalogState = {
    carriers,
    options,
    vocabulary,
    eras: createEras(carriers),
    engine: createReferenceEvaluator(options),
    usesEngineOnly: options.evaluator === 'reference',
    onBuilt,
  };
  const catalog: Catalog = {
    vocabulary,
    options,
    carriers,
    get evaluators() {
      return carriers.flatMap((carrier) =>
        carrier.versions.map((version) => choiceOf(version, vocabulary, !state.usesEngineOnly)),
      );
    },
    decide: (property, deciding = {}) => decide(state, property, deciding),
    decideSync: (property, deciding = {}) => decideSync(state, property, deciding),
    declines: (property) => findDeclines(state, property),
    testedFields: (query) => testedFields(carriers, vocabulary, query),
    update: (change) => catalogOf(changedCarriers(carriers, change, options), options, onBuilt),
    prepare: (effectiveDate, policyTypes = vocabulary.policyTypes, turn = createTurn()) =>
      prepare(state, effectiveDate, policyTypes, turn),
    statusCodes: (property, out) => statusCodes(state, property, out),
  };
  return registerCatalog(catalog, (effectiveDate, policyType) => tablesOf(state, effectiveDate, policyType));
}

/** Only some carriers would use a host fact that is named like a fact of the line. */
function expectNewNames({ facts = {} }: CatalogOptions, vocabulary: Vocabulary): void {
  const duplicate = Object.keys(facts).find((name) => factIndex(vocabulary).names.includes(name));
  if (duplicate === undefined) return;
  throw new RangeError(`"${duplicate}" is a fact of the line ${vocabulary.line}; give the host's fact another name.`);
}

async function decide(state: CatalogState, property: Property, options: DecideOptions): Promise<Decision> {
  expectVocabulary(property, state.vocabulary);
  const {
    signal,
    turn: sharedTurn = createTurn(),
    almanac = createAlmanac(state.options, property, options),
  } = options;
  signal?.throwIfAborted();
  if (!hasPossiblePlace(property)) return emptyDecision();
  const { versions } = state.eras.of(property.effectiveDate);
  const answers: CarrierAnswers[] = [];
  let includedCount = 0;
  const turn = signal ? abortableTurn(sharedTurn, signal) : sharedTurn;
  for (const policyType of policyTypesOf(state, property)) {
    const { isIncluded, count } = filterCarriers(state, property, policyType, options);
    includedCount += count;
    const tables = state.usesEngineOnly ? undefined : tablesOf(state, property.effectiveDate, policyType);
    if (tables && !tables.isReady) await buildTables(tables, turn);
    const fromTables = joinAnswers(
      await evaluateTablesAsync(tables?.rules ?? [], property, versions, isIncluded, turn),
      await evaluateLaddersAsync(tables?.ladders ?? [], property, versions, isIncluded, turn),
    );
    const hostCarriers = [...(tables?.reference ?? state.carriers.keys())].filter(
      (carrier) => versions[carrier] && isIncluded?.(carrier) !== false,
    );
    const ruleSets = hostCarriers.map((carrier) => versions[carrier]!.ruleSet);
    if (ruleSets.length > 0) await readHostFacts(ruleSets, policyType, property, almanac);
    const verdicts: [number, Verdict][] = [];
    for (const carrier of hostCarriers) {
      const version = versions[carrier]!;
      const findings = await evaluateByEngine(version.ruleSet, policyType, property, state.engine, almanac);
      signal?.throwIfAborted();
      if (findings) verdicts.push([carrier, verdictOf(findings, version, policyType, property)]);
    }
    answers.push(withVerdicts(fromTables, verdicts));
    await nextTurn(turn);
  }
  return createDecision(state, property, answers, {
    isAppointed: options.isAppointed,
    includedCount,
    notEvaluated: [],
    hostFailures: () => almanac.failures,
  });
}

function decideSync(state: CatalogState, property: Property, options: DecideOptions): Decision {
  expectVocabulary(property, state.vocabulary);
  if (!hasPossiblePlace(property)) return emptyDecision();
  const { versions } = state.eras.of(property.effectiveDate);
  const notEvaluated: NotEvaluated[] = [];
  let includedCount = 0;
  const answers = policyTypesOf(state, property).map((policyType) => {
    const { isIncluded, count } = filterCarriers(state, property, policyType, options);
    includedCount += count;
    const tables = tablesOf(state, property.effectiveDate, policyType);
    for (const carrier of hostCarriersOf(state, tables, property, policyType)) {
      if (isIncluded?.(carrier) === false) continue;
      const { carrierKey, carrierName } = versions[carrier]!.ruleSet;
      notEvaluated.push({ carrierKey, carrierName, policyType, code: 'needs_host' });
    }
    return joinAnswers(
      evaluateTables(tables.rules, property, versions, isIncluded),
      evaluateLadders(tables.ladders, property, versions, isIncluded),
    );
  });
  return createDecision(state, property, answers, {
    isAppointed: options.isAppointed,
    includedCount,
    notEvaluated,
    hostFailures: () => [],
  });
}

interface DecisionInput {
  readonly isAppointed: DecideOptions['isAppointed'];
  /** Number of included carriers, summed over policy types. */
  readonly includedCount: number;
  readonly notEvaluated: readonly NotEvaluated[];
  readonly hostFailures: () => readonly HostFailure[];
}

/** @param answers one for each policy type, in order */
function createDecision(
  state: CatalogState,
  property: Property,
  answers: readonly CarrierAnswers[],
  { isAppointed, includedCount, notEvaluated, hostFailures }: DecisionInput,
): Decision {
  const { carriers, vocabulary } = state;
  const answerCount = answers.reduce((sum, each) => sum + each.count, 0);
  const era: Era = state.eras.of(property.effectiveDate);
  const byName = carriersByName(era);
  return createLazyDecision(
    countStatuses(statusesOf(answers), includedCount - answerCount - notEvaluated.length),
    () => verdictsByName(answers, byName, carriers.length),
    vocabulary,
    () => ({
      notOffered: policyTypesOf(state, property).flatMap((policyType) =>
        findNotOffered(carriers, era.versions, property, policyType, isAppointed),
      ),
      notEvaluated,
      hostFailures: hostFailures(),
    }),
  );
}

function findDeclines(state: CatalogState, property: Property): DeclineAnswer[] {
  expectVocabulary(property, state.vocabulary);
  if (!hasPossiblePlace(property)) return [];
  const answers: DeclineAnswer[] = [];
  const { versions } = state.eras.of(property.effectiveDate);
  for (const policyType of policyTypesOf(state, property)) {
    const { rules, ladders } = tablesOf(state, property.effectiveDate, policyType);
    const visit = (carrier: number, reasons: readonly Reason[], isJoint: boolean) => {
      answers.push({ carrierKey: state.carriers[carrier]!.key, policyType, reasons, isJoint });
    };
    visitDeclines(rules, property, versions, visit);
    visitLadderDeclines(ladders, property, versions, visit);
  }
  return answers;
}

async function prepare(
  state: CatalogState,
  effectiveDate: string,
  policyTypes: readonly string[],
  turn: Turn,
): Promise<void> {
  if (state.usesEngineOnly) return;
  const era = state.eras.prepared(effectiveDate);
  for (const policyType of policyTypes) {
    await buildTables(statusTables(era, policyType, state.vocabulary, state.onBuilt), turn);
  }
}

function statusCodes(state: CatalogState, property: Property, out: Uint8Array | undefined): Uint8Array {
  expectVocabulary(property, state.vocabulary);
  const count = state.carriers.length;
  const policyTypes = policyTypesOf(state, property);
  const size = count * policyTypes.length;
  const codes = out !== undefined && out.length >= size ? out : new Uint8Array(size);
  codes.fill(0, 0, size);
  if (!hasPossiblePlace(property)) return codes;
  policyTypes.forEach((policyType, index) => {
    const tables = tablesOf(state, property.effectiveDate, policyType);
    const from = index * count;
    writeStatusCodes(tables, property, codes, from);
    writeLadderCodes(tables.ladders, property, codes, from);
    for (const carrier of hostCarriersOf(state, tables, property, policyType)) codes[from + carrier] = NOT_JUDGED;
  });
  return codes;
}

function tablesOf(state: CatalogState, effectiveDate: string, policyType: string): StatusTables {
  if (state.usesEngineOnly) throw new Error('This catalog evaluates all rules with json-rules-engine; use decide.');
  return statusTables(state.eras.of(effectiveDate), policyType, state.vocabulary, state.onBuilt);
}

function hostCarriersOf(
  { eras }: CatalogState,
  tables: StatusTables,
  property: Property,
  policyType: string,
): readonly number[] {
  if (tables.reference.length === 0) return tables.reference;
  const { versions } = eras.of(property.effectiveDate);
  return tables.reference.filter((carrier) => isOffered(versions[carrier]!.ruleSet, policyType, property));
}

/** Returns the filter for one policy type, and the number of carriers that pass it. */
function filterCarriers(
  { carriers }: CatalogState,
  property: Property,
  policyType: string,
  { isAppointed }: DecideOptions,
): { readonly isIncluded: IsIncluded; readonly count: number } {
  if (!isAppointed) return { isIncluded: undefined, count: carriers.length };
  const included = carriers.map(({ key }) => isAppointed(key, policyType, property));
  return { isIncluded: (carrier) => included[carrier]!, count: included.filter(Boolean).length };
}

function policyTypesOf({ vocabulary }: CatalogState, { policyType }: Property): readonly string[] {
  return policyType === undefined ? vocabulary.policyTypes : [policyType];
}

function hasPossiblePlace({ counties }: Property): boolean {
  return counties?.length !== 0;
}
