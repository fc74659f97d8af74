/** Parts of the engine for packages that analyse rules or evaluate them in bulk. They may change in minor versions. */

export type { Area } from '../area/area.ts';
export { carriersOf } from '../catalog/carriers-of.ts';
export { catalogOf } from '../catalog/catalog-of.ts';
export { certaintiesOf } from '../catalog/certainties.ts';
export { type CompiledCarriers, compiledCarriers, type TableCarrier } from '../catalog/compiled-carriers.ts';
export { type TestedFieldsQuery, testedFields } from '../catalog/tested-fields.ts';
export { versionOn } from '../catalog/versions.ts';
export { axisLimits, fieldsOfAxis } from '../change/test-limits.ts';
export { atCertainty } from '../condition/at-certainty.ts';
export { type Reading, readComputed, sourceOfProperty } from '../condition/computed.ts';
export {
  type Aggregate,
  type Computed,
  type EvidenceFact,
  forEachLeaf,
  type Leaf,
  type LeafCondition,
  sourcesOf,
  type Tree,
  valueFact,
} from '../condition/condition.ts';
export { describeComputed, describeTest, type TestInWords, unitOfOperand } from '../condition/describe-computed.ts';
export type { Facts } from '../condition/fact-map.ts';
export type { FactSource } from '../condition/fact-source.ts';
export { factsOfProperty } from '../condition/facts.ts';
export { findItem, matchItem } from '../condition/item-match.ts';
export {
  decoratorNames,
  describeOperator,
  operatorFunction,
  operatorNames,
  operators,
  parseOperator,
} from '../condition/operators.ts';
export { sidesOf, treeTruth, truthOfLeaf } from '../condition/tree-truth.ts';
export { negate } from '../condition/truth.ts';
export { ENGINE_VERSION } from '../engine-version.ts';
export { type Almanac, createAlmanac, FACT_TIMEOUT_MS, type FactAnswer, FatalFactError } from '../reference/almanac.ts';
export { evaluateByEngine } from '../reference/evaluate-by-engine.ts';
export type { Evaluator } from '../reference/evaluator.ts';
export { createReferenceEvaluator } from '../reference/reference-evaluator.ts';
export { distanceNames } from '../request/distance-names.ts';
export {
  type EvidenceSubject,
  evidenceSubjects,
  findEvidence,
  hasEvidenceForm,
  OTHER_SOURCE,
  readEvidence,
  valueWithEvidenceSchema,
  writeEvidence,
} from '../request/evidence.ts';
export { between, type GivenKnowledge, isWithin } from '../request/knowledge.ts';
export { boundByRelations, completeValues } from '../request/property.ts';
export { coordinateLimits, MAX_DISTANCE } from '../request/schema.ts';
export { sha256OfJson } from '../rule-set/canonical.ts';
export { forEachRuleLeaf, warningsOf } from '../rule-set/check.ts';
export { writtenRules } from '../rule-set/contradictions.ts';
export { countyName } from '../rule-set/county-name.ts';
export { boundsOf, type Demand, describeTerm, type TermBound, type TermBounds } from '../rule-set/demand.ts';
export { describeFact, describeSet, operatorsOf, rangeOf, setOperators, wordsOf } from '../rule-set/describe-fact.ts';
export { type DistanceTest, distanceTests, isWithinLimit } from '../rule-set/distance-tests.ts';
export { eventAggregates, eventsInReach } from '../rule-set/events-in-reach.ts';
export { outcomeMeanings } from '../rule-set/json-schema.ts';
export { hasTiers, isBetter, ladderParts } from '../rule-set/ladder.ts';
export { coversCounty, coversState, type Places } from '../rule-set/places.ts';
export { type NamedAggregate, readAggregate } from '../rule-set/read-aggregate.ts';
export { importedId, isImported, isOutcome } from '../rule-set/read-rule.ts';
export type { Moratorium, Program } from '../rule-set/rule-set.ts';
export { outcomes } from '../rule-set/schema.ts';
export { usesLocation } from '../rule-set/uses-location.ts';
export { createTurn, nextTurn, type Turn } from '../turns/turn.ts';
export type { CarrierRules } from '../verdict/carrier-rules.ts';
export { NOT_JUDGED } from '../verdict/status-codes.ts';
export { statuses } from '../verdict/verdict.ts';
export { printFact } from '../verdict/verdict-of.ts';
export { type FactReference, factIndex, requestNameOf, type SetReference, unitOf } from '../vocabulary/fact-index.ts';
export { NO } from '../vocabulary/flag-field.ts';
export { layoutOf } from '../vocabulary/layout.ts';
export { countRecent } from '../vocabulary/list-field.ts';
export { fromMeters, toMeters } from '../vocabulary/shore-distances.ts';
export { typicalValue } from '../vocabulary/typical-value.ts';
export { writeFields } from '../vocabulary/write-fields.ts';
export { type Axis, isNumberAxis, type NumberAxis } from './axis.ts';
export {
  add,
  type CellSet,
  cellsOf,
  difference,
  emptySet,
  fullSet,
  has,
  intersection,
  intersects,
  isEmpty,
  isSame,
  isWithinSet,
  setOf,
  union,
} from './cell-set.ts';
export {
  type CompiledDemand,
  type CompiledProgram,
  type CompiledRule,
  compileProgram,
  isCompiled,
  PLACE,
  type ProgramAxis,
} from './compile-program.ts';
export { compiledProgram } from './compiled-programs.ts';
export { type Box, cover, openParts } from './cover.ts';
export { encode, isDefinite, isPossible } from './encode.ts';
export { createTestCell } from './encoder.ts';
export { findCompiled, findStatuses } from './find-compiled.ts';
export { findLadder, findLadderStatuses } from './find-ladder.ts';
export { impossibleTerms } from './impossible-terms.ts';
export { type CompiledLadder, type CompiledTier, isLadder } from './ladder.ts';
export { covers, createPlaceAxis, type PlaceAxis } from './place-axis.ts';
export { productOf } from './product.ts';
export { truthOfTerms } from './rule-truth.ts';
export { possibleStatuses, singleCell } from './settle.ts';
export { placeTerm, type StatusTerms, statusTermsOf } from './status-terms.ts';
export { conjoin, isImpossible, isInside, mergeTerms, type Term, type TermPart } from './term.ts';
export { widestTerms } from './widest-terms.ts';
