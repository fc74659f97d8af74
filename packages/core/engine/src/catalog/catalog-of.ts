import { type Almanac, createAlmanac } from '../reference/almanac.ts';
import { evaluateByEngine, readHostFacts } from '../reference/evaluate-by-engine.ts';
import { createReferenceEvaluator } from '../reference/reference-evaluator.ts';
import { expectVocabulary, type Property } from '../request/property.ts';
import { abortableTurn, createTurn, nextTurn } from '../turns/turn.ts';
import { NOT_JUDGED } from '../verdict/status-codes.ts';
import type { Verdict } from '../verdict/verdict.ts';
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
  type Decision,
  emptyDecision,
  isOffered,
  lazyDecision,
  type NotJudged,
} from './decision.ts';
import { createEras } from './eras.ts';
import { choiceOf } from './evaluator-choice.ts';
import { statusesOf, verdictsByName } from './judged-verdicts.ts';
import { notOfferedOf } from './offered.ts';
import { buildTables, type StatusTables, statusTables, writeStatusCodes } from './status-tables.ts';
import { declinesByTables, type JudgedCarriers, judgeByTables, judgeInTurns, withOthers } from './table-verdicts.ts';
import { testedFields } from './tested-fields.ts';
import type { Carrier } from './versions.ts';

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
  expectOwnNames(options, vocabulary);
  const reference = createReferenceEvaluator(options);
  const isReference = options.evaluator === 'reference';

  const eras = createEras(carriers);
  const eraOf = eras.of;
  const tablesOf = ({ effectiveDate }: Pick<Property, 'effectiveDate'>, policyType: string): StatusTables => {
    if (isReference) throw new Error('This catalog judges by the reference evaluator alone; use decide instead.');
    return statusTables(eraOf(effectiveDate), policyType, vocabulary, onBuilt);
  };
  /** Carriers of the tables that ask the host, as far as they offer the policy type at all. */
  const hostCarriers = (tables: StatusTables, property: Property, policyType: string): readonly number[] => {
    if (tables.reference.length === 0) return tables.reference;
    const { versions } = eraOf(property.effectiveDate);
    return tables.reference.filter((carrier) => isOffered(versions[carrier]!.ruleSet, policyType, property));
  };
  const policyTypesOf = (property: Property): readonly string[] =>
    property.policyType === undefined ? vocabulary.policyTypes : [property.policyType];
  type IsAsked = ((carrier: number) => boolean) | undefined;
  interface Asked extends DecideOptions {
    asked: number;
    readonly almanac?: Almanac;
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
    { asked, isAppointed, notJudged, almanac }: Asked,
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
        hostFailures: almanac?.failures ?? [],
      }),
    );
  };
  const isPlaced = (property: Property) => property.counties?.length !== 0;
  const writeCodes = (property: Property, policyType: string, out: Uint8Array, from: number) => {
    const tables = tablesOf(property, policyType);
    out.fill(0, from, from + carriers.length);
    writeStatusCodes(tables, property, out, from);
    if (tables.reference.length === 0) return;
    for (const carrier of hostCarriers(tables, property, policyType)) out[from + carrier] = NOT_JUDGED;
  };

  const catalog: Catalog = {
    vocabulary,
    options,
    carriers,
    get evaluators() {
      return carriers.flatMap((carrier) =>
        carrier.versions.map((version) => choiceOf(version, vocabulary, !isReference)),
      );
    },
    async decide(property, deciding = {}) {
      expectVocabulary(property, vocabulary);
      const { signal, almanac = createAlmanac(options, property, deciding) } = deciding;
      signal?.throwIfAborted();
      if (!isPlaced(property)) return emptyDecision();
      const { versions } = eraOf(property.effectiveDate);
      const answers: JudgedCarriers[] = [];
      const asked: Asked = { ...deciding, almanac, asked: 0, notJudged: [] };
      const turn = signal ? abortableTurn(deciding.turn ?? createTurn(), signal) : (deciding.turn ?? createTurn());
      for (const policyType of policyTypesOf(property)) {
        const [isAsked, count] = askedOf(property, policyType, deciding);
        asked.asked += count;
        const tables = isReference ? undefined : tablesOf(property, policyType);
        if (tables && !tables.isReady) await buildTables(tables, turn);
        const byTables = await judgeInTurns(tables?.rules ?? [], property, versions, isAsked, turn);
        const others: [number, Verdict][] = [];
        const byReference = [...(tables?.reference ?? carriers.keys())].filter(
          (carrier) => versions[carrier] && isAsked?.(carrier) !== false,
        );
        const ruleSets = byReference.map((carrier) => versions[carrier]!.ruleSet);
        if (ruleSets.length > 0) await readHostFacts(ruleSets, policyType, property, almanac);
        for (const carrier of byReference) {
          const version = versions[carrier]!;
          const found = await evaluateByEngine(version.ruleSet, policyType, property, reference, almanac);
          signal?.throwIfAborted();
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
        declinesByTables(rules, property, versions, (carrier, reasons, isJoint) => {
          answers.push({ carrierKey: carriers[carrier]!.key, policyType, reasons, isJoint });
        });
      }
      return answers;
    },
    testedFields: (query) => testedFields(carriers, vocabulary, query),
    update: (change) => catalogOf(changedCarriers(carriers, change, options), options, onBuilt),
    async prepare(effectiveDate, policyTypes = vocabulary.policyTypes, turn = createTurn()) {
      if (isReference) return;
      const era = eras.prepared(effectiveDate);
      for (const policyType of policyTypes) {
        await buildTables(statusTables(era, policyType, vocabulary, onBuilt), turn);
      }
    },
    statusCodes(property, out) {
      expectVocabulary(property, vocabulary);
      const count = carriers.length;
      const { policyType } = property;
      const size = policyType === undefined ? count * vocabulary.policyTypes.length : count;
      const codes = out !== undefined && out.length >= size ? out : new Uint8Array(size);
      if (!isPlaced(property)) return codes.fill(0, 0, size);
      if (policyType !== undefined) writeCodes(property, policyType, codes, 0);
      else {
        vocabulary.policyTypes.forEach((each, index) => {
          writeCodes(property, each, codes, index * count);
        });
      }
      return codes;
    },
  };
  return registerCatalog(catalog, (effectiveDate, policyType) => tablesOf({ effectiveDate }, policyType));
}

/** A fact of the host under the name of a fact of the line would be read by some carriers only. */
function expectOwnNames({ facts = {} }: CatalogOptions, vocabulary: Vocabulary): void {
  const taken = Object.keys(facts).find((name) => factIndex(vocabulary).names.includes(name));
  if (taken === undefined) return;
  throw new RangeError(`"${taken}" is a fact of the line ${vocabulary.line}; give the host's fact another name.`);
}
