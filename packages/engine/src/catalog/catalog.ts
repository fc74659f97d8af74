import type { Fault } from '@leeward/terms';
import { type BookTables, bookTables } from '../book/decide-book.ts';
import { isCompiled } from '../compiled/compile-program.ts';
import { compiledProgram } from '../compiled/compiled-programs.ts';
import { findByReference } from '../reference/find-by-reference.ts';
import { createReferenceEvaluator, type HostFact, type HostOperator } from '../reference/reference-evaluator.ts';
import { expectVocabulary, type Property } from '../request/property.ts';
import { type CheckedRuleSet, checkRuleSet } from '../rule-set/check.ts';
import type { Reason, Source, Verdict } from '../verdict/verdict.ts';
import { type CarrierRules, verdictOf } from '../verdict/verdict-of.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import { createVocabulary, type Vocabulary } from '../vocabulary/vocabulary.ts';
import { countStatuses, type Decision, emptyDecision, lazyDecision } from './decision.ts';
import { createEras } from './eras.ts';
import { RuleSetError } from './rule-set-error.ts';
import { type StatusTables, statusTables, writeStatusCodes } from './status-tables.ts';
import { declinesByTables } from './table-declines.ts';
import { type JudgedCarriers, judgeByTables, withOthers } from './table-verdicts.ts';
import { type TestedFieldsQuery, testedFields } from './tested-fields.ts';
import { carriersByName } from './verdict-order.ts';
import type { Carrier } from './versions.ts';

/** A rule set for a catalog: a file as JSON has it, where it comes from, and for whom. */
export interface CatalogEntry {
  readonly file: unknown;
  /** Named in faults: a path, a row. Default: its place in the list. */
  readonly name?: string;
  readonly source?: Source;
}

/** What a catalog is made with, beside its rule sets. */
export interface CatalogOptions {
  /** Line of business; default homes. */
  readonly vocabulary?: Vocabulary;
  /** The host's own facts, by name: rules may test them; they go to the reference evaluator. */
  readonly facts?: Readonly<Record<string, HostFact>>;
  /** The host's own operators, by name. */
  readonly operators?: Readonly<Record<string, HostOperator>>;
  /** `reference` judges everything by json-rules-engine: slow, and what the compiled answers are compared with. */
  readonly evaluator?: 'compiled' | 'reference';
}

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
  /** What every carrier says of a property: for its policy type, or for every type where none is asked for. */
  decide(property: Property, options?: DecideOptions): Promise<Decision>;
  /** The same, at once. Throws where a rule set needs the reference evaluator, which is asynchronous. */
  decideSync(property: Property, options?: DecideOptions): Decision;
  /**
   * Statuses alone, as fast as they come: one code a carrier (an index into `STATUS_CODES`) in the order of
   * `carriers`; where no policy type is asked for, all carriers for the first type, then for the next.
   * `normalized` (default): sound, but a status that only several rules together settle stays
   * `needs_information`; `exact` settles those too. Throws where a rule set needs the reference evaluator.
   * `out` is used where it is given and large enough.
   */
  statusCodes(property: Property, out?: Uint8Array, mode?: 'normalized' | 'exact'): Uint8Array;
  /**
   * Why not, and nothing else: for every carrier and policy type that certainly declines, its reasons.
   * Throws where a rule set needs the reference evaluator.
   */
  declines(property: Property): readonly DeclineAnswer[];
  /**
   * The compiled tables for a book of properties judged at one date: for `readBook`, and for worker threads,
   * which can be sent them. Throws where a rule set needs the reference evaluator.
   */
  bookTables(dates: BookDates): BookTables;
  /**
   * Request names of the fields that the rules test, of all carriers or of one, for one policy type or state:
   * what a form has to ask. In the vocabulary's order.
   */
  testedFields(query?: TestedFieldsQuery): readonly string[];
}

/** Who is asked. */
export interface DecideOptions {
  /** Carriers and policy types that are asked; the others are neither judged nor counted. Default: all. */
  readonly isAppointed?: (carrierKey: string, policyType: string, property: Property) => boolean;
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

/** Builds a catalog from rule-set files. Throws one `RuleSetError` with the faults of all files. */
export function createCatalog(entries: readonly CatalogEntry[], options: CatalogOptions = {}): Catalog {
  const faults: (Fault & { source: string })[] = [];
  const rules: (CarrierRules & { name: string })[] = [];
  entries.forEach((entry, index) => {
    const name = entry.name ?? `rule set ${index + 1}`;
    const checked = checkForCatalog(entry.file, options);
    for (const fault of checked.faults) faults.push({ ...fault, source: name });
    if (checked.ruleSet) rules.push({ ruleSet: checked.ruleSet, source: entry.source ?? 'catalog', name });
  });
  faults.push(...versionFaults(rules));
  if (faults.length > 0) throw new RuleSetError(faults);
  return catalogOf(carriersOf(rules), options);
}

function checkForCatalog(file: unknown, { vocabulary, facts, operators }: CatalogOptions): CheckedRuleSet {
  const names = (record: object | undefined) => new Set(Object.keys(record ?? {}));
  return checkRuleSet(file, {
    ...(vocabulary ? { vocabulary } : {}),
    host: { facts: names(facts), operators: names(operators) },
  });
}

/** A catalog of carriers that were checked already. Compiled programs are shared between catalogs. */
export function catalogOf(carriers: readonly Carrier[], options: CatalogOptions = {}): Catalog {
  const vocabulary = createVocabulary(options.vocabulary ?? homeVocabulary);
  const reference = createReferenceEvaluator({ operators: options.operators ?? {}, facts: options.facts ?? {} });
  const isReference = options.evaluator === 'reference';

  const eraOf = createEras(carriers);
  const tablesOf = (property: Property, policyType: string): StatusTables =>
    statusTables(eraOf(property.effectiveDate), policyType, vocabulary);
  const compiledTablesOf = (property: Property, policyType: string): StatusTables => {
    const tables = tablesOf(property, policyType);
    const needy = tables.reference[0];
    if (needy !== undefined) throw needsReference(carriers[needy]!.key);
    return tables;
  };
  const policyTypesOf = (property: Property): readonly string[] =>
    property.policyType === undefined ? vocabulary.policyTypes : [property.policyType];
  type IsAsked = ((carrier: number) => boolean) | undefined;
  /** The filter of a decision for one policy type, and how many carriers it lets through. */
  const askedOf = (property: Property, policyType: string, { isAppointed }: DecideOptions): [IsAsked, number] => {
    if (!isAppointed) return [undefined, carriers.length];
    const asked = carriers.map(({ key }) => isAppointed(key, policyType, property));
    return [(carrier) => asked[carrier]!, asked.filter(Boolean).length];
  };
  /** The decision of all answers, each list for one policy type. */
  const decisionOfAll = (property: Property, answers: readonly JudgedCarriers[], asked: number): Decision => {
    const count = answers.reduce((sum, each) => sum + each.count, 0);
    const byName = carriersByName(eraOf(property.effectiveDate));
    return lazyDecision(
      countStatuses(statusesOf(answers), asked - count),
      () => verdictsByName(answers, byName, carriers.length),
      vocabulary,
    );
  };
  const isPlaced = (property: Property) => property.counties?.length !== 0;

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
      let asked = 0;
      for (const policyType of policyTypesOf(property)) {
        const [isAsked, count] = askedOf(property, policyType, options);
        asked += count;
        const tables = isReference ? undefined : tablesOf(property, policyType);
        const byTables = judgeByTables(tables?.rules ?? [], property, versions, isAsked);
        const others: [number, Verdict][] = [];
        for (const carrier of tables?.reference ?? carriers.keys()) {
          const version = versions[carrier];
          if (!version || isAsked?.(carrier) === false) continue;
          const found = await findByReference(version.ruleSet, policyType, property, reference);
          if (found) others.push([carrier, verdictOf(found, version, policyType, property)]);
        }
        answers.push(withOthers(byTables, others));
      }
      return decisionOfAll(property, answers, asked);
    },
    decideSync(property, options = {}) {
      expectVocabulary(property, vocabulary);
      if (!isPlaced(property)) return emptyDecision();
      if (isReference) throw needsReference(carriers[0]?.key ?? '');
      const { versions } = eraOf(property.effectiveDate);
      let asked = 0;
      const answers = policyTypesOf(property).map((policyType) => {
        const [isAsked, count] = askedOf(property, policyType, options);
        asked += count;
        return judgeByTables(compiledTablesOf(property, policyType).rules, property, versions, isAsked);
      });
      return decisionOfAll(property, answers, asked);
    },
    declines(property) {
      expectVocabulary(property, vocabulary);
      if (!isPlaced(property)) return [];
      const answers: DeclineAnswer[] = [];
      const { versions } = eraOf(property.effectiveDate);
      for (const policyType of policyTypesOf(property)) {
        const { rules } = compiledTablesOf(property, policyType);
        declinesByTables(rules, property, versions, (carrier, reasons) => {
          answers.push({ carrierKey: carriers[carrier]!.key, policyType, reasons });
        });
      }
      return answers;
    },
    testedFields: (query) => testedFields(carriers, vocabulary, query),
    bookTables({ asOf, effectiveDate }) {
      const era = eraOf(effectiveDate);
      const tables = vocabulary.policyTypes.map((policyType) => statusTables(era, policyType, vocabulary));
      const needy = tables.find((each) => each.reference.length > 0)?.reference[0];
      if (needy !== undefined) throw needsReference(carriers[needy]!.key);
      return bookTables(carriers.length, asOf.getTime(), tables);
    },
    statusCodes(property, out, mode = 'normalized') {
      expectVocabulary(property, vocabulary);
      const isExact = mode === 'exact';
      const count = carriers.length;
      const { policyType } = property;
      const size = policyType === undefined ? count * vocabulary.policyTypes.length : count;
      const codes = out !== undefined && out.length >= size ? out : new Uint8Array(size);
      if (!isPlaced(property)) return codes.fill(0, 0, size);
      if (policyType !== undefined) {
        writeStatusCodes(compiledTablesOf(property, policyType), property, codes, 0, count, isExact);
      } else {
        vocabulary.policyTypes.forEach((each, index) => {
          writeStatusCodes(compiledTablesOf(property, each), property, codes, index * count, count, isExact);
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

function needsReference(carrierKey: string): Error {
  return new Error(`The rules of "${carrierKey}" need the reference evaluator; use decide instead.`);
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

/** Groups rule sets by carrier. */
export function carriersOf(rules: readonly CarrierRules[]): Carrier[] {
  const byKey = new Map<string, CarrierRules[]>();
  for (const each of rules) {
    const versions = byKey.get(each.ruleSet.carrierKey) ?? [];
    versions.push(each);
    byKey.set(each.ruleSet.carrierKey, versions);
  }
  return [...byKey].map(([key, versions]) => {
    versions.sort((a, b) => (a.ruleSet.effectiveFrom < b.ruleSet.effectiveFrom ? 1 : -1));
    return { key, name: versions[0]!.ruleSet.carrierName, versions };
  });
}

/** Two versions of one carrier that begin on the same date leave nobody knowing which applies. */
function versionFaults(rules: readonly (CarrierRules & { name: string })[]): (Fault & { source: string })[] {
  const seen = new Map<string, string>();
  const faults: (Fault & { source: string })[] = [];
  for (const { ruleSet, name } of rules) {
    const key = `${ruleSet.carrierKey} ${ruleSet.effectiveFrom}`;
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, name);
      continue;
    }
    const message = `"${ruleSet.carrierKey}" has another version from ${ruleSet.effectiveFrom} (${first}); give one of them another date.`;
    faults.push({ source: name, path: '/effective/from', code: 'same_effective_date', message });
  }
  return faults;
}
