export type { Fault, Warning } from '@leeward/terms';
export type { Catalog, DecideOptions } from './catalog/catalog.ts';
export type { CarrierVersion, CatalogChange } from './catalog/catalog-change.ts';
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
export type { Decider, DecidingOptions } from './catalog/organization-catalog.ts';
export { RuleSetError } from './catalog/rule-set-error.ts';
export type { TestedFieldsQuery } from './catalog/tested-fields.ts';
export type { Carrier } from './catalog/versions.ts';
export type { ChangeAim } from './change/change-layout.ts';
export type { FieldChange } from './change/describe-change.ts';
export type { Counterfactual } from './change/find-ways.ts';
export type { NumberRange } from './change/nearest.ts';
export { type ChangeOptions, type WhatWouldChange, whatWouldChange } from './change/what-would-change.ts';
export type { Truth } from './condition/truth.ts';
export type { VerdictKey } from './explain/evaluate-carrier.ts';
export { type ExplainedDecision, type ExplainedVerdict, explainDecision } from './explain/explain-decision.ts';
export { type ExplainOptions, explainVerdict } from './explain/explain-verdict.ts';
export type {
  ExplainedRule,
  ExplainedTest,
  ExplainedTier,
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
  type FactContext,
  type FactOptions,
  type HostFact,
  type HostFailure,
  type HostFailureEvent,
  type HostFailureReason,
  UnknownFactError,
} from './reference/almanac.ts';
export type { HostOperator } from './reference/reference-evaluator.ts';
export { type Evidence, evidenceSources } from './request/evidence.ts';
export type { Knowledge, Within } from './request/knowledge.ts';
export {
  type ParsedRequest,
  type ParseOptions,
  parseRequest,
  requestSchemaOf,
  type UnderwritingRequest,
} from './request/parse-request.ts';
export { createProperty, type Property, type PropertyInput } from './request/property.ts';
export type { PropertyLocation } from './request/property-location.ts';
export type { RequestBody } from './request/request-body.ts';
export type { AddressParts } from './request/schema.ts';
export { type CheckedRuleSet, type CheckOptions, checkRuleSet } from './rule-set/check.ts';
export type { Demand, DemandedTerm, TermBound } from './rule-set/demand.ts';
export { type JsonSchema, ruleSetJsonSchema } from './rule-set/json-schema.ts';
export { type RuleChecker, syncChecker } from './rule-set/rule-checker.ts';
export type { AllowedFinding, Rule, RuleSet } from './rule-set/rule-set.ts';
export type { ConditionOf, RuleFile, RuleSetFile, TermsOf, TestOf } from './rule-set/rule-set-file.ts';
export { type Outcome, ruleSetSchema } from './rule-set/schema.ts';
export {
  type JsonRulesEngineExport,
  type JsonRulesEngineRule,
  toJsonRulesEngine,
} from './rule-set/to-json-rules-engine.ts';
export { STATUS_CODES } from './verdict/status-codes.ts';
export type {
  PossibleVerdictTerm,
  Reason,
  Requirement,
  RuleSetIdentity,
  SettledStatus,
  Source,
  Status,
  TierVerdict,
  Verdict,
  VerdictTerm,
  VerdictTier,
} from './verdict/verdict.ts';
export { type HomeVocabulary, homeVocabulary } from './vocabulary/home.ts';
export type { WrittenItem } from './vocabulary/list-field.ts';
export type { Vocabulary } from './vocabulary/vocabulary.ts';
