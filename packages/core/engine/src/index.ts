export type { Fault, Warning } from '@leeward/terms';
export type { Catalog, DecideOptions } from './catalog/catalog.ts';
export type { CarrierVersion, CatalogChange } from './catalog/catalog-change.ts';
export { catalogOf } from './catalog/catalog-of.ts';
export type { CatalogOptions } from './catalog/catalog-options.ts';
export { type CatalogEntry, checkEntriesWith } from './catalog/check-entries.ts';
export { createCatalog } from './catalog/create-catalog.ts';
export type {
  Counts,
  Decision,
  NextQuestion,
  NotEvaluated,
  NotEvaluatedCode,
  NotOffered,
  NotOfferedCode,
} from './catalog/decision.ts';
export type { EvaluatorChoice } from './catalog/evaluator-choice.ts';
export {
  createOrganizationCatalog,
  type Decider,
  type DecidingOptions,
  type IsAppointed,
  type OrganizationCatalog,
  type OrganizationRules,
  openOrganizationCatalog,
} from './catalog/organization-catalog.ts';
export { RuleSetError } from './catalog/rule-set-error.ts';
export { createRuleSetPool, type RuleSetPool, type RuleSetPoolOptions } from './catalog/rule-set-pool.ts';
export type { HeldFile } from './catalog/shared-files.ts';
export type { TestedFieldsQuery } from './catalog/tested-fields.ts';
export type { Carrier } from './catalog/versions.ts';
export type { ChangeAim } from './change/change-layout.ts';
export type { FieldChange } from './change/describe-change.ts';
export type { Counterfactual } from './change/find-ways.ts';
export type { NumberRange } from './change/nearest.ts';
export {
  type ChangeOptions,
  type WhatWouldChange,
  whatWouldChange,
} from './change/what-would-change.ts';
export type { Truth } from './condition/truth.ts';
export { ENGINE_VERSION } from './engine-version.ts';
export type { VerdictKey } from './explain/evaluate-carrier.ts';
export { type ExplainedDecision, type ExplainedVerdict, explainDecision } from './explain/explain-decision.ts';
export { type ExplainOptions, explainVerdict } from './explain/explain-verdict.ts';
export type {
  ExplainedRule,
  ExplainedTest,
  ExplainedTree,
  Explanation,
  KnownValue,
} from './explain/explanation.ts';
export {
  defineLine,
  type Line,
  type LineDefinition,
  type RequestOf,
  type RuleSetOf,
  type SpelledRequestOf,
} from './line/line.ts';
export {
  type Almanac,
  createAlmanac,
  FACT_TIMEOUT_MS,
  type FactContext,
  type FactOptions,
  type HostFact,
  type HostFailure,
  type HostFailureEvent,
  type HostFailureReason,
  UnknownFactError,
} from './reference/almanac.ts';
export type { Evaluator } from './reference/evaluator.ts';
export type { HostOperator } from './reference/reference-evaluator.ts';
export { createReferenceEvaluator } from './reference/reference-evaluator.ts';
export { distanceNames } from './request/distance-names.ts';
export type { Knowledge, Within } from './request/knowledge.ts';
export {
  type ParsedRequest,
  type ParseOptions,
  parseRequest,
  requestSchemaOf,
  type UnderwritingRequest,
} from './request/parse-request.ts';
export { createProperty, type Property, type PropertyInput } from './request/property.ts';
export type { RequestBody } from './request/request-body.ts';
export { type AddressParts, coordinateLimits } from './request/schema.ts';
export { type CheckedRuleSet, type CheckOptions, checkRuleSet } from './rule-set/check.ts';
export { type DistanceTest, distanceTests, isWithinLimit } from './rule-set/distance-tests.ts';
export { type JsonSchema, ruleSetJsonSchema } from './rule-set/json-schema.ts';
export { applyOverride, type CheckedOverride, checkOverride, type Override } from './rule-set/override.ts';
export { type RuleChecker, syncChecker } from './rule-set/rule-checker.ts';
export type { AllowedFinding, Rule, RuleSet } from './rule-set/rule-set.ts';
export type { ConditionOf, RuleFile, RuleSetFile, TestOf } from './rule-set/rule-set-file.ts';
export { type Outcome, ruleSetSchema } from './rule-set/schema.ts';
export {
  type JsonRulesEngineExport,
  type JsonRulesEngineRule,
  toJsonRulesEngine,
} from './rule-set/to-json-rules-engine.ts';
export { createTurn, nextTurn, type Turn } from './turns/turn.ts';
export type { CarrierRules } from './verdict/carrier-rules.ts';
export { STATUS_CODES } from './verdict/status-codes.ts';
export type {
  Reason,
  Requirement,
  RuleSetIdentity,
  SettledStatus,
  Source,
  Status,
  Verdict,
} from './verdict/verdict.ts';
export { ageFact } from './vocabulary/age-fact.ts';
export { type ChoiceFieldOptions, choiceField } from './vocabulary/choice-field.ts';
export { type DateFieldOptions, dateField } from './vocabulary/date-field.ts';
export { extendVocabulary, type VocabularyExtension } from './vocabulary/extend-vocabulary.ts';
export { createVocabulary } from './vocabulary/fact-index.ts';
export type {
  Change,
  DerivedFact,
  Domain,
  DomainContext,
  Field,
  FieldOf,
  Relation,
  SetMember,
  Usual,
  ValueForm,
} from './vocabulary/field.ts';
export { type FlagFieldOptions, flagField } from './vocabulary/flag-field.ts';
export { type HomeVocabulary, homeVocabulary } from './vocabulary/home.ts';
export { decimalField, integerField, type NumberFieldOptions } from './vocabulary/number-field.ts';
export { type RequestField, requestFieldsOf } from './vocabulary/request-fields.ts';
export { type SetFieldOptions, setField } from './vocabulary/set-field.ts';
export { shoreDistances, toMeters } from './vocabulary/shore-distances.ts';
export type { Vocabulary } from './vocabulary/vocabulary.ts';
export { ageOrYearField, type YearFieldOptions, yearField } from './vocabulary/year-field.ts';
