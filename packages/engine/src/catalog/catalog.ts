import { states } from '@leeward/places/counties';
import type { BookTables } from '../book/book-tables.ts';
import { isCompiled } from '../compiled/compile-program.ts';
import { compiledProgram } from '../compiled/compiled-programs.ts';
import { NOT_JUDGED } from '../planes/read-planes.ts';
import { findByReference } from '../reference/find-by-reference.ts';
import { createReferenceEvaluator } from '../reference/reference-evaluator.ts';
import { expectVocabulary, type Property } from '../request/property.ts';
import { coversState } from '../rule-set/places.ts';
import type { RuleSet } from '../rule-set/rule-set.ts';
import { createTurn, nextTurn, runInTurns, type Turn } from '../turns/turn.ts';
import type { Reason, Verdict } from '../verdict/verdict.ts';
import { type CarrierRules, verdictOf } from '../verdict/verdict-of.ts';
import { createVocabulary } from '../vocabulary/fact-index.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { bookTables } from './book-tables.ts';
import { type CatalogChange, changedCarriers } from './catalog-change.ts';
import type { CatalogOptions } from './catalog-options.ts';
import {
  carriersByName,
  countStatuses,
  type Decision,
  emptyDecision,
  isOffered,
  lazyDecision,
  type NotJudged,
  type NotOffered,
} from './decision.ts';
import { createEras } from './eras.ts';
import {
  knownTables,
  readyTables,
  type StatusTables,
  statusTables,
  statusTablesSoon,
  writeStatusCodes,
} from './status-tables.ts';
import { declinesByTables } from './table-declines.ts';
import { type JudgedCarriers, judgeByTables, judgeByTablesInSteps, withOthers } from './table-verdicts.ts';
import { type TestedFieldsQuery, testedFields } from './tested-fields.ts';
import type { Carrier } from './versions.ts';

/** Who judges one version of a carrier's rules. */
export interface EvaluatorChoice {
  readonly carrierKey: string;
  readonly version: string;
  readonly evaluator: 'compiled' | 'reference';
  /** Why the reference judges it. */
  readonly reason?: string;
}

/** Carriers and their rule sets, ready to judge properties. Immutable: a change is a new catalog. */
export interface Catalog {
  readonly vocabulary: Vocabulary;
  /** What it was made with: the host's own facts and operators among them. */
  readonly options: CatalogOptions;
  readonly carriers: readonly Carrier[];
  /** Which evaluator judges each rule set, and why. */
  readonly evaluators: readonly EvaluatorChoice[];
  /**
   * What every carrier says of a property: for its policy type, or for every type where none is asked for. Tables that
   * are not there yet are built rule by rule, between which others have their turn.
   */
  decide(property: Property, options?: DecideOptions): Promise<Decision>;
  /**
   * The same, at once. Carriers whose rules ask the host are not judged: `notJudged` names them, `evaluators` says why.
   * Throws where the whole catalog judges by the reference evaluator.
   */
  decideSync(property: Property, options?: DecideOptions): Decision;
  /**
   * Statuses alone, as fast as they come: one code a carrier (an index into `STATUS_CODES`) in the order of
   * `carriers`; where no policy type is asked for, all carriers for the first type, then for the next.
   * `normalized` (default): sound, but a status that only several rules together settle stays
   * `needs_information`; `exact` settles those too. Carriers whose rules ask the host are `not_judged`.
   * `out` is used where it is given and large enough.
   */
  statusCodes(property: Property, out?: Uint8Array, mode?: 'normalized' | 'exact'): Uint8Array;
  /**
   * Why not, and nothing else: for every carrier and policy type that certainly declines, its reasons. Carriers
   * whose rules ask the host are left out: nothing is known of them here.
   */
  declines(property: Property): readonly DeclineAnswer[];
  /**
   * The compiled tables for a book of properties judged at one date: for `readBook`, and for worker threads,
   * which can be sent them. Carriers whose rules ask the host come out as `not_judged`.
   */
  bookTables(dates: BookDates): BookTables;
  /**
   * Request names of the fields that the rules test, of all carriers or of one, for one policy type or state:
   * what a form has to ask. In the vocabulary's order.
   */
  testedFields(query?: TestedFieldsQuery): readonly string[];
  /**
   * Builds, rule by rule, what decisions on one effective date read: so that the first of them does not wait. Others have
   * their turn in between.
   */
  prepare(effectiveDate: string, policyTypes?: readonly string[], turn?: Turn): Promise<void>;
  /**
   * A catalog with some carriers added, changed or removed. The others are neither checked nor compiled again; what
   * decisions read is laid out anew when it is first asked for, or by `prepare`. This one stays as it is. Throws a
   * `RuleSetError` with all that is wrong with the new files, or with what is to be removed.
   */
  update(change: CatalogChange): Catalog;
}

/** Who is asked. */
export interface DecideOptions {
  /** Carriers and policy types that are asked; the others are neither judged nor counted. Default: all. */
  readonly isAppointed?: (carrierKey: string, policyType: string, property: Property) => boolean;
  /** Whose turn it is, where the answer is waited for; default one of its own. */
  readonly turn?: Turn;
}

/** When a whole book is judged: the instant of asking and the effective date are one for all rows. */
export interface BookDates {
  readonly asOf: Date;
  /** `YYYY-MM-DD`. */
  readonly effectiveDate: string;
}

export interface DeclineAnswer {
  readonly carrierKey: string;
  readonly policyType: string;
  readonly reasons: readonly Reason[];
}

/**
 * A catalog of carriers that were checked already. Compiled programs are shared between catalogs. `onBuilt` is told
 * what tables take in memory, as estimated, when they are built.
 */
export function catalogOf(
  carriers: readonly Carrier[],
  options: CatalogOptions = {},
  onBuilt?: (bytes: number) => void,
): Catalog {
  const vocabulary = createVocabulary(options.vocabulary ?? homeVocabulary);
  const reference = createReferenceEvaluator({ operators: options.operators ?? {}, facts: options.facts ?? {} });
  const isReference = options.evaluator === 'reference';

  const eras = createEras(carriers);
  const eraOf = eras.of;
  const tablesOf = (property: Property, policyType: string): StatusTables => {
    if (isReference) throw new Error('This catalog judges by the reference evaluator alone; use decide instead.');
    const era = eraOf(property.effectiveDate);
    return knownTables(era, policyType) ?? statusTables(era, policyType, vocabulary, onBuilt);
  };
  /** Carriers of the tables that ask the host, as far as they offer the policy type at all. */
  const hostCarriers = (tables: StatusTables, property: Property, policyType: string): readonly number[] => {
    if (tables.reference.length === 0) return tables.reference;
    const { versions } = eraOf(property.effectiveDate);
    return tables.reference.filter((carrier) => isOffered(versions[carrier]!.ruleSet, policyType, property));
  };
  const tablesSoon = (property: Property, policyType: string, turn: Turn): StatusTables | Promise<StatusTables> => {
    const era = eraOf(property.effectiveDate);
    return readyTables(era, policyType) ?? statusTablesSoon(era, policyType, vocabulary, turn, onBuilt);
  };
  const policyTypesOf = (property: Property): readonly string[] =>
    property.policyType === undefined ? vocabulary.policyTypes : [property.policyType];
  type IsAsked = ((carrier: number) => boolean) | undefined;
  interface Asked extends DecideOptions {
    asked: number;
    readonly notJudged: NotJudged[];
  }
  /** The filter of a decision for one policy type, and how many carriers it lets through. */
  const askedOf = (property: Property, policyType: string, { isAppointed }: DecideOptions): [IsAsked, number] => {
    if (!isAppointed) return [undefined, carriers.length];
    const asked = carriers.map(({ key }) => isAppointed(key, policyType, property));
    return [(carrier) => asked[carrier]!, asked.filter(Boolean).length];
  };
  /** The decision of all answers, each list for one policy type. */
  const decisionOfAll = (
    property: Property,
    answers: readonly JudgedCarriers[],
    { asked, isAppointed, notJudged }: Asked,
  ): Decision => {
    const count = answers.reduce((sum, each) => sum + each.count, 0);
    const era = eraOf(property.effectiveDate);
    const byName = carriersByName(era);
    const policyTypes = policyTypesOf(property);
    return lazyDecision(
      countStatuses(statusesOf(answers), asked - count - notJudged.length),
      () => verdictsByName(answers, byName, carriers.length),
      vocabulary,
      () => ({
        notOffered: policyTypes.flatMap((policyType) =>
          notOfferedOf(carriers, era.versions, property, policyType, isAppointed),
        ),
        notJudged,
      }),
    );
  };
  const isPlaced = (property: Property) => property.counties?.length !== 0;
  const writeCodes = (property: Property, policyType: string, out: Uint8Array, from: number, isExact: boolean) => {
    const tables = tablesOf(property, policyType);
    writeStatusCodes(tables, property, out, from, carriers.length, isExact);
    if (tables.reference.length === 0) return;
    for (const carrier of hostCarriers(tables, property, policyType)) out[from + carrier] = NOT_JUDGED;
  };

  return {
    vocabulary,
    options,
    carriers,
    get evaluators() {
      return carriers.flatMap((carrier) =>
        carrier.versions.map((version) => choiceOf(version, vocabulary, !isReference)),
      );
    },
    async decide(property, options = {}) {
      expectVocabulary(property, vocabulary);
      if (!isPlaced(property)) return emptyDecision();
      const { versions } = eraOf(property.effectiveDate);
      const answers: JudgedCarriers[] = [];
      const asked: Asked = { ...options, asked: 0, notJudged: [] };
      const { turn = createTurn() } = options;
      for (const policyType of policyTypesOf(property)) {
        const [isAsked, count] = askedOf(property, policyType, options);
        asked.asked += count;
        const tables = isReference ? undefined : await tablesSoon(property, policyType, turn);
        const byTables = await runInTurns(judgeByTablesInSteps(tables?.rules ?? [], property, versions, isAsked), turn);
        const others: [number, Verdict][] = [];
        for (const carrier of tables?.reference ?? carriers.keys()) {
          const version = versions[carrier];
          if (!version || isAsked?.(carrier) === false) continue;
          const found = await findByReference(version.ruleSet, policyType, property, reference);
          if (found) others.push([carrier, verdictOf(found, version, policyType, property)]);
        }
        answers.push(withOthers(byTables, others));
        await nextTurn(turn);
      }
      return decisionOfAll(property, answers, asked);
    },
    decideSync(property, options = {}) {
      expectVocabulary(property, vocabulary);
      if (!isPlaced(property)) return emptyDecision();
      const { versions } = eraOf(property.effectiveDate);
      const asked: Asked = { ...options, asked: 0, notJudged: [] };
      const answers = policyTypesOf(property).map((policyType) => {
        const [isAsked, count] = askedOf(property, policyType, options);
        asked.asked += count;
        const tables = tablesOf(property, policyType);
        for (const carrier of hostCarriers(tables, property, policyType)) {
          if (isAsked?.(carrier) === false) continue;
          const { carrierKey, carrierName } = versions[carrier]!.ruleSet;
          asked.notJudged.push({ carrierKey, carrierName, policyType, code: 'needs_host' });
        }
        return judgeByTables(tables.rules, property, versions, isAsked);
      });
      return decisionOfAll(property, answers, asked);
    },
    declines(property) {
      expectVocabulary(property, vocabulary);
      if (!isPlaced(property)) return [];
      const answers: DeclineAnswer[] = [];
      const { versions } = eraOf(property.effectiveDate);
      for (const policyType of policyTypesOf(property)) {
        const { rules } = tablesOf(property, policyType);
        declinesByTables(rules, property, versions, (carrier, reasons) => {
          answers.push({ carrierKey: carriers[carrier]!.key, policyType, reasons });
        });
      }
      return answers;
    },
    testedFields: (query) => testedFields(carriers, vocabulary, query),
    bookTables({ asOf, effectiveDate }) {
      const era = eraOf(effectiveDate);
      if (isReference) throw new Error('This catalog judges by the reference evaluator alone; use decide instead.');
      const tables = vocabulary.policyTypes.map((policyType) => statusTables(era, policyType, vocabulary, onBuilt));
      const notJudged = tables.map(({ reference }, type) =>
        reference.map((carrier) => ({
          carrier,
          states: statesOffered(era.versions[carrier]!.ruleSet, vocabulary.policyTypes[type]!),
        })),
      );
      return bookTables(carriers.length, asOf.getTime(), tables, notJudged);
    },
    update: (change) => catalogOf(changedCarriers(carriers, change, options), options, onBuilt),
    async prepare(effectiveDate, policyTypes = vocabulary.policyTypes, turn = createTurn()) {
      if (isReference) return;
      const era = eras.prepared(effectiveDate);
      for (const policyType of policyTypes) await statusTablesSoon(era, policyType, vocabulary, turn, onBuilt);
    },
    statusCodes(property, out, mode = 'normalized') {
      expectVocabulary(property, vocabulary);
      const isExact = mode === 'exact';
      const count = carriers.length;
      const { policyType } = property;
      const size = policyType === undefined ? count * vocabulary.policyTypes.length : count;
      const codes = out !== undefined && out.length >= size ? out : new Uint8Array(size);
      if (!isPlaced(property)) return codes.fill(0, 0, size);
      if (policyType !== undefined) writeCodes(property, policyType, codes, 0, isExact);
      else {
        vocabulary.policyTypes.forEach((each, index) => {
          writeCodes(property, each, codes, index * count, isExact);
        });
      }
      return codes;
    },
  };
}

function* statusesOf(answers: readonly JudgedCarriers[]): Generator<Verdict['status']> {
  for (const answer of answers) for (let index = 0; index < answer.count; index++) yield answer.statusOf(index);
}

/** Verdicts by carrier name, then policy type, then key. */
function verdictsByName(
  answers: readonly JudgedCarriers[],
  byName: readonly (readonly number[])[],
  carrierCount: number,
): Verdict[] {
  const places = answers.map((answer) => {
    const place = new Int32Array(carrierCount).fill(-1);
    for (let index = 0; index < answer.count; index++) place[answer.carrierOf(index)] = index;
    return place;
  });
  const verdicts: Verdict[] = [];
  for (const carriers of byName) {
    answers.forEach((answer, type) => {
      for (const carrier of carriers) {
        const place = places[type]![carrier]!;
        if (place >= 0) verdicts.push(answer.verdictOf(place));
      }
    });
  }
  return verdicts;
}

/** States in which a rule set offers a policy type, by their places in the list of all. */
function statesOffered({ programs }: RuleSet, policyType: string): ReadonlySet<number> {
  const offering = programs.filter((program) => program.policyTypes.includes(policyType));
  return new Set(
    states.flatMap(({ code }, index) => (offering.some(({ places }) => coversState(places, code)) ? [index] : [])),
  );
}

/** Who offers a policy type not at all, and why. */
function notOfferedOf(
  carriers: readonly Carrier[],
  versions: readonly (CarrierRules | undefined)[],
  property: Property,
  policyType: string,
  isAppointed: DecideOptions['isAppointed'],
): NotOffered[] {
  const found: NotOffered[] = [];
  carriers.forEach(({ key, name }, carrier) => {
    const ruleSet = versions[carrier]?.ruleSet;
    const is = (code: NotOffered['code']) =>
      void found.push({ carrierKey: key, carrierName: ruleSet?.carrierName ?? name, policyType, code });
    if (isAppointed?.(key, policyType, property) === false) is('not_appointed');
    else if (!ruleSet) is('no_version');
    else if (!isOffered(ruleSet, policyType, property)) is('no_program');
  });
  return found;
}

function choiceOf({ ruleSet }: CarrierRules, vocabulary: Vocabulary, compiled: boolean): EvaluatorChoice {
  const of = { carrierKey: ruleSet.carrierKey, version: ruleSet.version };
  if (!compiled) return { ...of, evaluator: 'reference', reason: 'asked for' };
  const year = Number(ruleSet.effectiveFrom.slice(0, 4));
  for (const policyType of vocabulary.policyTypes) {
    const program = compiledProgram(ruleSet, policyType, year, vocabulary);
    if (program && !isCompiled(program)) return { ...of, evaluator: 'reference', reason: program.reason };
  }
  return { ...of, evaluator: 'compiled' };
}
