export { createStoredHazardEvents, type StoredHazardEvents } from './hazard-events/hazard-event-feed.ts';
export type { HazardEventItem } from './hazard-events/hazard-event-item.ts';
export { readOrganizationRules } from './organization-rules/read-organization-rules.ts';
export { createRegistry, type Registry, type RegistryAdministration, type RegistryOptions } from './registry.ts';
export {
  createRuleSetFeed,
  type PublishedMoratorium,
  type PublishedRuleSet,
  type RuleSetFeed,
  type RuleSetsInForce,
  type ServedFile,
} from './rule-set-feed.ts';
export type {
  CarrierAnswer,
  FindingSeverity,
  HomesCompared,
  HomesReplayed,
  ReviewFinding,
  RuleSetReview,
} from './rule-set-review.ts';
export type { ApprovalRules } from './rule-sets/approval-rules.ts';
export type { MoratoriumItem } from './rule-sets/moratorium-item.ts';
export type { RuleSetItem, WholeRuleSetItem } from './rule-sets/rule-set-item.ts';
export type { SeedFile } from './rule-sets/seed.ts';
export type { RegistryLimits } from './rule-sets/services.ts';
export type {
  CaseOfSavedDecision,
  CaseRequest,
  CheckedCarrierRules,
  CheckedHazardEvent,
  CheckedOverride,
  ReplayedRuleSet,
  ReplayHome,
  ReplayRequest,
  ReviewedRuleSet,
  ReviewRequest,
  RulesPort,
  RulesSource,
} from './rules-port.ts';
export type { DecisionToSave, SavedDecisionLimits, SavedDecisions } from './saved-decisions.ts';
