export type { Fault } from '@leeward/terms';
export { type Accounts, type AccountsOptions, createAccounts } from './accounts.ts';
export type { Administration } from './administration/administration.ts';
export type { AuditEntry, AuditTrail } from './administration/audit-trail.ts';
export type { Actor, SystemActor } from './administration/authority.ts';
export { defaultLimits, type Limits } from './administration/limits.ts';
export type { CallContext, Operation } from './administration/operation.ts';
export type { MintedTokenItem, TokenItem } from './administration/resources/token-item.ts';
export type { ApprovalRules } from './administration/rule-sets/approval-rules.ts';
export type { MoratoriumItem } from './administration/rule-sets/moratorium-item.ts';
export type { CarrierInForceItem } from './administration/rule-sets/registry-item.ts';
export type { RuleSetItem, WholeRuleSetItem } from './administration/rule-sets/rule-set-item.ts';
export type { SeedFile } from './administration/rule-sets/seed.ts';
export type {
  AppointmentItem,
  AuditItem,
  CarrierItem,
  CreateAppointmentRequest,
  CreateCarrierRequest,
  CreateOrganizationRequest,
  CreateOverrideRequest,
  CreateProducerRequest,
  CreateTeamRequest,
  CreateTokenRequest,
  OrganizationItem,
  OverrideItem,
  ProducerItem,
  RotateTokenRequest,
  TeamItem,
  UpdateAppointmentRequest,
  UpdateCarrierRequest,
  UpdateOrganizationRequest,
  UpdateOverrideRequest,
  UpdateProducerRequest,
  UpdateTeamRequest,
  UpdateTokenRequest,
} from './administration/wire-types.ts';
export { AdministrationError, type AdministrationErrorCode } from './administration-error.ts';
export { type AppointmentIndex, type AppointmentQuery, createAppointmentIndex } from './appointment-index.ts';
export type {
  Appointment,
  Caller,
  CarrierOverride,
  CustomCarrier,
  Directory,
  NarrowedCarrier,
  Organization,
  OrganizationCatalog,
  Producer,
  Team,
} from './directory.ts';
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
export type {
  CarrierCatalog,
  CaseOfSavedDecision,
  CaseRequest,
  CheckedCarrierRules,
  CheckedOverride,
  HomeAsked,
  ReplayedRuleSet,
  ReplayRequest,
  ReviewedRuleSet,
  ReviewRequest,
  RulesPort,
  RulesSource,
} from './rules-port.ts';
export type { DecisionToSave, SavedDecisionLimits, SavedDecisions } from './saved-decisions.ts';
export type { AccountStore } from './store/account-store.ts';
export { createMemoryStore } from './store/memory-store.ts';
export { accountsMigrations } from './store/migrations.ts';
export { createSqlStore } from './store/sql-store.ts';
export { defaultScopes, type Scope, scopes } from './vocabulary/scopes.ts';
